"""The comment on a pull request: found again, edited in place, never somebody else's, never twice."""

import pytest
from github_stub import BOT, HUMAN, OTHER_BOT, READ_ONLY, Fault

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.github.client import GitHub
from plugin_eval_ci.github.values import ApiError, PostResult, ReadOnlyError, TooLongError

MARK = "<!-- plugin-eval-ci:comment:default -->"
COMMENTS = r"/repos/shop/store/issues/7/comments"


def mine(stub):
    return [one["body"] for one in stub.comments if one["body"].startswith(MARK)]


def test_the_first_one_is_created(stub, github):
    stub.comment("Nice!", HUMAN)
    posted = github.upsert_comment(7, "default", "### Hi\n")
    assert posted == PostResult("created", stub.comments[-1]["html_url"], 7)
    assert mine(stub) == [f"{MARK}\n### Hi\n"]


def test_a_body_with_its_marker_gets_no_second_one(stub, github):
    github.upsert_comment(7, "default", f"{MARK}\n### Hi\n")
    assert mine(stub) == [f"{MARK}\n### Hi\n"]


def test_it_is_edited_in_place(stub, github):
    old = stub.comment(f"{MARK}\nold")
    assert github.upsert_comment(7, "default", "new") == PostResult("updated", old["html_url"], 7)
    assert mine(stub) == [f"{MARK}\nnew"] and not stub.asked_for("POST", "comments")


@pytest.mark.parametrize("kept", [f"{MARK}\nsame", f"{MARK}\r\nsame\r\n", f"{MARK}\nsame\n\n"])
def test_the_same_is_not_written_again(stub, github, kept):
    stub.comment(kept)
    assert github.upsert_comment(7, "default", "same\n").action == "unchanged"
    assert not stub.asked_for("PATCH")


def test_create_false_only_edits(stub, github):
    assert github.upsert_comment(7, "default", "all clear", create=False) == PostResult("skipped", None, 7)
    stub.comment(f"{MARK}\n2 findings")
    assert github.upsert_comment(7, "default", "all clear", create=False).action == "updated"
    assert mine(stub) == [f"{MARK}\nall clear"]


def test_the_comment_on_page_four_is_found(stub, github):
    for number in range(350):
        stub.comment(f"comment {number}", HUMAN)
    stub.comment(f"{MARK}\nold")
    assert github.upsert_comment(7, "default", "new").action == "updated"
    assert [one.query.get("page", "1") for one in stub.asked_for("GET", "comments")] == ["1", "2", "3", "4"]
    assert {one.query["per_page"] for one in stub.asked_for("GET", "comments")} == {"100"}


@pytest.mark.parametrize(
    "user", [HUMAN, OTHER_BOT, {**HUMAN, "login": "github-actions"}, {**HUMAN, "login": "github-actions[bot]"}]
)
def test_a_marker_of_somebody_else_is_left_alone(stub, github, user):
    theirs = stub.comment(f"{MARK}\ntheirs", user)
    assert github.upsert_comment(7, "default", "ours").action == "created"
    assert theirs["body"] == f"{MARK}\ntheirs"
    assert mine(stub) == [f"{MARK}\ntheirs", f"{MARK}\nours"]


@pytest.mark.parametrize(
    "body", [f"Look: {MARK}", f"> {MARK}", f"\n{MARK}\nx", "<!-- plugin-eval-ci:comment:default2 -->", ""]
)
def test_a_marker_must_be_the_whole_first_line(stub, github, body):
    stub.comment(body)
    assert github.upsert_comment(7, "default", "ours").action == "created"


def test_keys_are_apart(stub, github):
    github.upsert_comment(7, "one", "1")
    github.upsert_comment(7, "two", "2")
    github.upsert_comment(7, "one", "3")
    assert [one["body"].split("\n")[1] for one in stub.comments] == ["3", "2"]


@pytest.mark.parametrize("key", ["", "a b", "-->", "é", "x" * 65, "a\n"])
def test_a_key_cannot_end_the_marker(github, key):
    with pytest.raises(UsageError):
        github.upsert_comment(7, key, "x")


def test_another_app_finds_its_own(stub, github):
    stub.me, stub.viewer = {**BOT, "login": "shop-helper[bot]"}, "shop-helper[bot]"
    theirs = stub.comment(f"{MARK}\nof the workflow's own token", BOT)
    ours = stub.comment(f"{MARK}\nold", stub.me)
    assert github.upsert_comment(7, "default", "new").url == ours["html_url"]
    assert theirs["body"].endswith("token")


def test_a_person_token_finds_its_own(stub):
    stub.me, stub.viewer = HUMAN, None  # no GraphQL: the second question is asked
    ours = stub.comment(f"{MARK}\nold", HUMAN)
    github = GitHub.from_environ(stub.environ(), "ghp_0123456789")
    assert github.upsert_comment(7, "default", "new").url == ours["html_url"]


def test_where_nobody_says_who_we_are_it_is_the_workflow(stub, github):
    stub.viewer = None
    stub.comment(f"{MARK}\nold", OTHER_BOT)
    ours = stub.comment(f"{MARK}\nold", BOT)
    assert github.upsert_comment(7, "default", "new").url == ours["html_url"]


def test_who_we_are_is_asked_once_and_only_when_it_matters(stub, github):
    github.upsert_comment(7, "one", "x", create=False)
    assert not stub.asked_for("POST", "/graphql")
    for key in ("one", "two"):
        stub.comment(f"<!-- plugin-eval-ci:comment:{key} -->\nx")
        github.upsert_comment(7, key, "x")
    assert len(stub.asked_for("POST", "/graphql")) == 1


def test_two_runs_at_once_leave_one_comment(stub, github):
    def rival():
        stub.before_post = lambda: None
        stub.comment(f"{MARK}\nthe other run's")

    stub.before_post = rival
    assert github.upsert_comment(7, "default", "ours").action == "updated"
    assert mine(stub) == [f"{MARK}\nours"]


def test_the_older_run_does_not_take_away_its_own(stub, github):
    real = stub._post_comment

    def post(asked, number):
        answer = real(asked, number)
        stub.comment(f"{MARK}\nthe other run's")
        return answer

    stub._post_comment = post
    assert github.upsert_comment(7, "default", "ours").action == "created"
    assert len(mine(stub)) == 2  # the other run takes its own away


# -- what can go wrong


def test_a_token_that_may_only_read(stub, github):
    stub.read_only = True
    with pytest.raises(ReadOnlyError) as caught:
        github.upsert_comment(7, "default", "x")
    assert "Resource not accessible by integration" in str(caught.value) and caught.value.status == 403
    assert len(stub.asked_for("POST", "comments")) == 1


def test_a_token_that_may_only_read_cannot_edit(stub, github):
    stub.comment(f"{MARK}\nold")
    stub.read_only = True
    with pytest.raises(ReadOnlyError):
        github.upsert_comment(7, "default", "new")


@pytest.mark.parametrize(
    ("method", "status", "body"),
    [("POST", 404, {"message": "Not Found"}), ("POST", 403, {"message": "Forbidden"}), ("GET", 403, READ_ONLY)],
)
def test_other_ways_to_say_read_only(stub, github, method, status, body):
    stub.faults.append(Fault(method, COMMENTS, status, body))
    with pytest.raises(ReadOnlyError):
        github.upsert_comment(7, "default", "x")


@pytest.mark.parametrize(
    "said", ["Unable to create comment because issue is locked.", "Repository was archived so is read-only."]
)
def test_where_nobody_may_write_nothing_is_pending(stub, github, said):
    stub.faults.append(Fault("POST", COMMENTS, 403, {"message": said}))
    assert github.upsert_comment(7, "default", "x") == PostResult("skipped", None, 7)


def test_too_long(stub, github):
    with pytest.raises(TooLongError):
        github.upsert_comment(7, "default", "x" * 70_000)


@pytest.mark.parametrize("after", [True, False])
@pytest.mark.parametrize("drop", [True, False])
def test_a_post_without_an_answer_is_not_blindly_repeated(stub, github, after, drop):
    stub.faults.append(Fault("POST", COMMENTS, 502, after=after, drop=drop))
    posted = github.upsert_comment(7, "default", "once")
    assert mine(stub) == [f"{MARK}\nonce"] and posted.url == stub.comments[0]["html_url"]
    assert len(stub.asked_for("POST", "comments")) == (1 if after else 2)


def test_it_is_repeated_once_only(stub, github):
    stub.faults.append(Fault("POST", COMMENTS, 502, times=9))
    with pytest.raises(ApiError):
        github.upsert_comment(7, "default", "x")
    assert len(stub.asked_for("POST", "comments")) == 2


def test_an_edit_is_repeated(stub, github, naps):
    stub.comment(f"{MARK}\nold")
    stub.faults.append(Fault("PATCH", r".*", 503, times=2))
    assert github.upsert_comment(7, "default", "new").action == "updated"
    assert naps.slept == [1.0, 2.0]

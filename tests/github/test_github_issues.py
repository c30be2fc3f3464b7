"""The tracking issue: one for each key, edited in place; a comment only when one is asked for; never a second issue."""

import pytest
from github_stub import BOT, HUMAN, OTHER_BOT, Fault

from plugin_eval_ci.github.values import ApiError, PostResult, ReadOnlyError

MARK = "<!-- plugin-eval-ci:issue:default -->"
ISSUES = "/repos/shop/store/issues"


def upsert(github, body="new", **more):
    return github.upsert_issue("default", "Plugin scores", body, **more)


def test_the_first_one_is_created(stub, github):
    posted = upsert(github)
    assert posted == PostResult("created", "https://git.example.org/i/1", 1)
    (issue,) = stub.issues
    assert (issue["title"], issue["body"], issue["labels"]) == (
        "Plugin scores",
        f"{MARK}\nnew",
        [{"name": "plugin-eval"}],
    )
    assert not stub.comments


def test_its_body_is_replaced_and_nothing_else(stub, github):
    stub.issue(f"{MARK}\nold", title="Renamed by somebody")
    assert upsert(github) == PostResult("updated", "https://git.example.org/i/1", 1)
    (issue,) = stub.issues
    assert (issue["title"], issue["body"]) == ("Renamed by somebody", f"{MARK}\nnew")
    assert [one.body for one in stub.asked_for("PATCH")] == [{"body": f"{MARK}\nnew"}] and not stub.comments


def test_the_same_is_not_written_again(stub, github):
    stub.issue(f"{MARK}\r\nnew\r\n")
    assert upsert(github).action == "unchanged"
    assert not stub.asked_for("PATCH")


def test_a_comment_is_added_below(stub, github):
    stub.issue(f"{MARK}\nnew")
    assert upsert(github, comment="**store** fell by 12.").action == "updated"
    assert [one["body"] for one in stub.comments] == ["**store** fell by 12."] and not stub.asked_for("PATCH")


def test_create_false_creates_none(stub, github):
    assert upsert(github, create=False) == PostResult("skipped", None, None)
    assert not stub.issues


def test_pull_requests_are_none(stub, github):
    stub.issue(f"{MARK}\nx", pull_request={"url": "https://git.example.org/p/1"})
    assert upsert(github).number == 2


@pytest.mark.parametrize("user", [HUMAN, OTHER_BOT])
def test_an_issue_of_somebody_else_is_left_alone(stub, github, user):
    stub.issue(f"{MARK}\ntheirs", user)
    assert upsert(github).number == 2
    assert stub.issues[0]["body"].endswith("theirs")


def test_the_issue_on_page_three_is_found(stub, github):
    for number in range(250):
        stub.issue(f"issue {number}", HUMAN)
    stub.issue(f"{MARK}\nold")
    assert upsert(github).number == 251


def test_an_issue_that_lost_its_label_is_found(stub, github):
    stub.issue(f"{MARK}\nold", labels=())
    assert upsert(github).number == 1 and len(stub.issues) == 1


def test_a_github_that_does_not_know_our_name_is_no_failure(stub, github):
    real = stub._get_issues
    stub._get_issues = lambda asked: (
        (422, {"message": "Validation Failed"}) if "creator" in asked.query else real(asked)
    )
    assert upsert(github).action == "created"


def test_the_oldest_open_one_counts(stub, github):
    stub.issue(f"{MARK}\nclosed", state="closed", state_reason="completed")
    stub.issue(f"{MARK}\nopen")
    stub.issue(f"{MARK}\nopen, too")
    assert upsert(github).number == 2


def test_a_closed_one_is_kept_up_to_date_and_stays_closed(stub, github):
    stub.issue(f"{MARK}\nold", state="closed", state_reason="completed")
    assert upsert(github).number == 1
    (issue,) = stub.issues
    assert issue["state"] == "closed" and issue["body"].endswith("new")


def test_a_closed_one_is_opened_again_with_a_comment(stub, github):
    stub.issue(f"{MARK}\nold", state="closed", state_reason="completed")
    upsert(github, comment="fell")
    assert stub.issues[0]["state"] == "open" and len(stub.comments) == 1


def test_one_that_nobody_wants_stays_closed(stub, github):
    stub.issue(f"{MARK}\nold", state="closed", state_reason="not_planned")
    assert upsert(github, comment="fell").number == 1
    assert stub.issues[0]["state"] == "closed" and not stub.comments and len(stub.issues) == 1


def test_two_runs_at_once_leave_one_open(stub, github):
    def rival():
        stub.before_post = lambda: None
        stub.issue(f"{MARK}\nthe other run's")

    stub.before_post = rival
    assert upsert(github).number == 1
    assert [(issue["state"], issue["body"].split("\n")[1]) for issue in stub.issues] == [
        ("open", "new"),
        ("closed", "new"),
    ]


def test_a_token_that_may_only_read(stub, github):
    stub.read_only = True
    with pytest.raises(ReadOnlyError):
        upsert(github)
    stub.issue(f"{MARK}\nold")
    with pytest.raises(ReadOnlyError):
        upsert(github)


def test_issues_are_turned_off(stub, github):
    stub.faults.append(Fault("GET", ISSUES, 410, {"message": "Issues has been disabled in this repository."}))
    with pytest.raises(ApiError, match=r"410.*Issues has been disabled"):
        upsert(github)


def test_a_locked_one_takes_no_comment(stub, github):
    stub.issue(f"{MARK}\nnew")
    stub.faults.append(
        Fault("POST", r".*/comments", 403, {"message": "Unable to create comment because issue is locked."})
    )
    assert upsert(github, comment="fell").action == "skipped"


@pytest.mark.parametrize("after", [True, False])
def test_a_post_without_an_answer_is_not_blindly_repeated(stub, github, after):
    stub.faults.append(Fault("POST", ISSUES, 500, after=after))
    assert upsert(github).number == 1
    assert len(stub.issues) == 1
    assert stub.issues[0]["user"] == BOT

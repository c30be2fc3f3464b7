"""Requests: repeated within a limit, bounded, the token hidden; addresses and proxies from the environment."""

import email.utils
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import urllib3
from github_stub import READ_ONLY, TOKEN, Fault, Stub

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.github.client import GitHub
from plugin_eval_ci.github.transport import Address, Http, address_of, pool_for, same_host
from plugin_eval_ci.github.values import ApiError, ReadOnlyError

FILES = r"/repos/shop/store/pulls/7/files"


# -- later


@pytest.mark.parametrize(
    ("status", "headers", "body", "slept"),
    [
        (429, {"Retry-After": "7"}, {"message": "slow down"}, 7.0),
        (403, {"Retry-After": "30"}, {"message": "You have exceeded a secondary rate limit."}, 30.0),
        (403, {"Retry-After": "5"}, {"message": "Forbidden"}, 5.0),
        (403, {}, {"message": "You have exceeded a secondary rate limit. Please wait a few minutes."}, 60.0),
        (429, {}, None, 60.0),
        (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}, {"message": "API rate limit exceeded"}, 1.0),
        (500, {}, None, 1.0),
        (502, {}, b"<html>Bad Gateway</html>", 1.0),
        (503, {"Retry-After": "3"}, None, 3.0),
        (503, {"Retry-After": "soon"}, None, 1.0),
        (503, {"Retry-After": "-5"}, None, 1.0),
        (504, {"Retry-After": "9" * 50}, None, 1.0),
    ],
)
def test_asked_again_after_what_github_asks_for(stub, github, naps, status, headers, body, slept):
    stub.faults.append(Fault("GET", FILES, status, body, headers))
    assert github.pull_files(7).complete
    assert naps.slept == [slept]


def test_a_date_to_wait_for(stub, github, naps):
    later = email.utils.formatdate(time.time() + 20, usegmt=True)
    stub.faults.append(Fault("GET", FILES, 429, None, {"Retry-After": later}))
    github.pull_files(7)
    assert 15 < naps.slept[0] <= 20


def test_a_reset_to_wait_for(stub, github, naps):
    stub.faults.append(
        Fault(
            "GET",
            FILES,
            403,
            READ_ONLY,
            {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time.time()) + 30)},
        )
    )
    github.pull_files(7)
    assert 25 < naps.slept[0] <= 32


def test_a_post_that_was_limited_is_asked_again(stub, github, naps):
    stub.faults.append(
        Fault(
            "POST", r".*/comments", 403, {"message": "You have exceeded a secondary rate limit"}, {"Retry-After": "2"}
        )
    )
    assert github.upsert_comment(7, "default", "x").action == "created"
    assert naps.slept == [2.0] and len(stub.comments) == 1


def test_given_up_after_five(stub, github, naps):
    stub.faults.append(Fault("GET", FILES, 502, times=99))
    with pytest.raises(ApiError, match="responded with status 502; gave up after 5 attempts"):
        github.pull_files(7)
    assert naps.slept == [1.0, 2.0, 4.0, 8.0] and len(stub.asked) == 5


def test_too_long_to_wait_is_not_waited_for(stub, github, naps):
    stub.faults.append(Fault("GET", FILES, 429, None, {"Retry-After": "3600"}))
    with pytest.raises(
        ApiError,
        match="limits the rate of requests and allows the next request in 3,600 seconds, which is too long to wait",
    ):
        github.pull_files(7)
    assert naps.slept == [] and len(stub.asked) == 1


def test_patience_is_for_all_requests_together(stub, github, naps):
    stub.faults.append(Fault("GET", FILES, 429, None, {"Retry-After": "50"}, times=9))
    with pytest.raises(ApiError, match="too long to wait"):
        github.pull_files(7)
    assert sum(naps.slept) <= 120


@pytest.mark.parametrize(
    ("status", "said"),
    [(400, "rejected"), (401, "rejected the token"), (404, "rejected GET"), (422, "rejected"), (418, "rejected")],
)
def test_no_is_no(stub, github, naps, status, said):
    stub.faults.append(Fault("GET", FILES, status, {"message": "No"}))
    with pytest.raises(ApiError, match=said) as caught:
        github.pull_files(7)
    assert not isinstance(caught.value, ReadOnlyError)
    assert naps.slept == [] and len(stub.asked) == 1


# -- answers that are none


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"a": 1}', b"[1]", b"[" * 50_000, b'[{"filename": 3}]', b"\xff"])
def test_answers_that_are_none(stub, github, body):
    stub.faults.append(Fault("GET", FILES, 200, body, times=9))
    with pytest.raises(ApiError):
        github.pull_files(7)


def test_an_endless_answer(stub, github, monkeypatch):
    monkeypatch.setattr(
        "plugin_eval_ci.github.transport.Request.__new__.__defaults__", (None, True, True, 1_000, False)
    )
    stub.faults.append(Fault("GET", FILES, 200, b"[" + b" " * 100_000 + b"]"))
    with pytest.raises(ApiError, match="larger than 1,000 bytes"):
        github.pull_files(7)


def test_endless_pages(stub, github, monkeypatch):
    monkeypatch.setattr("plugin_eval_ci.github.transport.MOST_PAGES", 3)
    stub.files = [{"filename": str(number), "status": "added", "sha": "c" * 40} for number in range(999)]
    with pytest.raises(ApiError, match="more than 300 entries"):
        github.pull_files(7)


def test_a_next_page_elsewhere_is_not_followed(stub, github):
    stub.faults.append(Fault("GET", FILES, 200, [], {"Link": '<https://evil.example/x>; rel="next"'}))
    with pytest.raises(ApiError, match="next page points to another host"):
        github.pull_files(7)


def test_a_repository_that_was_renamed(stub, github):
    stub.files = [{"filename": "a", "status": "added", "sha": "c" * 40}]
    stub.faults.append(Fault("GET", FILES, 301, None, {"Location": "/repos/shop/store/pulls/8/files"}))
    assert len(github.pull_files(7).files) == 1


def test_circles(stub, github):
    stub.faults.append(Fault("GET", FILES, 302, None, {"Location": "/repos/shop/store/pulls/7/files"}, times=99))
    with pytest.raises(ApiError, match="in a loop"):
        github.pull_files(7)
    assert len(stub.asked) == 4


# -- nobody there, or slow


def test_nobody_there(naps):
    http = Http("http://127.0.0.1:9", "http://127.0.0.1:9/graphql", TOKEN, sleep=naps)
    with pytest.raises(ApiError, match="cannot be reached; gave up after 5 attempts") as caught:
        GitHub(http, "shop/store").upsert_comment(7, "default", "x")
    assert len(naps.slept) == 4 and "127.0.0.1" not in str(caught.value)


@pytest.fixture
def dripping():
    """A host that sends a byte now and then, for ever."""

    class Drip(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            try:
                for _ in range(100):
                    self.wfile.write(b" ")
                    time.sleep(0.05)
            except OSError:
                pass

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Drip)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_slow_answer_is_not_waited_for(dripping, naps):
    http = Http(dripping, dripping, TOKEN, sleep=naps, patience=0.5)
    start = time.monotonic()
    with pytest.raises(ApiError):
        http.get("/x")
    assert time.monotonic() - start < 3


# -- the token


def test_the_token_is_nowhere_to_be_read(stub, http, github):
    stub.faults.append(
        Fault(
            "GET",
            FILES,
            400,
            {"message": f"bad {TOKEN} \x1b[31m\n::error::x é", "errors": [{"message": TOKEN}, "y", 3]},
        )
    )
    with pytest.raises(ApiError) as caught:
        github.pull_files(7)
    said = str(caught.value)
    assert TOKEN not in said and "***" in said and said.isascii() and said.isprintable()
    for thing in (http, github, http._wire, github._desk, github._desk.me, vars(github)):
        assert TOKEN not in repr(thing)


@pytest.mark.parametrize("token", ["a b", "a\nb: c", "t\u00f6k", "a\x00b", "a\r"])
def test_a_token_that_no_header_can_hold_is_not_tried(token):
    with pytest.raises(UsageError, match="the GitHub token contains") as caught:
        GitHub.from_environ({"GITHUB_REPOSITORY": "acme/kit"}, token)
    assert token not in str(caught.value)


@pytest.mark.parametrize("token", ["ghs_Abc-1.2/3+4=~", "eyJ0.eyJ1.x_y", ""])
def test_tokens_of_any_other_form_are(token):
    assert GitHub.from_environ({"GITHUB_REPOSITORY": "acme/kit"}, token).repository == "acme/kit"


def test_a_long_refusal_is_cut(stub, github):
    stub.faults.append(Fault("GET", FILES, 400, {"message": "x" * 10_000}))
    with pytest.raises(ApiError) as caught:
        github.pull_files(7)
    assert len(str(caught.value)) < 300


# -- addresses


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, Address("https://api.github.com", "https://api.github.com/graphql", "a/b")),
        (
            {"GITHUB_API_URL": "https://git.corp/api/v3/"},
            Address("https://git.corp/api/v3", "https://git.corp/api/graphql", "a/b"),
        ),
        (
            {"GITHUB_API_URL": "", "GITHUB_GRAPHQL_URL": "https://g/q"},
            Address("https://api.github.com", "https://g/q", "a/b"),
        ),
    ],
)
def test_addresses(environ, expected):
    assert address_of({"GITHUB_REPOSITORY": "a/b", **environ}) == expected


@pytest.mark.parametrize(
    "environ",
    [
        {"GITHUB_REPOSITORY": ""},
        {"GITHUB_REPOSITORY": "a"},
        {"GITHUB_REPOSITORY": "a/b/c"},
        {"GITHUB_REPOSITORY": "a/.."},
        {"GITHUB_REPOSITORY": "a/b?x"},
        {"GITHUB_API_URL": "file:///etc/passwd"},
        {"GITHUB_API_URL": "https://user:pass@x"},
        {"GITHUB_API_URL": "https://x:port"},
        {"GITHUB_API_URL": "https://x/?q"},
        {"GITHUB_API_URL": "javascript:x"},
        {"GITHUB_API_URL": "https://x y"},
    ],
)
def test_addresses_that_are_none(environ):
    with pytest.raises(UsageError, match=next(iter(environ))):
        address_of({"GITHUB_REPOSITORY": "a/b", **environ})


def test_one_host_is_not_another():
    assert same_host("https://a/x", "https://A:443/y")
    for other in ("http://a/x", "https://a:444", "https://a.evil", "https://a@evil/", "//a/x", "x"):
        assert not same_host("https://a/x", other)


def test_from_the_environment(stub):
    assert GitHub.from_environ(stub.environ(), TOKEN).upsert_comment(7, "default", "x").action == "created"


def test_an_enterprise_address_is_kept(stub):
    environ = {**stub.environ(), "GITHUB_API_URL": f"{stub.address}/api/v3"}
    real = stub.answer

    def under(asked):
        asked.path = asked.path.removeprefix("/api/v3")
        return real(asked)

    stub.answer = under
    assert GitHub.from_environ(environ, TOKEN).upsert_comment(7, "default", "x").action == "created"


# -- proxies


def test_a_proxy_is_used_where_the_environment_names_one(monkeypatch, stub, naps):
    for name in ("http_proxy", "HTTP_PROXY", "no_proxy", "NO_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with Stub() as proxy:
        proxy.answer = lambda asked: (200, [])
        monkeypatch.setenv("http_proxy", proxy.address.replace("//", "//me:se%40cret@"))
        http = Http("http://github.invalid", "http://github.invalid/graphql", TOKEN, sleep=naps)
        assert list(http.pages("/x")) == [[]]
        assert proxy.asked[0].headers["host"] == "github.invalid"
        assert proxy.asked[0].headers["proxy-authorization"] == "Basic bWU6c2VAY3JldA=="
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert not isinstance(pool_for(stub.address), urllib3.ProxyManager)


def test_a_proxy_that_is_gone_does_not_show_its_password(monkeypatch, naps):
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.setenv("http_proxy", "http://me:secret@127.0.0.1:9")
    with pytest.raises(ApiError) as caught:
        Http("http://github.invalid", "http://github.invalid/g", TOKEN, sleep=naps).get("/x")
    assert "secret" not in str(caught.value) and caught.value.__cause__ is None

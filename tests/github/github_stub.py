"""A small GitHub on loopback: comments, issues and pull requests with paging, and answers that fail on demand.

It does what GitHub does where the emulators do not: 3,000 files, 422 for a long body, 403 for a token that may only read, limits,
5xx before or after the work is done.
"""

import copy
import io
import json
import re
import threading
import zipfile
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

BOT = {"login": "github-actions[bot]", "type": "Bot", "id": 41898282}
OTHER_BOT = {"login": "renovate[bot]", "type": "Bot", "id": 29139614}
HUMAN = {"login": "octocat", "type": "User", "id": 583231}
READ_ONLY = {
    "message": "Resource not accessible by integration",
    "documentation_url": "https://docs.github.com/rest",
    "status": "403",
}
REPO = "/repos/shop/store"
TOKEN = "ghs_0123456789abcdefghij"


@dataclass
class Fault:
    """An answer in place of the real one, ``times`` times; ``after``: the work is done all the same."""

    method: str
    path: str  # a pattern
    status: int
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 1
    after: bool = False
    drop: bool = False  # the connection is closed without an answer


@dataclass
class Asked:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: object
    status: int | None = None  # what was answered, where no fault was
    answer: object = None


class Stub:
    """The state, and the server. ``with Stub() as stub`` starts it."""

    def __init__(self):
        self.comments: list[dict] = []
        self.issues: list[dict] = []
        self.files: list[dict] = []
        self.pulls: list[dict] = []
        self.artifacts: list[dict] = []
        self.archives: dict[int, bytes] = {}
        self.faults: list[Fault] = []
        self.asked: list[Asked] = []
        self.me = BOT
        self.viewer: str | None = "github-actions[bot]"
        self.read_only = False
        self.elsewhere = ""  # the address where archives are kept
        self.before_post = lambda: None
        self._ids = 100
        self._on: dict[int, int] = {}  # the issue of each comment

    def __enter__(self):
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Handler,), {"stub": self}))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def environ(self) -> dict[str, str]:
        return {
            "GITHUB_API_URL": self.address, "GITHUB_GRAPHQL_URL": f"{self.address}/graphql", "GITHUB_REPOSITORY": "shop/store",
        }  # fmt: skip

    def comment(self, body, user=BOT, number=7):
        self._ids += 1
        made = {
            "id": self._ids, "body": body, "user": user, "html_url": f"https://git.example.org/c/{self._ids}",
        }  # fmt: skip
        self.comments.append(made)
        self._on[self._ids] = number
        return made

    def issue(self, body, user=BOT, labels=("plugin-eval",), **more):
        number = max((issue["number"] for issue in self.issues), default=0) + 1
        made = {
            "number": number, "id": 9_000 + number, "title": "t", "body": body, "user": user, "state": "open", "state_reason": None,
            "html_url": f"https://git.example.org/i/{number}", "labels": [{"name": name} for name in labels], **more,
        }  # fmt: skip
        self.issues.append(made)
        return made

    def asked_for(self, method, part="") -> list[Asked]:
        return [one for one in self.asked if one.method == method and part in one.path]

    # -- what it answers: (status, body) or (status, body, headers)

    def answer(self, asked: Asked):
        routes = [
            ("GET", rf"{REPO}/issues/(\d+)/comments", self._get_comments), ("POST", rf"{REPO}/issues/(\d+)/comments", self._post_comment),
            ("PATCH", rf"{REPO}/issues/comments/(\d+)", self._patch_comment), ("DELETE", rf"{REPO}/issues/comments/(\d+)", self._delete_comment),
            ("GET", rf"{REPO}/issues", self._get_issues), ("POST", rf"{REPO}/issues", self._post_issue),
            ("PATCH", rf"{REPO}/issues/(\d+)", self._patch_issue), ("GET", rf"{REPO}/pulls/(\d+)/files", self._get_files),
            ("GET", rf"{REPO}/pulls", self._get_pulls), ("GET", rf"{REPO}/actions/artifacts", self._get_artifacts),
            ("GET", rf"{REPO}/actions/runs/(\d+)/artifacts", self._get_artifacts), ("GET", rf"{REPO}/actions/artifacts/(\d+)/zip", self._get_zip),
            ("POST", "/graphql", self._graphql), ("GET", "/user", self._user),
        ]  # fmt: skip
        for method, pattern, does in routes:
            match = re.fullmatch(pattern, asked.path)
            if match and method == asked.method:
                if self.read_only and method != "GET" and asked.path != "/graphql":
                    return 403, READ_ONLY
                return does(asked, *match.groups())
        return 404, {"message": "Not Found"}

    def _paged(self, asked, items, wrap=None):
        size, page = int(asked.query.get("per_page", 30)), int(asked.query.get("page", 1))
        part = items[(page - 1) * size : page * size]
        headers = {}
        if page * size < len(items):
            more = "&".join(f"{key}={value}" for key, value in {**asked.query, "page": page + 1}.items())
            last = -(-len(items) // size)
            headers["Link"] = (
                f'<{self.address}{asked.path}?{more}>; rel="next", <{self.address}{asked.path}?page={last}>; rel="last"'
            )
        return 200, part if wrap is None else {"total_count": len(items), wrap: part}, headers

    def _get_comments(self, asked, number):
        return self._paged(asked, [one for one in self.comments if self._on[one["id"]] == int(number)])

    def _post_comment(self, asked, number):
        self.before_post()
        if len(asked.body["body"]) > 65_536:
            return 422, {
                "message": "Validation Failed",
                "errors": [{"message": "body is too long (maximum is 65536 characters)"}],
            }
        return 201, self.comment(asked.body["body"], self.me, int(number))

    def _one_comment(self, number):
        return next(one for one in self.comments if one["id"] == int(number))

    def _patch_comment(self, asked, number):
        self._one_comment(number)["body"] = asked.body["body"]
        return 200, self._one_comment(number)

    def _delete_comment(self, asked, number):
        self.comments.remove(self._one_comment(number))
        return 204, None

    def _get_issues(self, asked):
        wanted = asked.query.get("state", "open")
        found = [one for one in self.issues if wanted in ("all", one["state"])]
        if label := asked.query.get("labels"):
            found = [one for one in found if label in [entry["name"] for entry in one["labels"]]]
        if creator := asked.query.get("creator"):
            found = [one for one in found if one["user"]["login"] == creator]
        return self._paged(asked, found)

    def _post_issue(self, asked):
        self.before_post()
        return 201, self.issue(asked.body["body"], self.me, asked.body["labels"], title=asked.body["title"])

    def _patch_issue(self, asked, number):
        found = next(one for one in self.issues if one["number"] == int(number))
        found.update(asked.body)
        return 200, found

    def _get_files(self, asked, number):
        return self._paged(asked, self.files[:3_000])

    def _get_pulls(self, asked):
        return self._paged(asked, self.pulls)

    def _get_artifacts(self, asked, run=None):
        found = [one for one in self.artifacts if run is None or one["workflow_run"]["id"] == int(run)]
        return self._paged(
            asked, [one for one in found if one["name"] == asked.query.get("name", one["name"])], "artifacts"
        )

    def _get_zip(self, asked, number):
        if self.elsewhere:
            return 302, None, {"Location": f"{self.elsewhere}/kept/{number}?sig=secret"}
        return 200, self.archives[int(number)]

    def _graphql(self, asked):
        return (200, {"data": {"viewer": {"login": self.viewer}}}) if self.viewer else (403, READ_ONLY)

    def _user(self, asked):
        return (200, self.me) if self.me["type"] == "User" else (403, READ_ONLY)


class Handler(BaseHTTPRequestHandler):
    stub: Stub
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        parts = urlsplit(self.path)
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = Asked(
            self.command, parts.path, dict(parse_qsl(parts.query)), {k.lower(): v for k, v in self.headers.items()},
            json.loads(data) if data else None,
        )  # fmt: skip
        self.stub.asked.append(asked)
        fault = next(
            (one for one in self.stub.faults if one.method == self.command and re.fullmatch(one.path, parts.path)), None
        )
        if fault is not None:
            fault.times -= 1
            if not fault.times:
                self.stub.faults.remove(fault)
        answer = self.stub.answer(asked) if fault is None or fault.after else ()
        if fault is None:
            asked.status, asked.answer = answer[0], copy.deepcopy(answer[1])
        if fault is not None and fault.drop:
            self.close_connection = True
            return
        if fault is not None:
            answer = (fault.status, fault.body, fault.headers)
        self.reply(*answer)

    do_POST = do_PATCH = do_DELETE = do_GET  # noqa: N815

    def reply(self, status, body, headers=None):
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def zipped(**files: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return data.getvalue()

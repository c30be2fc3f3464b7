"""A GitHub of one repository, acme/kit, for the action under act: what the emulator lacks (files, artifacts, a token that cannot write)."""

from __future__ import annotations

import io
import json
import re
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

READ_ONLY = "ghs_readonly_token_0000"
WRITER = "ghs_writing_token_00000"
BOT = {"login": "github-actions[bot]", "type": "Bot"}


class Stub:
    """``comments`` and ``issues`` are what was written; ``asked`` every request, with the token's name."""

    def __init__(self) -> None:
        self.comments: list[dict[str, object]] = []
        self.issues: list[dict[str, object]] = []
        self.files: list[dict[str, str]] = []
        self.pulls: list[dict[str, object]] = []
        self.artifacts: dict[int, tuple[str, bytes]] = {}
        self.asked: list[str] = []
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def _serve(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length)) if length else {}
                status, answer = stub.answer(self.command, self.path, self.headers.get("Authorization", ""), body)
                data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.send_header("Content-Type", "application/json; charset=utf-8")
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, method: str, path: str, authorization: str, body: dict[str, object]) -> tuple[int, object]:
        place = path.partition("?")[0].removeprefix("/repos/acme/kit")
        self.asked.append(f"{method} {place}")
        if method != "GET" and READ_ONLY in authorization and place != "/graphql":
            return 403, {"message": "Resource not accessible by integration"}
        if place == "/graphql":
            return 200, {"data": {"viewer": {"login": "github-actions[bot]"}}}
        if place == "/issues" and method == "POST":
            return 201, self._new(self.issues, body)
        if re.fullmatch(r"/issues/\d+/comments", place):
            return (200, self.comments) if method == "GET" else (201, self._new(self.comments, body))
        if found := re.fullmatch(r"/issues/comments/(\d+)", place):
            comment = next(one for one in self.comments if one["id"] == int(found[1]))
            return 200, comment | body if comment.update(body) is None else {}
        if found := re.fullmatch(r"/actions/artifacts/(\d+)/zip", place):
            return 200, self.artifacts[int(found[1])][1]
        lists = {"/issues": self.issues, "/pulls": self.pulls, "/pulls/7/files": self.files}
        if place in lists:
            return 200, lists[place]
        if place.endswith("/artifacts"):
            return 200, {"artifacts": [self._artifact(number) for number in self.artifacts]}
        return 404, {"message": "Not Found"}

    def _new(self, kept: list[dict[str, object]], body: dict[str, object]) -> dict[str, object]:
        number = len(kept) + 1
        kept.append(
            {
                "id": number,
                "number": number,
                "html_url": f"https://github.example/{number}",
                "user": BOT,
                "state": "open",
                **body,
            }
        )
        return kept[-1]

    def keep(self, number: int, name: str, report: bytes) -> None:
        """An artifact that holds a report.json."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("report.json", report)
        self.artifacts[number] = (name, stream.getvalue())

    def _artifact(self, number: int) -> dict[str, object]:
        name, data = self.artifacts[number]
        run = {"id": 99, "head_branch": "main", "repository_id": 1, "head_repository_id": 1}
        return {
            "id": number,
            "name": name,
            "size_in_bytes": len(data),
            "expired": False,
            "created_at": "2026-11-23T00:00:00Z",
            "workflow_run": run,
        }

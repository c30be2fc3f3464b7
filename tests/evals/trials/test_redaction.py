"""What leaves a recorded session, and what does not."""

from __future__ import annotations

import time

import pytest

from plugin_eval_ci.evals.traces.tally import SHORTENED, first_line, redact

KEY = "sk-ant-api03-" + "Ab3d" * 20


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"use {KEY} now", "use [secret] now"),
        ("ghp_" + "aB3" * 12, "[secret]"),
        ("AKIA" + "QWERTYUIOPASDFGH", "[secret]"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijk", "[secret]"),
        ("Authorization: Bearer abcd.efgh", "Authorization: Bearer [secret]"),
        ("PASSWORD=hunter22 and", "PASSWORD=[secret] and"),
        ('api_key: "k-12345"', "api_key: [secret]\""),
        ("postgres://bob:pw@db/x", "postgres://[secret]@db/x"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nx", "[secret]\nx"),
        ("-----BEGIN PRIVATE KEY-----\nabc", "[secret]"),
        ("mail bob.smith+x@shop.example.com!", "mail [e-mail]!"),
        ("/home/bob/x /Users/Al Smith", "/home/[user]/x /Users/[user] Smith"),
        (r"C:\Users\bob\x", r"C:\Users\[user]\x"),
        ("C:\\\\Users\\\\bob\\\\x", "C:\\\\Users\\\\[user]\\\\x"),
        ("at 10.1.2.3:80", "at [address]:80"),
        ("call +49 170 1234567 now", "call [number] now"),
        ("card 4111 1111 1111 1111", "card [number]"),
        ("order 123456789", "order [number]"),
        ("commit 0123456789abcdef0123456789abcdef01234567", "commit [token]"),
        ("id 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "id [token]"),
    ],
)  # fmt: skip
def test_what_is_taken_out(text: str, shown: str) -> None:
    assert redact(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "how many are left in row 12", "port 8080, 99.5 %", "version 1.2.3 of x-y", "a@b", "@alice look", "see /home and /Users", "x = y * 2",
        "the token ring", "password reset page", "src/homepage/a.py", "sk-learn is fine", "api-gateway", "in 2026", "supercalifragilisticexpialidocious",
        "a-very-long-name-of-a-branch-in-words-only", "倉庫に残っている商品の数", "100,000 rows", "f(x)[3]", "",
    ],
)  # fmt: skip
def test_what_stays(text: str) -> None:
    assert redact(text) == text


def test_the_first_line() -> None:
    assert first_line("\n  \n how   many \nmore") == "how many"
    assert first_line("") == "" == first_line(" \n ")
    assert len(first_line("ab " * 500)) == SHORTENED
    assert KEY[20:] not in first_line("x" * 150 + " " + KEY)


@pytest.mark.parametrize(
    "piece",
    ["a", "1", "1 ", "a1", "@", "a.", "eyJ", "-----BEGIN PRIVATE KEY-----", "://", "/home/", "token=", "1.", "-", "_"],
)
def test_it_takes_no_long_time(piece: str) -> None:
    started = time.monotonic()
    redact((piece * 100_000)[:100_000])
    assert time.monotonic() - started < 5

"""``plugin-eval triggers init`` against a server of our own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plugin_eval_ci import cli
from plugin_eval_ci.evals.trials.values import Labels
from tests.evals.trials.conftest import found_in
from tests.evals.trials.test_drafting import NEGATIVE, POSITIVE, truth
from tests.fake_messages import KEY, Fail, FakeMessages, Say, Seen

pytest.importorskip("anthropic")
STOCK = "shop/skills/stock-report"
FILE = f"{STOCK}/evals/triggers.yaml"
Run = Callable[..., tuple[int, str, str]]


def labelled(seen: Seen) -> Say:
    texts = [json.loads(one) for one in re.findall(r"^\| \d+\. (.+)$", seen.prompt, re.MULTILINE)]
    rows = [{"number": at, "reason": "so", "right": truth(text)} for at, text in enumerate(texts, 1)]
    return Say(json.dumps({"labels": rows}))


@pytest.fixture
def fake() -> Iterator[FakeMessages]:
    with FakeMessages(KEY) as server:
        server.on(Say(json.dumps({"prompts": POSITIVE})), purpose="labels:positives")
        server.on(Say(json.dumps({"prompts": NEGATIVE})), purpose="labels:negatives")
        server.on(labelled, purpose="labels:blind")
        yield server


@pytest.fixture
def root(shop: Callable[..., Path], inside: Callable[[Path], None]) -> Path:
    place = shop({})
    inside(place)
    return place


@pytest.fixture
def run(
    root: Path, fake: FakeMessages, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Run:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    monkeypatch.setenv("PLUGIN_EVAL_CACHE", str(tmp_path / "cache"))

    def call(*words: str) -> tuple[int, str, str]:
        code = cli.run(["triggers", "init", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def stock(root: Path) -> Labels:
    return next(one for one in found_in(root).labels if one.skill == "shop:stock-report")


def test_a_file_is_drafted_that_can_be_read(root: Path, run: Run) -> None:
    code, out, err = run(STOCK, "--date", "2026-11-30")
    assert (code, out) == (0, "")
    assert f"wrote 24 prompts to {FILE}" in err and "not reviewed by a person" in err
    labels = stock(root)
    assert len(labels.prompts) == 24 and not labels.reviewed
    text = (root / FILE).read_text()
    assert "# Not reviewed yet." in text and "write your name behind `reviewed_by:`" in text
    assert '@2026-11-30"' in text


def test_reviewing_it_does_not_change_what_is_measured(root: Path, run: Run) -> None:
    run(STOCK)
    before = stock(root)
    file = root / FILE
    file.write_text(file.read_text().replace("reviewed_by: \n", "reviewed_by: alice\n"))
    after = stock(root)
    assert after.reviewed and after.digest == before.digest


def test_nothing_is_written_over_and_nothing_is_asked(root: Path, run: Run, fake: FakeMessages) -> None:
    (root / FILE).parent.mkdir()
    (root / FILE).write_text("mine")
    code, _, err = run(STOCK)
    assert code == 2 and "already exists; use --force to overwrite it" in err
    assert fake.seen == [] and (root / FILE).read_text() == "mine"
    assert run(STOCK, "--force")[0] == 0
    assert "schema: 1" in (root / FILE).read_text()


def test_standard_output(root: Path, run: Run) -> None:
    code, out, _ = run(STOCK, "--output", "-")
    assert code == 0 and out.startswith("# Which prompts") and "schema: 1\nskill: stock-report\n" in out
    assert not (root / FILE).exists()


def test_several_skills(root: Path, run: Run, fake: FakeMessages) -> None:
    (root / FILE).parent.mkdir()
    (root / FILE).write_text("mine")
    assert run("shop", "--output", "x.yaml")[0] == 2
    code, _, err = run("shop")
    assert "shop:stock-report: skipped: it already has labels" in err
    assert (root / FILE).read_text() == "mine"
    assert code == 3 and "shop:price-list: no labels could be drafted" in err  # the server labels for the other skill


def test_an_estimate_sends_nothing(run: Run, fake: FakeMessages, root: Path) -> None:
    code, out, _ = run(STOCK, "--estimate")
    assert code == 0 and fake.seen == [] and not (root / FILE).exists()
    assert re.match(rf"{STOCK}: 3 calls to \S+, \S+, about [\d,]+ input tokens; about \$", out)


def test_a_cassette_is_recorded_and_replayed(
    root: Path, run: Run, fake: FakeMessages, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(STOCK, "--output", "-", "--cassette", "tape", "--record")[0] == 0
    first = run(STOCK, "--output", "-", "--cassette", "tape", "--replay", "--date", "2026-11-30")
    asked = len(fake.seen)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    assert run(STOCK, "--output", "-", "--cassette", "tape", "--replay", "--date", "2026-11-30") == first
    assert first[0] == 0 and len(fake.seen) == asked
    code, out, err = run(STOCK, "--output", "-", "--cassette", "tape", "--replay", "--seed", "1")
    assert (code, out) == (3, "") and "stale: 2 answers are not recorded" in err


def test_an_outage_is_exit_3_and_no_file(
    root: Path, run: Run, fake: FakeMessages, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.on(Fail(400, "no"), purpose="labels:blind")
    code, out, err = run(STOCK)
    assert (code, out) == (3, "") and "no labels could be drafted" in err
    assert not (root / FILE).exists()
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.delenv("ANTHROPIC_BASE_URL")
    assert run(STOCK)[0] == 3


def test_a_cap_holds(run: Run, fake: FakeMessages) -> None:
    code, _, err = run(STOCK, "--max-cost", "0.000001")
    assert code == 3 and "budget" in err and not [seen for seen in fake.seen if seen.prompt]


def test_no_skill(run: Run, root: Path) -> None:
    assert run("gone")[0] == 2
    (root / "empty").mkdir()
    assert run("empty")[0] == 2

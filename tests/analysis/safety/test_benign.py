"""What must stay silent: documentation of attacks, deny lists, placeholders, installers in fences, scripts that need such characters."""

from pathlib import Path

import pytest
from safety_trees import found_in

TEXTS = sorted((Path(__file__).parent / "benign").iterdir())


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.name)
def test_nothing_is_said_of_a_benign_text(text, tmp_path):
    assert [(f.rule, f.line, f.message) for f in found_in(tmp_path, text.name, text.read_text("utf-8"))] == []


def test_the_rate_of_false_findings_is_zero(tmp_path, capsys):
    spoken = [text.name for text in TEXTS if found_in(tmp_path / text.name, text.name, text.read_text("utf-8"))]
    with capsys.disabled():
        print(
            f"\nsafety: {len(spoken)} of {len(TEXTS)} benign texts flagged, false-positive rate {len(spoken) / len(TEXTS):.1%}"
        )
    assert len(TEXTS) >= 40
    assert spoken == []

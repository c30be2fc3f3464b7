"""Documents within a number of bytes: whole rows, closed blocks, nobody starved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin_eval_ci.report.size_limit import Block, fit_blocks, size
from plugin_eval_ci.report.size_limit import write_rows as rows_for


def rows(count: int, text: str = "row") -> tuple[str, ...]:
    return tuple(f"- {text} {number}" for number in range(count))


@pytest.mark.parametrize("limit", [60_000, 1_000])
def test_what_fits_is_whole(limit):
    said = fit_blocks((Block("Head"), Block("Table", rows(3), "End"), Block("Foot")), limit)
    assert said == "Head\n\nTable\n- row 0\n- row 1\n- row 2\nEnd\n\nFoot\n"
    assert "more" not in said


def test_whole_rows_are_left_out_and_counted():
    said = fit_blocks((Block("Head", rows(1_000), "</details>"),), 200)
    lines = said.rstrip("\n").split("\n")
    assert lines[0] == "Head" and lines[-1] == "</details>"
    shown = [line for line in lines if line.startswith("- row")]
    assert shown == list(rows(len(shown))) and shown
    assert lines[-2] == f"… {1_000 - len(shown):,} more"
    assert 170 < size(said) <= 200


def test_a_block_of_which_no_row_fits_is_only_counted():
    said = fit_blocks((Block("Head"), Block("<details>", ("x" * 500,), "</details>")), 100)
    assert said == "Head\n\n… 1 more\n"


def test_a_long_block_does_not_starve_a_short_one():
    said = fit_blocks((Block("A", rows(10_000)), Block("B", rows(5, "other"))), 2_000)
    assert all(row in said for row in rows(5, "other"))
    assert "more" in said


def test_two_long_blocks_share_by_weight():
    said = fit_blocks((Block("A", rows(10_000), share=3), Block("B", rows(10_000, "other"))), 8_000)
    first, second = said.count("- row"), said.count("- other")
    assert 2 < first / second < 5
    assert size(said) > 7_800


def test_too_small_a_limit_is_said():
    with pytest.raises(ValueError, match="5 bytes are the least, and 4 are allowed"):
        fit_blocks((Block("Head"),), 4)


def test_nothing():
    assert fit_blocks((), 10) == "\n"


TEXT = st.text(st.characters(exclude_characters="\n"), min_size=1, max_size=30)


@given(
    st.lists(st.tuples(TEXT, st.lists(TEXT, max_size=30), TEXT, st.integers(1, 4)), max_size=5), st.integers(200, 3_000)
)
def test_never_longer_and_always_closed(parts, limit):
    blocks = [
        Block(f"<{head}", tuple(f"-{row}" for row in lines), f"{foot}>", share=share)
        for head, lines, foot, share in parts
    ]
    try:
        said = fit_blocks(blocks, limit)
    except ValueError:
        assert sum(size(block.head + block.foot) for block in blocks) > limit / 2
        return
    assert len(said.encode("utf-8", "surrogatepass")) <= limit
    left = said[:-1]
    for block in blocks:
        whole = "\n".join([block.head, *block.rows, block.foot])
        if left.startswith(whole):
            left = left[len(whole) :].removeprefix("\n\n")
            continue
        shown = next((n for n in range(len(block.rows) - 1, -1, -1) if left.startswith(cut := written(block, n))), None)
        assert shown is not None
        left = left[len(cut) :].removeprefix("\n\n")
    assert not left


def written(block: Block, count: int) -> str:
    more = block.more(len(block.rows) - count)
    return "\n".join([block.head, *block.rows[:count], more, block.foot]) if count else more


@pytest.mark.parametrize("limit", [1_000, 60_000])
def test_only_rows_that_may_have_room_are_rows_for(limit):
    asked = []

    def write(number):
        asked.append(number)
        return f"- this is row {number:,}"

    shown, hidden = rows_for(range(50_000), limit, write)
    said = fit_blocks((Block("Head", shown, hidden=hidden), Block("Foot")), limit)
    assert len(asked) <= limit // 16 + 1 and hidden == 50_000 - len(asked)
    assert said == fit_blocks((Block("Head", tuple(map(write, range(50_000)))), Block("Foot")), limit)


def test_few_rows_are_all_rows_for():
    assert rows_for([1, 2], 1_000, str) == (("1", "2"), 0)

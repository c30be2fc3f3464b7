"""Who does what: every piece once, shares of nearly the same size, few pieces that move when one is added."""

import random

from plugin_eval_ci.survey.run import shares_of


def pieces(count, seed=1):
    luck = random.Random(seed)
    return [(f"plugins/p{n}", int(luck.lognormvariate(9, 1))) for n in range(count)]


def loads(some, count):
    found = [0] * count
    for (_, size), share in zip(some, shares_of(some, count), strict=True):
        found[share] += size
    return found


def test_one_share_has_everything():
    assert shares_of(pieces(5), 1) == [0] * 5
    assert shares_of([], 4) == []


def test_the_order_of_the_pieces_does_not_matter():
    some = pieces(200)
    before = dict(zip([name for name, _ in some], shares_of(some, 8), strict=True))
    random.Random(2).shuffle(some)
    assert dict(zip([name for name, _ in some], shares_of(some, 8), strict=True)) == before


def test_shares_are_balanced_by_size():
    some = pieces(3_000)
    mean = sum(size for _, size in some) / 8
    found = loads(some, 8)
    assert max(found) <= 1.031 * mean and min(found) >= 0.9 * mean


def test_a_piece_larger_than_a_share_has_one_for_itself_or_nearly():
    some = [("large", 1_000_000), *pieces(50)]
    assert max(loads(some, 8)) <= 1_000_000 + max(size for _, size in some[1:])
    assert shares_of([("a", 0), ("b", 0)], 3) is not None


def test_a_new_piece_moves_few_others():
    some = pieces(1_000)
    names = [name for name, _ in some]
    before = dict(zip(names, shares_of(some, 8), strict=True))
    moved = []
    for n in range(10):
        after = dict(zip([*names, "new"], shares_of([*some, (f"new {n}", 20_000)], 8), strict=True))
        moved.append(sum(before[name] != after[name] for name in names))
    assert sum(moved) / len(moved) < 30  # of a thousand; dealing them out in turn would move seven of eight


def test_a_piece_that_grows_a_little_keeps_its_place():
    some = pieces(500)
    before = shares_of(some, 6)
    some[250] = (some[250][0], some[250][1] + 40)
    assert sum(one != other for one, other in zip(before, shares_of(some, 6), strict=True)) <= 5

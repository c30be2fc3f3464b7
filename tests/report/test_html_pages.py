"""The HTML pages as text: one file that loads nothing, every word of the input escaped, whole within its limit."""

import base64
import hashlib
import html
import re
from html.parser import HTMLParser

import pytest
from surveys import finding, sample, sample_before, survey, target

from plugin_eval_ci.model import Severity
from plugin_eval_ci.report.page import plots, shell
from plugin_eval_ci.report.score import html as score_html
from plugin_eval_ci.report.survey import html as survey_html
from plugin_eval_ci.survey.report import Market, Past
from plugin_eval_ci.survey.since import since_of

HOSTILE = "</title></style></script><script>alert(1)</script><img src=x onerror=alert(1)>\x1b[31m\u202e'\"&\udc80\n<!--"
VOID = {"meta", "link", "input"}
DRAWN = {"path", "rect", "circle"}
LOADS = {
    "src",
    "srcset",
    "action",
    "formaction",
    "data",
    "poster",
    "background",
    "style",
    "ping",
    "http-equiv",
    "xlink:href",
}


class Page(HTMLParser):
    """Reads a page, and fails where an element is not closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.raw: dict[str, str] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in DRAWN
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("style", "script"):
            self.raw[self.open[-1]] = data
        else:
            self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def whole() -> str:
    return survey_html.render(sample(), since_of(sample_before(), sample()))


@pytest.fixture
def pages(reports) -> dict[str, str]:
    """Every kind of page by a name."""
    made = {f"score {name}": score_html.render(report, "2026-11-30") for name, report in reports.items()}
    return made | {"first": survey_html.render(sample()), "later": whole(), "empty": survey_html.render(survey())}


def test_every_page_is_closed_and_loads_nothing(pages):
    for name, text in pages.items():
        page = Page(text)
        for tag, attributes in page.tags:
            found = set(attributes) & LOADS
            assert found <= {"http-equiv"} and (not found or tag == "meta"), (name, tag, attributes)
            assert not any(key.startswith("on") for key in attributes), (name, tag)
            href = attributes.get("href")
            assert href is None or href.startswith(("#", "data:image/svg+xml,")), (name, href)
        assert len(page.all("script")) == len(page.all("style")) == 1
        assert "http:" not in text.replace("http://www.w3.org/2000/svg", "") and "https:" not in text
        assert "url(" not in page.raw["style"] and "@import" not in page.raw["style"]


def test_the_policy_lets_only_this_style_and_script_in(pages):
    for text in pages.values():
        page = Page(text)
        policy = next(row["content"] for row in page.all("meta") if row.get("http-equiv") == "Content-Security-Policy")
        assert policy is not None and policy.startswith("default-src 'none'; ")
        for tag in ("style", "script"):
            digest = base64.b64encode(hashlib.sha256(page.raw[tag].encode()).digest()).decode()
            assert f"{tag}-src 'sha256-{digest}';" in policy
        assert "unsafe" not in policy


def test_ids_are_there_once_and_links_lead_to_them(pages):
    for text in pages.values():
        page = Page(text)
        ids = [row["id"] for _, row in page.tags if "id" in row]
        assert len(ids) == len(set(ids))
        targets = {(row.get("href") or "")[1:] for row in page.all("a")} | {row.get("for") for row in page.all("label")}
        targets |= {row["aria-labelledby"] for _, row in page.tags if "aria-labelledby" in row}
        assert targets <= set(ids)


def test_the_report_says_what_it_knows():
    page = Page(whole())
    said = re.sub(r"\s+", " ", page.text)
    for words in (
        "acme/shelf", "2026-11-30", "depth quick", "Estimated", "Since 2026-11-23", "79.50 → 74.25", "−5.25", "+3.00",
        "Not measured: it brings only commands", "@acme/shop", "LISTING_BUDGET", "1 warning",
        "triggering accuracy 75", "installed 40, when used 400, with all files 900", "70.50 on 2026-11-16",
        "from plugins/shop/skills/tags/SKILL.md", "skills/old/SKILL.md",
    ):  # fmt: skip
        assert words in said, words
    kinds = [row["data-k"] for row in page.all("tbody") if "data-k" in row]
    assert len(kinds) == len(sample().targets)


def test_the_worst_comes_first_and_the_unmeasured_last():
    names = re.findall(r'<tbody id="t\d+"[^>]*><tr><th scope="row">([^<]+)', survey_html.render(sample()))
    assert (
        names[0].startswith("&lt;img") and names[1:3] == ["alone", "counting"] and set(names[-2:]) == {"till", "broken"}
    )


def test_a_first_report_has_no_change_and_no_trend_of_one_point():
    text = survey_html.render(sample()._replace(history=()))
    assert "Since" not in Page(text).text and "Change</th>" not in text and "Mean score over time" not in text
    assert "Change</th>" in whole() and "Mean score over time" in whole()


def test_scores_that_cannot_be_compared_are_not_compared():
    since = since_of(sample_before()._replace(methodology="other/1"), sample())
    text = Page(survey_html.render(sample(), since)).text
    assert (
        "Scores cannot be compared: the earlier report used other/1" in text
        and "Worse" not in text
        and "−5.25" not in text
    )


@pytest.mark.parametrize(
    "field", ["name", "path", "owners", "reason", "findings", "plugin", "dimensions", "kind", "grade", "badge"]
)
def test_a_hostile_target_is_text_only(field):
    values = {
        "owners": (HOSTILE,), "findings": (finding(HOSTILE, HOSTILE, message=HOSTILE)._replace(fix=HOSTILE),),
        "dimensions": ((HOSTILE, 0.5),),
    }  # fmt: skip
    base = target("skills/a/SKILL.md", None if field == "reason" else 50.0)
    evil = base._replace(**{field: values.get(field, HOSTILE)})
    old = survey(evil._replace(score=70.0), target(HOSTILE, 10.0, name=HOSTILE), date="2026-11-23")
    now = survey(
        evil, target("plugins/x", 10.0, "plugin", name=HOSTILE), findings=[finding(HOSTILE, HOSTILE, message=HOSTILE)]
    )
    whole = now._replace(
        name=HOSTILE, notes=(HOSTILE,), history=(Past(HOSTILE, 50.0, 1, 1, 1), Past("2026-11-23", 51.0, 1, 1, 1))
    )
    text = survey_html.render(whole, since_of(old, whole))
    page = Page(text)
    known = Page(survey_html.render(sample(), since_of(sample_before(), sample())))
    assert {tag for tag, _ in page.tags} <= {tag for tag, _ in known.tags}
    assert not page.all("img") and len(page.all("script")) == 1
    assert "<script>alert(1)" in page.text and "\x1b" not in text and "\u202e" not in text and "\udc80" not in text
    text.encode()


def test_a_hostile_score_is_text_only(reports):
    plain = reports["label-print"]
    found = tuple(one._replace(path=HOSTILE, message=HOSTILE, fix=HOSTILE, target=HOSTILE) for one in plain.findings)
    evil = plain._replace(name=HOSTILE, path=HOSTILE, notes=(HOSTILE,), findings=found, anti_patterns=found)
    plugin = reports["shop"]._replace(members=(evil,), name=HOSTILE, findings=found, anti_patterns=found)
    known = {tag for report in reports.values() for tag, _ in Page(score_html.render(report, "2026-11-30")).tags}
    for report in (evil, plugin):
        page = Page(score_html.render(report, "2026-11-30"))
        assert {tag for tag, _ in page.tags} <= known and not page.all("img")
        assert page.text.isprintable() or not re.search("[\x1b\u202e]", page.text)


def test_the_limit_leaves_out_the_details_of_the_best_and_says_so():
    many = [finding("BODY_TODO", f"s/{at}/SKILL.md", line=line) for at in range(1) for line in range(30)]
    report = survey(*(target(f"skills/s{at:03d}/SKILL.md", at / 10, findings=many) for at in range(300)))
    full = survey_html.render(report)
    assert "left out" not in Page(full).text
    for limit in (len(full) // 2, len(full) // 6):
        text = survey_html.render(report, limit=limit)
        assert len(text.encode()) <= limit + 20_000 and Page(text)
        assert "left out; the JSON report has them" in Page(text).text
        # The row of every target is kept as long as it fits, details go to the worst.
        first, last = text.split('<tbody id="t')[1], text.split('<tbody id="t')[-1]
        assert "BODY_TODO" in first and "BODY_TODO" not in last
    assert text.count("<tbody id=") == 300
    small = survey_html.render(report, limit=60_000)
    assert 0 < small.count("<tbody id=") < 300 and "rows are left out" in Page(small).text


def test_only_the_first_hundred_wait_for_no_one():
    text = survey_html.render(survey(*(target(f"skills/s{at:03d}/SKILL.md", 50.0) for at in range(130))))
    assert text.count(' class="z" data-k') == 30 and text.count("<tbody id=") == 130


def test_findings_of_a_target_come_worst_first():
    found = [
        finding("SKILL_LONG", line=1, severity=Severity.NOTICE),
        finding("NAME_TYPE", line=9, severity=Severity.ERROR),
    ]
    text = survey_html.render(survey(target("plugins/shop/skills/counting/SKILL.md", findings=found)))
    assert text.index("NAME_TYPE") < text.index("SKILL_LONG") and "1 error, 1 more" in text and "line 9" in text


def test_a_shard_says_which_part_it_is():
    from plugin_eval_ci.survey.report import Shard

    assert "Part 2 of 8." in survey_html.render(sample()._replace(shards=(Shard(2, 8),)))


def test_a_marketplace_says_what_its_list_takes():
    listing = sample().targets[-1].listing or next(one.listing for one in sample().targets if one.listing)
    text = survey_html.render(sample()._replace(markets=(Market(".claude-plugin/marketplace.json", listing),)))
    assert "Skill listings" in text and ".claude-plugin/marketplace.json" in text
    assert "Skill listings" not in survey_html.render(sample())


def test_two_plugins_of_one_folder_have_two_rows():
    both = survey(*(target(".", 50.0 + at, "plugin", name=name) for at, name in enumerate("ab")))
    page = Page(survey_html.render(both, since_of(both, both)))
    assert [row["id"] for row in page.all("tbody") if "id" in row] == ["t1", "t2"]


def test_the_same_report_is_the_same_page():
    assert whole() == whole()


@pytest.mark.parametrize(
    ("scores", "heights"),
    [([0.0], 1), ([100.0, 99.9], 1), ([59.99, 60.0], 2), ([0, 5, 10, 90], 4), ([], 0)],
)
def test_histogram(scores, heights):
    assert plots.histogram(scores, "skill", "skills").count("<rect ") == heights


@pytest.mark.parametrize(
    ("difference", "shown"),
    [(0.0, "±0"), (0.004, "+&lt;0.01"), (-0.004, "−&lt;0.01"), (0.01, "+0.01"), (-5.25, "−5.25"), (None, "—")],
)
def test_a_change_has_its_sign(difference, shown):
    assert re.sub(r"</?span[^>]*>", "", shell.signed_gain(difference)) == shown


def test_histogram_in_words():
    text = html.unescape(plots.histogram([95.0, 74.0, 61.0, 12.0], "skill", "skills"))
    assert (
        "4 skills: median 67.50, lowest 12.00, highest 95.00. platinum 1, gold 0, silver 1, bronze 1, no badge 1."
        in text
    )
    assert (
        '<rect class="platinum"' in text
        and '<rect class="no_badge"' in text
        and 'role="img" aria-label="Scores of skills.' in text
    )


def test_trend():
    week = [("2026-11-02", 70.0), ("2026-11-09", None), ("2026-11-16", 80.0), ("2026-11-23", 75.0)]
    text = plots.trend(week)
    assert text.count("<circle ") == 3 and "70.00 on 2026-11-02, 75.00 on 2026-11-23; 3 reports." in text
    line = re.search(r'class="line" d="M([^"]+)"', text)
    assert line is not None
    xs = [float(word) for word in line[1].split(" ")[::2]]
    assert xs[2] - xs[1] == pytest.approx((xs[1] - xs[0]) / 2, abs=0.2)  # a missing week is a gap
    assert plots.trend([("2026-11-02", 70.0)]) == plots.trend([]) == plots.trend([("a", None), ("b", None)]) == ""


@pytest.mark.parametrize("days", [("x", "y"), ("2026-11-23", "2026-11-16"), ("2026-11-16", "2026-11-16")])
def test_a_trend_of_odd_days_is_drawn_step_by_step(days):
    text = plots.trend([(day, 50.0) for day in days])
    assert text.count("<circle ") == 2 and "nan" not in text

"""The edges of the functions, and the time they take on hostile text."""

import time
from collections.abc import Callable

import pytest

from plugin_eval_ci import languages
from plugin_eval_ci.languages import LANGUAGES, Trigger, count_cjk, is_supported, trigger, weighted_length
from plugin_eval_ci.languages.reading import compiled, fold

FUNCTIONS = [
    getattr(languages, name)
    for name in languages.__all__
    if name not in {"LANGUAGES", "Language", "Trigger", "language_of"}
]
HOSTILE = (
    "use ",
    "output ",
    "a,",
    "use this ",
    "use when ",
    "do not use when ",
    "when the user ",
    "trigger ",
    "dispatch a ",
    "manage the workflow ",
    "format ",
    "gibt ",
    "cuando el usuario ",
    "quand on ",
    "wenn der nutzer ",
    "before ",
    ", do not ",
    "nicht verwenden ",
    "it is ",
    "run through this ",
    "当用户不要使用时",
    "とき、必ず",
    "사용자가 요청",
    "면 ",
    "当用户时",
    "时使用",
    "不要",
    "ユーザーが",
    "場合に",
    "때 ",
    "사용자가 ",
    '"',
    "“",
    "[",
    " ",
    "\n- ",
    "*",
    "e.g. ",
    "1,",
    "a-",
    "A",
    "İ",
)


def test_positions_are_those_of_the_text() -> None:
    text = "İstanbul depot. Zählt. Use  \n when a crate is lost."
    found = trigger(text)
    assert found == Trigger(23, 34, "en")
    assert text[found.start : found.end] == "Use  \n when"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Use when late.", "en"),
        ("Úsalo cuando falte.", "es"),
        ("Use quando faltar algo no estoque.", "pt"),
        ("À utiliser quand il manque une boîte.", "fr"),
        ("Verwenden, wenn etwas fehlt.", "de"),
        ("缺货时使用。", "zh"),
        ("不足のときに使用する。", "ja"),
        ("부족할 때 사용한다.", "ko"),
        ("缺货时使用。 Use when late.", "en"),
    ],
)
def test_the_answering_language(text: str, code: str) -> None:
    found = trigger(text)
    assert found is not None
    assert found.language == code


@pytest.mark.parametrize("text", ["", " ", "\n\n", "...", ",,,", "\ud800", "\x00"])
def test_nothing_in_nothing_out(text: str) -> None:
    assert trigger(text) is None
    assert not any(function(text) for function in FUNCTIONS if function not in {is_supported, weighted_length})


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("  tins ", 4),
        ("货架", 4),
        ("棚を数", 6),
        ("재고 a", 6),
        ("货，架。", 6),
        ("カー", 4),
        ("ｶﾞ", 3),
        ("𠮷", 2),
        ("é", 1),
        ("", 0),
    ],
)
def test_weighted_length(text: str, length: int) -> None:
    assert weighted_length(text) == length


def test_cjk_characters() -> None:
    assert count_cjk("货倉あアｱ한ㄱ々𠮷") == 9
    assert count_cjk("aé，。！「」・ 1") == 0
    assert count_cjk("货架 shelf 재고") == 4


@pytest.mark.parametrize(
    "text", ["", "Counts tins.", "Zählt Dosen.", "盘点货架", "棚 shelf", "Søren's tins", "Conta latas"]
)
def test_supported(text: str) -> None:
    assert is_supported(text)


@pytest.mark.parametrize(
    "text",
    [
        "Depo raflarını sayar ve eksikleri listeler.",
        "Raf sayimi ve etiket için bir rehber.",
        "Считает товар на полках склада.",
        "يعد الرفوف ويعرض النواقص.",
        "अलमारियों की गिनती करता है।",
        "Liczy półki oraz wypisuje braki, gdy brakuje puszek.",
        "Conta le scatole che sono nel deposito e gli scaffali.",
    ],
)
def test_unsupported(text: str) -> None:
    assert not is_supported(text)


def test_folding_keeps_the_length() -> None:
    for text in ("İİ", "Straße", "ÀÉÎ", "ﬀ", "当", "’"):
        assert len(fold(text)) == len(text)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_every_field_of_every_table_compiles(language: languages.Language) -> None:
    phrases = [field for field, value in language._asdict().items() if isinstance(value, tuple)]
    for field in phrases:
        compiled(language.code, field)


def _seconds(function: Callable[[str], object], text: str) -> float:
    best = float("inf")
    for turn in range(2):
        varied = text + " " * turn  # not the text that was kept from the turn before
        start = time.process_time()
        function(varied)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_grows_with_the_text_only(unit: str) -> None:
    """Four times the text may take four times as long, never sixteen times."""
    short, long = (unit * (size // len(unit)) for size in (8_000, 32_000))
    for function in FUNCTIONS:
        function(unit)
        quick = max(_seconds(function, short), 0.002)
        assert _seconds(function, long) < 10 * quick, function.__name__


# --- the language of a text, and what is advised in it ---


@pytest.mark.parametrize("language", languages.LANGUAGES, ids=lambda language: language.code)
def test_what_is_advised_is_a_trigger(language: languages.Language) -> None:
    situation = {"zh": "用户询问库存", "ja": "在庫を聞かれた", "ko": "재고를 물을"}.get(language.code, "Lima")
    begun = language.opening.replace("…", situation) if "…" in language.opening else f"{language.opening} {situation}"
    assert trigger(f"{begun}.") is not None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Builds the weekly stock report from the warehouse export.", "en"),
        ("Report", "en"),
        ("", "en"),
        ("Deploys 中文 documents to the server for review and checks", "en"),
        ("Checks text in the form of an und-so-weiter list and in the words of users", "en"),
        ("Erstellt den Bericht für die Kasse und die Lager.", "de"),
        ("Construit le rapport des stocks avec les données.", "fr"),
        ("Genera el informe de existencias con los datos del almacén.", "es"),
        ("Gera o relatório de estoque com os dados do armazém para uma equipe.", "pt"),
        ("生成每周库存报告。", "zh"),
        ("毎週の在庫レポートを作成します。", "ja"),
        ("매주 재고 보고서를 만듭니다.", "ko"),
    ],
)
def test_the_language_of_a_text(text: str, code: str) -> None:
    assert languages.language_of(text).code == code

"""German: sentences that must speak and sentences that must stay silent, for every function with a table."""

from collections.abc import Callable

import pytest

from plugin_eval_ci.languages import (
    compares,
    contexts,
    declares_orchestrator,
    documents_output_format,
    has_agent_proactive,
    has_automatic,
    has_proactive,
    has_specific_context,
    is_examples_heading,
    is_troubleshooting_heading,
    mentions_related,
    says_returns,
    says_takes,
    trigger,
)

Check = Callable[[str], object]

SPEAKS: list[tuple[Check, tuple[str, ...]]] = [
    (
        trigger,
        (
            "Zählt die Regale und listet Lücken auf. Nutzen, wenn nach dem Bestand gefragt wird.",
            "Verwenden, wenn ein Lastwagen ankommt.",
            "Verwende diesen Skill bei Fragen zum Bestand.",
            "Einsetzen bei Lücken im Regal.",
            "Bei Fragen zum Bestand verwenden.",
            "Für die Inventur einsetzen.",
            "Fuer die Inventur verwenden.",
            "Hilft, wenn der Nutzer nach dem Bestand fragt.",
            "Ideal für kleine Lager.",
            "Auslöser: Bestand, Regal",
            "Nicht für Obst verwenden. Verwenden, wenn Dosen gezählt werden.",
            "Verwenden, wenn Tests nicht bestehen.",
        ),
    ),
    (
        has_proactive,
        (
            "Proaktiv verwenden.",
            "Zählt proaktiv die Regale.",
        ),
    ),
    (
        has_agent_proactive,
        (
            "Proaktiv verwenden.",
            "Verwende diesen Agenten proaktiv.",
        ),
    ),
    (
        has_automatic,
        (
            "Zählt die Regale automatisch.",
            "Wird bei Fragen ausgelöst.",
        ),
    ),
    (
        has_specific_context,
        (
            "Verwenden beim Prüfen der Etiketten.",
            "Nutzen, wenn der Bestand fehlt.",
        ),
    ),
    (
        is_examples_heading,
        (
            "Beispiele",
            "Verwendung",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "Fehlerbehebung",
            "Häufige Fragen",
        ),
    ),
    (
        mentions_related,
        (
            "Verwandte Skills stehen unten.",
            "Siehe auch die Anleitung.",
        ),
    ),
    (
        documents_output_format,
        (
            "Die Ausgabe hat dieses Format.",
            "Das Ausgabeformat ist eine Liste.",
        ),
    ),
    (
        says_returns,
        (
            "Liefert die Lücken.",
            "Gibt die Liste der Lücken zurück.",
        ),
    ),
    (
        says_takes,
        (
            "Die Eingabe ist ein Pfad.",
            "Nimmt die Liste entgegen.",
        ),
    ),
    (
        declares_orchestrator,
        (
            "Koordiniert mehrere Agenten.",
            "Orchestriert die Skills.",
        ),
    ),
    (
        compares,
        (
            "Wann zu verwenden",
            "Vergleich der Waagen",
        ),
    ),
]

SILENT: list[tuple[Check, tuple[str, ...]]] = [
    (
        trigger,
        (
            "Zählt die Regale und listet Lücken auf.",
            "Erstellt Berichte für die Teams.",
            "Nicht verwenden, wenn der Laden offen ist.",
            "Verwende diesen Skill nicht, wenn der Laden offen ist.",
            "Niemals einsetzen bei Regen.",
            "Bei Obst nicht verwenden.",
            "Wenn der Nutzer nach Obst fragt, nicht verwenden.",
            "Leitfaden für die Waage im Lager.",
            "Nicht geeignet für große Lager.",
            "Die Nutzer des Lagers und ihre Fragen.",
            "Muster und Regeln für das Lager.",
            "Für Obst nie einsetzen.",
        ),
    ),
    (
        has_proactive,
        (
            "Wartet ab.",
            "Aktive Zählung der Regale.",
        ),
    ),
    (
        has_agent_proactive,
        (
            "Zählt proaktiv die Regale.",
            "Verwende diesen Agenten.",
        ),
    ),
    (
        has_automatic,
        (
            "Zählt die Regale von Hand.",
            "Das Auto steht im Hof.",
        ),
    ),
    (
        has_specific_context,
        (
            "Zählt die Regale.",
            "Das Lager ist groß.",
        ),
    ),
    (
        is_examples_heading,
        (
            "Beispiellos",
            "Überblick",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "Fragen",
            "Fehler",
        ),
    ),
    (
        mentions_related,
        (
            "Der Verwalter und die Regale.",
            "Siehe die Anleitung.",
        ),
    ),
    (
        documents_output_format,
        (
            "Die Ausgabe ist eine Datei. Das Format ist frei.",
            "Das Format der Platte.",
        ),
    ),
    (
        says_returns,
        (
            "Zurück in das Lager.",
            "Der Lieferant der Dosen.",
        ),
    ),
    (
        says_takes,
        (
            "Nimm die Dose.",
            "Der Eingang ist im Hof.",
        ),
    ),
    (
        declares_orchestrator,
        (
            "Die Koordinaten des Punktes.",
            "Das Orchester spielt im Hof.",
        ),
    ),
    (
        compares,
        (
            "Wann ist Inventur",
            "Vergleichbar ist das nicht",
        ),
    ),
]

CONTEXTS = {
    "Verwenden, wenn Dosen fehlen, Etiketten reißen oder Kisten fallen.": 2,
    "Zählt Dosen, Kisten und Säcke.": 0,
    "Nutzen, wenn nach dem Bestand gefragt wird.": 0,
}


def _flat(table: list[tuple[Check, tuple[str, ...]]]) -> list[tuple[Check, str]]:
    return [(check, sentence) for check, sentences in table for sentence in sentences]


@pytest.mark.parametrize(("check", "sentence"), _flat(SPEAKS))
def test_speaks(check: Check, sentence: str) -> None:
    assert check(sentence)


@pytest.mark.parametrize(("check", "sentence"), _flat(SILENT))
def test_stays_silent(check: Check, sentence: str) -> None:
    assert not check(sentence)


@pytest.mark.parametrize(("sentence", "expected"), CONTEXTS.items())
def test_contexts(sentence: str, expected: int) -> None:
    assert contexts(sentence) == expected


def test_each_function_has_as_many_silent_sentences_as_speaking_ones() -> None:
    silent = {check: len(sentences) for check, sentences in SILENT}
    assert [check.__name__ for check, sentences in SPEAKS if silent.get(check, 0) < len(sentences)] == []

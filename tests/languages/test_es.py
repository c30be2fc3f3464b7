"""Spanish: sentences that must speak and sentences that must stay silent, for every function with a table."""

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
            "Cuenta los estantes. Úsalo cuando pidan el inventario.",
            "Cuenta los estantes. Usalo cuando falte algo.",
            "Usar cuando llegue un camión.",
            "Usa esta habilidad para revisar las etiquetas.",
            "Utilizar antes de cerrar la caja.",
            "Ayuda cuando el usuario pregunta por el almacén.",
            "Se activa cuando llega un camión.",
            "Ideal para almacenes pequeños.",
            "Activadores: inventario, estante",
            "No usar para fruta. Usar cuando se cuenten latas.",
            "Usar si la prueba no pasa.",
        ),
    ),
    (
        has_proactive,
        (
            "Usar proactivamente cuando falte algo.",
            "Cuenta de forma proactiva los estantes.",
        ),
    ),
    (
        has_agent_proactive,
        (
            "Usar proactivamente con el camión.",
            "Usa este agente de forma proactiva.",
        ),
    ),
    (
        has_automatic,
        (
            "Se activa con el camión.",
            "Cuenta automáticamente los estantes.",
        ),
    ),
    (
        has_specific_context,
        (
            "Usar al revisar las etiquetas.",
            "Usar para contar latas.",
        ),
    ),
    (
        is_examples_heading,
        (
            "Ejemplos",
            "Uso",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "Solución de problemas",
            "Preguntas frecuentes",
        ),
    ),
    (
        mentions_related,
        (
            "Las habilidades relacionadas son estas.",
            "Ver también la guía.",
        ),
    ),
    (
        documents_output_format,
        (
            "La salida tiene este formato.",
            "Devuelve la lista en JSON.",
        ),
    ),
    (
        says_returns,
        (
            "Devuelve los huecos.",
            "Produce la lista.",
        ),
    ),
    (
        says_takes,
        (
            "La entrada es una ruta.",
            "Acepta los parámetros.",
        ),
    ),
    (
        declares_orchestrator,
        (
            "Orquesta varios agentes.",
            "La habilidad coordina los agentes.",
        ),
    ),
    (
        compares,
        (
            "Cuándo usar la báscula",
            "Comparación de las básculas",
        ),
    ),
]

SILENT: list[tuple[Check, tuple[str, ...]]] = [
    (
        trigger,
        (
            "Cuenta los estantes y lista los huecos.",
            "Genera informes para los equipos.",
            "No usar cuando la tienda esté abierta.",
            "No lo uses para la fruta.",
            "Nunca utilizar antes de abrir.",
            "No se debe usar para fruta.",
            "Evita usar cuando llueve.",
            "Guía para el uso de la báscula.",
            "No la uses si el usuario pide fruta.",
            "Patrones de diseño para el almacén.",
            "Los usuarios del almacén y sus preguntas.",
        ),
    ),
    (
        has_proactive,
        (
            "Espera con calma.",
            "La proactividad es buena.",
        ),
    ),
    (
        has_agent_proactive,
        (
            "Cuenta proactivamente los estantes.",
            "Usa este agente con el camión.",
        ),
    ),
    (
        has_automatic,
        (
            "Cuenta los estantes a mano.",
            "El automóvil del almacén.",
        ),
    ),
    (
        has_specific_context,
        (
            "Cuenta los estantes.",
            "El almacén es grande.",
        ),
    ),
    (
        is_examples_heading,
        (
            "Casos de uso",
            "Resumen",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "Problemas",
            "Preguntas",
        ),
    ),
    (
        mentions_related,
        (
            "Todo lo relacionado con latas.",
            "Los complejos del almacén.",
        ),
    ),
    (
        documents_output_format,
        (
            "La salida es un archivo. El formato es libre.",
            "El formato del disco.",
        ),
    ),
    (
        says_returns,
        (
            "Vuelve al almacén.",
            "El productor de latas.",
        ),
    ),
    (
        says_takes,
        (
            "Entra en el almacén.",
            "Es aceptable.",
        ),
    ),
    (
        declares_orchestrator,
        (
            "Las coordenadas del punto.",
            "La orquesta toca por la noche.",
        ),
    ),
    (
        compares,
        (
            "Uso de la báscula",
            "Decidido por el jefe",
        ),
    ),
]

CONTEXTS = {
    "Usar cuando lleguen latas, falten etiquetas o se cierre la caja.": 2,
    "Cuenta latas, cajas y sacos.": 0,
    "Úsalo cuando pidan el inventario.": 0,
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

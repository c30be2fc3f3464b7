"""Portuguese: sentences that must speak and sentences that must stay silent, for every function with a table."""

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
            "Conta as prateleiras. Use quando alguém pedir o estoque.",
            "Usar quando chegar um caminhão.",
            "Use esta habilidade para revisar as etiquetas.",
            "Utilize antes de fechar o caixa.",
            "Use apos a entrega do pedido.",
            "Ajuda quando o usuário pergunta pelo estoque.",
            "Ideal para armazéns pequenos.",
            "Gatilhos: estoque, prateleira",
            "Não use para frutas. Use quando contar latas.",
            "Use quando o teste não passar.",
        ),
    ),
    (
        has_proactive,
        (
            "Use proativamente quando faltar algo.",
            "Conta de forma proativa as latas.",
        ),
    ),
    (
        has_agent_proactive,
        (
            "Use proativamente com o caminhão.",
            "Use este agente de forma proativa.",
        ),
    ),
    (
        has_automatic,
        (
            "Conta automaticamente as latas.",
            "Acionado por perguntas do estoque.",
        ),
    ),
    (
        has_specific_context,
        (
            "Use ao revisar as etiquetas.",
            "Use para contar latas.",
        ),
    ),
    (
        is_examples_heading,
        (
            "Exemplos",
            "Uso",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "Solução de problemas",
            "Perguntas frequentes",
        ),
    ),
    (
        mentions_related,
        (
            "As habilidades relacionadas são estas.",
            "Veja também o guia.",
        ),
    ),
    (
        documents_output_format,
        (
            "A saída tem este formato.",
            "Retorna a lista em JSON.",
        ),
    ),
    (
        says_returns,
        (
            "Retorna as faltas.",
            "Produz a lista.",
        ),
    ),
    (
        says_takes,
        (
            "A entrada é um caminho.",
            "Aceita os parâmetros.",
        ),
    ),
    (
        declares_orchestrator,
        (
            "Orquestra vários agentes.",
            "A habilidade coordena os agentes.",
        ),
    ),
    (
        compares,
        (
            "Quando usar a balança",
            "Comparação das balanças",
        ),
    ),
]

SILENT: list[tuple[Check, tuple[str, ...]]] = [
    (
        trigger,
        (
            "Conta as prateleiras e lista as faltas.",
            "Gera relatórios para as equipes.",
            "Não use quando a loja estiver aberta.",
            "Nao usar para frutas.",
            "Nunca utilize antes de abrir.",
            "Não deve ser usado quando chover.",
            "Evite usar quando chover.",
            "Guia para o uso da balança.",
            "Não use se o usuário pedir frutas.",
            "Os usuários do armazém e as perguntas.",
        ),
    ),
    (
        has_proactive,
        (
            "Espera com calma.",
            "A proatividade é boa.",
        ),
    ),
    (
        has_agent_proactive,
        (
            "Conta proativamente as latas.",
            "Use este agente com o caminhão.",
        ),
    ),
    (
        has_automatic,
        (
            "Conta as latas à mão.",
            "O automóvel do armazém.",
        ),
    ),
    (
        has_specific_context,
        (
            "Conta as latas.",
            "O armazém é grande.",
        ),
    ),
    (
        is_examples_heading,
        (
            "Casos de uso",
            "Resumo",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "Problemas",
            "Perguntas",
        ),
    ),
    (
        mentions_related,
        (
            "Tudo relacionado ao estoque.",
            "Os complexos do armazém.",
        ),
    ),
    (
        documents_output_format,
        (
            "A saída é um arquivo. O formato é livre.",
            "O formato do disco.",
        ),
    ),
    (
        says_returns,
        (
            "Volta ao armazém.",
            "O produtor de latas.",
        ),
    ),
    (
        says_takes,
        (
            "Entra no armazém.",
            "É aceitável.",
        ),
    ),
    (
        declares_orchestrator,
        (
            "As coordenadas do ponto.",
            "A orquestra toca na praça.",
        ),
    ),
    (
        compares,
        (
            "Uso da balança",
            "Decidido pelo chefe",
        ),
    ),
]

CONTEXTS = {
    "Use quando chegarem latas, faltarem etiquetas ou fechar o caixa.": 2,
    "Conta latas, caixas e sacos.": 0,
    "Use quando pedirem o estoque.": 0,
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

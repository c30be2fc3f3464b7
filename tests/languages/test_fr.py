"""French: sentences that must speak and sentences that must stay silent, for every function with a table."""

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
            "Compte les rayons. À utiliser quand on demande l'état du stock.",
            "A utiliser lorsque le camion arrive.",
            "Utiliser lorsqu'un colis est perdu.",
            "Utilisez cette compétence pour trier les retours.",
            "Utiliser avant la fermeture de la caisse.",
            "Aide quand l'utilisateur demande le stock.",
            "Idéal pour les petits dépôts.",
            "Se déclenche quand le camion arrive.",
            "Déclencheurs : stock, rayon",
            "Ne pas utiliser pour les fruits. Utiliser quand on compte les boîtes.",
            "Utiliser quand le test ne passe pas.",
        ),
    ),
    (
        has_proactive,
        (
            "Utiliser de manière proactive quand un colis manque.",
            "Compte proactivement les rayons.",
        ),
    ),
    (
        has_agent_proactive,
        (
            "Utiliser de façon proactive avec le camion.",
            "Utilisez proactivement cet agent pour le stock.",
        ),
    ),
    (
        has_automatic,
        (
            "Compte automatiquement les rayons.",
            "Se déclenche avec le camion.",
        ),
    ),
    (
        has_specific_context,
        (
            "Utiliser lors de la revue des étiquettes.",
            "Utiliser pour trier les retours.",
        ),
    ),
    (
        is_examples_heading,
        (
            "Exemples",
            "Utilisation",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "Dépannage",
            "Problèmes courants",
        ),
    ),
    (
        mentions_related,
        (
            "Les compétences associées sont ici.",
            "Voir aussi le guide.",
        ),
    ),
    (
        documents_output_format,
        (
            "La sortie suit ce format.",
            "Renvoie la liste en JSON.",
        ),
    ),
    (
        says_returns,
        (
            "Renvoie les manques.",
            "Retourne la liste.",
        ),
    ),
    (
        says_takes,
        (
            "L'entrée est un chemin.",
            "Accepte les paramètres.",
        ),
    ),
    (
        declares_orchestrator,
        (
            "Orchestre plusieurs agents.",
            "La compétence coordonne les agents.",
        ),
    ),
    (
        compares,
        (
            "Quand utiliser la balance",
            "Comparaison des balances",
        ),
    ),
]

SILENT: list[tuple[Check, tuple[str, ...]]] = [
    (
        trigger,
        (
            "Compte les rayons et liste les manques.",
            "Produit des rapports pour les équipes.",
            "Ne pas utiliser quand le magasin est ouvert.",
            "N'utilisez pas quand il pleut.",
            "Ne jamais utiliser avant l'ouverture.",
            "Éviter d'utiliser quand il pleut.",
            "Ne doit pas être utilisé pour les fruits.",
            "Guide pour la balance du dépôt.",
            "Ne pas utiliser si l'utilisateur demande des fruits.",
            "Les utilisateurs du dépôt et leurs questions.",
            "Pas idéal pour les grands dépôts.",
        ),
    ),
    (
        has_proactive,
        (
            "Attend avec calme.",
            "La proactivité est bonne.",
        ),
    ),
    (
        has_agent_proactive,
        (
            "Compte les rayons de manière proactive.",
            "Utiliser avec le camion.",
        ),
    ),
    (
        has_automatic,
        (
            "Compte les rayons à la main.",
            "Une automobile est dans la cour.",
        ),
    ),
    (
        has_specific_context,
        (
            "Compte les rayons.",
            "Le dépôt est grand.",
        ),
    ),
    (
        is_examples_heading,
        (
            "Quand utiliser",
            "Résumé",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "Problèmes",
            "Questions",
        ),
    ),
    (
        mentions_related,
        (
            "Les colis et les rayons.",
            "Les associés du dépôt.",
        ),
    ),
    (
        documents_output_format,
        (
            "La sortie est un fichier. Le format est libre.",
            "Le format du disque.",
        ),
    ),
    (
        says_returns,
        (
            "Reviens au dépôt.",
            "Le producteur de boîtes.",
        ),
    ),
    (
        says_takes,
        (
            "Entre dans le dépôt.",
            "C'est acceptable.",
        ),
    ),
    (
        declares_orchestrator,
        (
            "Les coordonnées du point.",
            "Un orchestre est dans la cour.",
        ),
    ),
    (
        compares,
        (
            "L'utilité de la balance",
            "Décidé par le chef",
        ),
    ),
]

CONTEXTS = {
    "Utiliser quand des boîtes arrivent, manquent ou tombent.": 2,
    "Compte les boîtes, les sacs et les colis.": 0,
    "À utiliser quand on demande l'état du stock.": 0,
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

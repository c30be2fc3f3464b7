"""Japanese: sentences that must speak and sentences that must stay silent, for every function with a table."""

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
            "棚を数える。在庫確認のときに使う手順書です。",
            "ユーザーが在庫を尋ねた場合に使用します。",
            "納品の際に使用。",
            "ラベルを印刷する時に利用する。",
            "荷物が届いた後に使用してください。",
            "トリガー：棚卸し、在庫",
            "棚卸しの依頼があったときは必ず使う。",
            "次の場合に使用：棚が空のとき",
            "小さな倉庫に最適です。",
            "果物には使用しない。缶詰を数えるときに使用する。",
        ),
    ),
    (
        has_proactive,
        (
            "積極的に使用する。",
            "プロアクティブに数える。",
        ),
    ),
    (
        has_agent_proactive,
        (
            "納品後は積極的に使用する。",
            "能動的に起動してください。",
        ),
    ),
    (
        has_automatic,
        (
            "自動的に数える。",
            "自動で印刷する。",
        ),
    ),
    (
        has_specific_context,
        (
            "ラベルを印刷するときに使用。",
            "コードの審査を行う際に使う。",
        ),
    ),
    (
        is_examples_heading,
        (
            "使用例",
            "使い方",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "トラブルシューティング",
            "よくある質問",
        ),
    ),
    (
        mentions_related,
        (
            "関連スキルは以下の通り。",
            "ラベル印刷を補完する。",
        ),
    ),
    (
        documents_output_format,
        (
            "出力は次の形式に従う。",
            "不足分をJSONで返す。",
        ),
    ),
    (
        says_returns,
        (
            "件数を返す。",
            "表を出力する。",
        ),
    ),
    (
        says_takes,
        (
            "入力はパスです。",
            "引数を受け取る。",
        ),
    ),
    (
        declares_orchestrator,
        (
            "複数のエージェントを統括する。",
            "サブエージェントへタスクを割り振る。",
        ),
    ),
    (
        compares,
        (
            "秤の使い分け",
            "手法の比較",
        ),
    ),
]

SILENT: list[tuple[Check, tuple[str, ...]]] = [
    (
        trigger,
        (
            "棚を数えて不足を一覧にします。",
            "チーム向けの報告書を作成します。",
            "雨のときは使用しないでください。",
            "果物の場合は使用しません。",
            "同時に使用できる秤の一覧。",
            "倉庫の設計指針とベストプラクティス。",
            "経路の最適化を扱います。",
            "随時使用の記録。",
            "棚卸しの手順をまとめたもの。",
            "挨拶の際に使用しない。",
        ),
    ),
    (
        has_proactive,
        (
            "受動的に待つ。",
            "棚を数える。",
        ),
    ),
    (
        has_agent_proactive,
        (
            "積極的に数える。",
            "使用する。",
        ),
    ),
    (
        has_automatic,
        (
            "手作業で数える。",
            "自動車の部品。",
        ),
    ),
    (
        has_specific_context,
        (
            "棚の一覧。",
            "倉庫の標準。",
        ),
    ),
    (
        is_examples_heading,
        (
            "例外",
            "概要",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "質問",
            "手順",
        ),
    ),
    (
        mentions_related,
        (
            "在庫の一覧。",
            "関連する数値を足す。",
        ),
    ),
    (
        documents_output_format,
        (
            "出力先を選ぶ。形式は自由。",
            "形式を整える。",
        ),
    ),
    (
        says_returns,
        (
            "棚を数える。",
            "倉庫に戻る。",
        ),
    ),
    (
        says_takes,
        (
            "棚を数える。",
            "荷物を取る。",
        ),
    ),
    (
        declares_orchestrator,
        (
            "座標系の原点は扉です。",
            "コンテナのオーケストレーションは対象外。",
        ),
    ),
    (
        compares,
        (
            "概要",
            "手順",
        ),
    ),
]

CONTEXTS = {
    "棚卸し、補充、または検品のときに使用します。": 2,
    "棚、箱、缶を数える。納品の際に使用。": 0,
    "棚、箱、缶を数える。": 0,
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

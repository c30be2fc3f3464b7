"""Chinese: sentences that must speak and sentences that must stay silent, for every function with a table."""

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
            "盘点货架。当用户询问库存时使用。",
            "适用于清点仓库、核对单据。",
            "用于核对送货单。",
            "盘点库存时使用，生成补货清单。",
            "在入库之前使用。",
            "触发词：盘点、补货",
            "触发条件：货架空了",
            "盤點貨架。當使用者詢問庫存時使用。",
            "適用於倉庫盤點。",
            "需要列印標籤時使用。",
            "使用此技能整理退货。",
            "如果用户提到托盘，就清点。",
            "不要用于水果。当用户询问罐头时使用。",
            "当测试没有通过时使用。",
        ),
    ),
    (
        has_proactive,
        (
            "主动使用。",
            "主動使用。",
        ),
    ),
    (
        has_agent_proactive,
        (
            "主动使用此代理。",
            "應主動使用。",
        ),
    ),
    (
        has_automatic,
        (
            "入库后自动盘点。",
            "自動盤點。",
            "触发条件：缺货",
        ),
    ),
    (
        has_specific_context,
        (
            "当用户审查代码时使用。",
            "用于核对单据。",
            "需要列印標籤時使用。",
        ),
    ),
    (
        is_examples_heading,
        (
            "示例",
            "使用方法",
            "範例",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "常见问题",
            "故障排除",
            "疑難排解",
        ),
    ),
    (
        mentions_related,
        (
            "相关技能见下。",
            "另請參閱標籤。",
        ),
    ),
    (
        documents_output_format,
        (
            "输出采用以下格式。",
            "返回缺口的 JSON。",
            "輸出格式如下。",
        ),
    ),
    (
        says_returns,
        (
            "返回缺口数量。",
            "輸出清單。",
        ),
    ),
    (
        says_takes,
        (
            "输入为路径。",
            "接受參數。",
        ),
    ),
    (
        declares_orchestrator,
        (
            "编排多个子代理。",
            "協調各個技能。",
            "分派任务给下属。",
        ),
    ),
    (
        compares,
        (
            "何时使用",
            "權衡",
            "方案对比",
        ),
    ),
]

SILENT: list[tuple[Check, tuple[str, ...]]] = [
    (
        trigger,
        (
            "盘点货架并列出缺口。",
            "为团队生成报告。",
            "不适用于水果。",
            "请勿在营业时使用。",
            "不要用于水果。",
            "當使用者詢問水果時不要使用。",
            "不触发时机：打招呼",
            "可同时使用两把秤。",
            "货架的设计模式与最佳实践。",
            "用于仓库管理的盘点工具。",
            "倉庫的盤點指南，涵蓋標籤。",
            "当前库存的列表。",
            "支持实时使用数据的查询。",
            "禁止在下雨时使用。",
        ),
    ),
    (
        has_proactive,
        (
            "被动地等待。",
            "自动盘点。",
        ),
    ),
    (
        has_agent_proactive,
        (
            "主动盘点货架。",
            "使用此代理。",
        ),
    ),
    (
        has_automatic,
        (
            "手动盘点。",
            "仓库自动化指南。",
            "手動盤點。",
        ),
    ),
    (
        has_specific_context,
        (
            "盘点货架。",
            "列出缺口。",
            "倉庫標籤。",
        ),
    ),
    (
        is_examples_heading,
        (
            "概述",
            "例外情况",
            "使用时机",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "问题",
            "故障",
            "步驟",
        ),
    ),
    (
        mentions_related,
        (
            "库存一览。",
            "無關的事。",
        ),
    ),
    (
        documents_output_format,
        (
            "输出到文件。格式自由。",
            "格式化磁盘。",
            "輸入格式如下。",
        ),
    ),
    (
        says_returns,
        (
            "返回首页。",
            "盘点货架。",
        ),
    ),
    (
        says_takes,
        (
            "路径如下。",
            "盤點貨架。",
        ),
    ),
    (
        declares_orchestrator,
        (
            "坐标系的原点在门口。",
            "容器编排不在范围内。",
            "座標要取整數。",
        ),
    ),
    (
        compares,
        (
            "概述",
            "步驟",
            "时间",
        ),
    ),
]

CONTEXTS = {
    "当用户需要盘点、补货，或核对单据时使用。": 2,
    "盘点货架、列出缺口。当用户询问时使用。": 0,
    "管理货架、标签或托盘时使用。": 2,
    "適用於盤點；補貨。": 1,
    "盘点、补货。": 0,
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

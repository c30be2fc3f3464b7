"""Korean: sentences that must speak and sentences that must stay silent, for every function with a table."""

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
            "선반을 셉니다. 재고를 확인할 때 사용하세요.",
            "사용자가 재고를 요청하면 답합니다.",
            "라벨이 찢어진 경우에 사용합니다.",
            "입고 작업 시 사용.",
            "트리거: 재고, 선반",
            "배송 전에 사용하세요.",
            "작은 창고에 적합합니다.",
            "과일에는 쓰지 않습니다. 통조림을 셀 때 사용합니다.",
        ),
    ),
    (
        has_proactive,
        (
            "적극적으로 사용하세요.",
            "선제적으로 셉니다.",
        ),
    ),
    (
        has_agent_proactive,
        (
            "입고 후 적극적으로 사용하세요.",
            "능동적으로 호출합니다.",
        ),
    ),
    (
        has_automatic,
        (
            "자동으로 셉니다.",
            "재고 질문에 자동 실행됩니다.",
        ),
    ),
    (
        has_specific_context,
        (
            "코드를 검토할 때 사용.",
            "라벨을 인쇄하기 전에 사용.",
        ),
    ),
    (
        is_examples_heading,
        (
            "사용 예시",
            "사용법",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "문제 해결",
            "자주 묻는 질문",
        ),
    ),
    (
        mentions_related,
        (
            "관련 스킬은 아래와 같습니다.",
            "라벨 인쇄를 보완합니다.",
        ),
    ),
    (
        documents_output_format,
        (
            "출력은 다음 형식을 따릅니다.",
            "부족분을 JSON으로 반환합니다.",
        ),
    ),
    (
        says_returns,
        (
            "개수를 반환합니다.",
            "표를 출력합니다.",
        ),
    ),
    (
        says_takes,
        (
            "입력은 경로입니다.",
            "매개변수 목록입니다.",
        ),
    ),
    (
        declares_orchestrator,
        (
            "여러 에이전트를 조율합니다.",
            "작업을 하위 일꾼에게 분배합니다.",
        ),
    ),
    (
        compares,
        (
            "언제 사용하나요",
            "저울 비교",
        ),
    ),
]

SILENT: list[tuple[Check, tuple[str, ...]]] = [
    (
        trigger,
        (
            "선반을 세고 부족분을 나열합니다.",
            "팀을 위한 보고서를 만듭니다.",
            "영업 중일 때 사용하지 마세요.",
            "과일인 경우에는 사용하지 않습니다.",
            "다시 사용하는 상자 목록.",
            "창고 설계 패턴과 모범 사례.",
            "사용자가 과일을 요청하면 사용하지 마세요.",
            "비가 올 때는 사용하지 말 것.",
        ),
    ),
    (
        has_proactive,
        (
            "기다렸다가 셉니다.",
            "적극성 점수표.",
        ),
    ),
    (
        has_agent_proactive,
        (
            "적극적으로 셉니다.",
            "사용하세요.",
        ),
    ),
    (
        has_automatic,
        (
            "손으로 셉니다.",
            "자동차 부품 목록.",
        ),
    ),
    (
        has_specific_context,
        (
            "선반 목록.",
            "창고 표준.",
        ),
    ),
    (
        is_examples_heading,
        (
            "개요",
            "예외",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "질문",
            "절차",
        ),
    ),
    (
        mentions_related,
        (
            "재고 목록.",
            "무관한 일.",
        ),
    ),
    (
        documents_output_format,
        (
            "출력 위치를 고릅니다. 형식은 자유입니다.",
            "형식을 고칩니다.",
        ),
    ),
    (
        says_returns,
        (
            "선반을 셉니다.",
            "창고로 돌아갑니다.",
        ),
    ),
    (
        says_takes,
        (
            "선반을 셉니다.",
            "상자를 듭니다.",
        ),
    ),
    (
        declares_orchestrator,
        (
            "좌표계의 원점은 문입니다.",
            "컨테이너 오케스트레이션은 제외합니다.",
        ),
    ),
    (
        compares,
        (
            "개요",
            "절차",
        ),
    ),
]

CONTEXTS = {
    "재고 확인, 보충, 또는 검수할 때 사용합니다.": 2,
    "선반, 상자를 셉니다. 입고할 때 사용합니다.": 0,
    "선반, 상자, 캔.": 0,
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

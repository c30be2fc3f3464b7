"""English: sentences that must speak and sentences that must stay silent, for every function with a table."""

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
            "Counts shelves. Use when the stock report is due.",
            "Prints labels. Use\n   when a label is torn.",
            "Use this skill when a pallet arrives damaged.",
            "Use immediately before closing the till.",
            "Use whenever prices change.",
            "Use after a truck has been unloaded.",
            "Use **when** a crate is missing.",
            "Use it to plan the delivery round.",
            "Anti-rust labels. Use instead of the shelf printer for cold rooms.",
            "Prints. Use it instead of the till printer when the paper is wide.",
            "Use this skill to sort returned goods.",
            "Use for anything to do with cold storage.",
            "Use as a checklist at the end of a shift.",
            "Use during inventory week.",
            "Use ANY time a shelf looks empty.",
            "Use at the start of every shift.",
            "Use the stock ledger when two counts differ.",
            "You MUST use this before ordering pallets.",
            "This skill should be used when the user asks for a count.",
            "MUST be used when a seal is broken.",
            "Weekly count. Used when the count is due.",
            "Counts things. WHEN: the auditor calls.",
            'Triggers on "count", "stock" and "audit".',
            "Counts shelves. Triggers: stock, shelf, audit.",
            'Trigger phrases: "count this"',
            "Triggered by questions about stock.",
            "House style of labels. Auto-loads when a label file is open.",
            "Invoke this skill when a driver reports a delay.",
            "Activate whenever freight is late.",
            "Apply when rounding prices.",
            "Read before running any forklift command.",
            "Counts shelves. Use PROACTIVELY on Fridays.",
            "Proactively use it on stale counts.",
            "Ideal for small depots.",
            "Best for seasonal stock.",
            "Helps when the user mentions pallets.",
            "Answers if the user wants a new label.",
            "Plans a tour whenever a customer requests delivery.",
            "Helps when you need to re-label a shelf.",
            "Helps when working with pallets.",
            "For requests about returned goods.",
            "When to use: a pallet is lost.",
            "Do not use for fruit. Use when counting tins.",
            "Use when tests do not pass.",
            "Don't use this for fruit; use it when tins are counted.",
            "Before writing a new label, look for an old one.",
            "Activates for stock requests.",
            "Call this skill to plan a tour.",
            "A kit for labels. When Claude needs to print one.",
            "Required before any delivery.",
            "Not just for depots: use when any shelf is empty.",
        ),
    ),
    (
        has_proactive,
        (
            "Use proactively.",
            "Works PROACTIVELY on Fridays.",
            "Pro-actively counts shelves.",
        ),
    ),
    (
        has_agent_proactive,
        (
            "Use proactively.",
            "Use this agent PROACTIVELY after a delivery.",
            "Must be used proactively on Fridays.",
            "Use immediately and proactively.",
        ),
    ),
    (
        has_automatic,
        (
            "Runs automatically on Fridays.",
            "Triggers on stock questions.",
            "Invoke on arrival.",
            "Always use for tins.",
            "Auto-loads with labels.",
        ),
    ),
    (
        has_specific_context,
        (
            "Use when reviewing deliveries.",
            "Made for parsing labels.",
            "Helps during debugging.",
            "Use if a .csv arrives.",
            "Use for PDF work.",
            "Use on *.tf files.",
            "Use before a move to PostgreSQL.",
            "Use if the user asks you to merge labels.",
        ),
    ),
    (
        is_examples_heading,
        (
            "Examples",
            "Usage",
            "An Example of a count",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "Troubleshooting",
            "Common Issues and fixes",
            "FAQ",
            "How to troubleshoot",
            "Common problem",
        ),
    ),
    (
        mentions_related,
        (
            "Related skills are listed below.",
            "See also the ledger.",
            "A companion of the label printer.",
            "Complements the count.",
        ),
    ),
    (
        documents_output_format,
        (
            "The output has this format:",
            "Outputs a table formatted as text.",
            "Returns a list of gaps as JSON.",
            "The format of the output is fixed.",
        ),
    ),
    (
        says_returns,
        (
            "Returns the number of gaps.",
            "It produces a table.",
            "Generates a label.",
            "The output is a list.",
        ),
    ),
    (
        says_takes,
        (
            "Takes the label as input.",
            "Accepts a path.",
            "Receives a list of tins.",
            "The parameters are listed below.",
            "Pass an argument.",
        ),
    ),
    (
        declares_orchestrator,
        (
            "This skill orchestrates sub-agents.",
            "Coordinate multiple agents in parallel.",
            "Dispatch tasks to workers.",
            "It manages the workflow of the other skills.",
            "Dispatch a fresh reviewer subagent to look at the count.",
            "Execute the plan by dispatching one agent per shelf.",
            "Acts as the coordinator of the shift.",
            "You are the orchestrator.",
            "You must coordinate three specialists.",
        ),
    ),
    (
        compares,
        (
            "When to use a crate",
            "Decision table",
            "A comparison of scales",
            "Know the trade-off.",
            "Tradeoffs",
        ),
    ),
]

SILENT: list[tuple[Check, tuple[str, ...]]] = [
    (
        trigger,
        (
            "Counts the shelves of a depot and lists the gaps.",
            "Prints labels. Use instead of the old printer.",
            "Explains how to use it instead of the till for labels.",
            "Generates reports for teams.",
            "Do not use when the shop is open.",
            "Don't use this skill for fruit.",
            "Don’t use it when the shop is open.",
            "Never use before closing time.",
            "Never use\n  when it rains.",
            "This one is not for fruit.",
            "Do NOT trigger on greetings.",
            "Avoid using when the scale is off.",
            "Should not be used when the scale is off.",
            "It should never be used for fruit.",
            "Do not invoke this skill when someone says hello.",
            "Not ideal for large depots.",
            "Do not use it for fruit or when the user asks for recipes.",
            "Skip it if the user wants fruit.",
            "When the user asks for fruit, do not use this skill.",
            "Rather than use when idle.",
            "For labels, use the label-printer skill.",
            "Use cases of the depot and its reuse.",
            "The cause and the useful whenabouts of shelves.",
            "Lists users, whence they came and where they went.",
            "Explains how tins are stacked.",
            "A house style for shelf labels.",
            "Guidelines for fixing scales.",
            "Shelf patterns, label design, and counting.",
            "Counts are used to print labels.",
            "A tool used for printing labels.",
            "Follow-up on the invoice of last week.",
            "Runs on Linux and reads tins.",
            "Knows every trigger finger of the depot.",
            "Loads pallets and applies labels.",
            "Moves pallets before the truck leaves.",
            "The shelf is best.",
            "Perfect counts of tins.",
            "Warns the user about rot.",
            "Users and their wants.",
            "Someone counts, others ask.",
            "Useful counts.",
            "Reads labels and calls the depot.",
            "Handles labels for requests.",
            "Whenabouts of pallets.",
            "Must be sturdy.",
            "Covers pallets, crates and tins.",
            "Because stock matters.",
            "Use at your own risk.",
            "Use on-device scales.",
            "Check for torn labels.",
            "Apply for a permit.",
            "Run the scale before weighing crates.",
            "Sends a note if a crate fails.",
            "Use care with glass.",
        ),
    ),
    (
        has_proactive,
        (
            "Use it in an active way.",
            "Do not use proactively.",
            "Counts retroactively.",
        ),
    ),
    (
        has_agent_proactive,
        (
            "Counts shelves proactively.",
            "Do not use proactively.",
            "Use when it is quiet.",
            "Users work proactively.",
        ),
    ),
    (
        has_automatic,
        (
            "Counts the shelves by hand.",
            "Always useful for tins.",
            "Do not automatically run it.",
            "The automaton counts.",
            "Never invoke it.",
        ),
    ),
    (
        has_specific_context,
        (
            "Use when needed.",
            "Use if a label is torn.",
            "Counts PDF pages.",
            "Use when everything fails.",
            "Handles .csv files.",
            "Use at the start.",
            "Use ANY time.",
            "Use during the morning.",
        ),
    ),
    (
        is_examples_heading,
        (
            "Exemplary conduct",
            "When to use",
            "Counterexampled",
        ),
    ),
    (
        is_troubleshooting_heading,
        (
            "Trouble ahead",
            "Issues",
            "Common mistakes",
            "Problems",
            "Common tissues",
        ),
    ),
    (
        mentions_related,
        (
            "Questions related to tins.",
            "Security-related fields.",
            "An unrelated matter.",
            "Compliments to the chef.",
        ),
    ),
    (
        documents_output_format,
        (
            "Output goes to a file. The format is free.",
            "Format the disk.",
            "Returns the pallet.",
            "Throughput matters.",
        ),
    ),
    (
        says_returns,
        (
            "Go back to the depot.",
            "Return to the depot.",
            "The generation of tins.",
            "Products are stored here.",
        ),
    ),
    (
        says_takes,
        (
            "Take the pallet.",
            "An acceptable loss.",
            "The receiver of the goods.",
            "A parametric curve.",
            "They argue.",
        ),
    ),
    (
        declares_orchestrator,
        (
            "The coordinate system has its origin at the door.",
            "Give x/y coordinates of each shelf.",
            "The coordinates of the point are rounded.",
            "An event dispatcher tells the listeners.",
            "Dispatch an action to the store.",
            "Container orchestration is out of scope.",
            "A Kubernetes orchestrator restarts it.",
            "Airflow orchestrates DAGs.",
            "Airflow dispatches tasks to workers.",
            "Celery queues: dispatch tasks to workers.",
            "Never dispatch two agents at once.",
            'The note says "orchestrate the agents" in red.',
            "[Orchestrate agents](guide.md)",
            "Coordinate with the vendor on the tasks.",
        ),
    ),
    (
        compares,
        (
            "When used with care",
            "He decided alone.",
            "Compared to nothing",
            "Trade of tins",
            "Off trade",
        ),
    ),
]

CONTEXTS = {
    "Use when reading PDFs, filling forms, or merging files": 2,
    "Use when counting": 0,
    "Use when a; b or c": 2,
    "Counts, lists and labels tins.": 0,
    "Counts tins, jars, cans. Use when idle.": 0,
    "Use when more than 1,000 tins arrive": 0,
    "Use when stock moves, e.g., by truck": 1,
    "Use when opening documents (DOCX, XLSX, CSV)": 2,
    'Use when the user says "count, then list" or "audit"': 1,
    "Use when reading and/or writing labels": 1,
    "Use when counting,, , or listing": 1,
    "Do not use when sorting, washing or drying.": 0,
    "Use when counting, listing. Also use when moving or storing.": 2,
    "Use when:\n- counting\n- listing\n- moving": 2,
    "Use when counting tins, not for fruit": 0,
    "Use when counting, listing, etc.": 1,
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

"""Defects that reading already found, as hits: the rules about headers and files only pick theirs."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Collection, Document, Hit, Problem, Skill


def hit_of(problem: Problem, target: str = "") -> Hit:
    """A problem as a hit."""
    return Hit(problem.line, problem.message, problem.fix, target, problem.column, severity=problem.severity)


def of_header(document: Document, kind: str) -> Iterator[Hit]:
    """The header's problem and notes of one kind."""
    problem = document.header.problem
    if problem is not None and problem.kind == kind:
        yield hit_of(problem)
    for note in document.header.notes:
        if note.kind == kind:
            yield hit_of(note)


def of_skill_header(document: Document, kind: str, defect: str) -> Iterator[Hit]:
    """As ``of_header``; of a skill it says which clients drop it for this defect."""
    for hit in of_header(document, kind):
        if not isinstance(document, Skill):
            yield hit
            continue
        from plugin_eval_ci.clients.loading import dropped_by

        yield hit._replace(message=f"{hit.message}; {dropped_by(defect)}")


def of_source(document: Document, kind: str) -> Iterator[Hit]:
    """The file's problem if it is of this kind."""
    problem = document.source.problem
    if problem is not None and problem.kind == kind:
        yield hit_of(problem)


def of_collection(collection: Collection, kind: str) -> Iterator[tuple[str, Hit]]:
    """Problems of one kind met while looking for targets."""
    for path, problem in collection.problems:
        if problem.kind == kind:
            yield path, hit_of(problem, path)

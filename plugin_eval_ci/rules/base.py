"""What a rule is: a module with a docs page as its docstring, a severity, and a pure ``check``.

The rule's name is its file's name in upper case; ``check`` yields ``Hit`` values and never says its own name,
severity or path.
"""

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from plugin_eval_ci.model import Agent, Collection, Document, Hit, Manifest, Severity, Skill

Group = Literal[
    "anti-pattern",
    "portability",
    "header",
    "name",
    "description",
    "fields",
    "file",
    "links",
    "layout",
    "manifest",
    "comments",
    "safety",
    "content",
]


if TYPE_CHECKING:  # a module is what satisfies these; defining protocols at run time would cost a hook a millisecond
    from typing import Protocol

    from plugin_eval_ci.analysis.ignore_comments import Ignore
    from plugin_eval_ci.analysis.revision import RevisionFacts

    class _Module(Protocol):
        SEVERITY: Severity
        GROUP: Group
        __name__: str

    class SkillRule(_Module, Protocol):
        """A rule about one skill."""

        def check(self, skill: Skill, /) -> Iterator[Hit]: ...

    class AgentRule(_Module, Protocol):
        """A rule about one agent."""

        def check(self, agent: Agent, /) -> Iterator[Hit]: ...

    class DocumentRule(_Module, Protocol):
        """A rule about a skill or an agent alike."""

        def check(self, document: Document, /) -> Iterator[Hit]: ...

    class ManifestRule(_Module, Protocol):
        """A rule about one manifest, or the hooks or servers of one."""

        def check(self, manifest: Manifest, /) -> Iterator[Hit]: ...

    class CollectionRule(_Module, Protocol):
        """A rule about everything one run looks at; it yields (path, hit)."""

        def check(self, collection: Collection, /) -> Iterator[tuple[str, Hit]]: ...

    class IgnoreRule(_Module, Protocol):
        """A rule about one ignore comment and the rules of it that hid nothing."""

        def check(self, ignore: Ignore, idle: tuple[str, ...], /) -> Iterator[Hit]: ...

    class ChangeRule(_Module, Protocol):
        """A rule about a change against a base; it yields (path, hit)."""

        def check(self, change: RevisionFacts, /) -> Iterator[tuple[str, Hit]]: ...


class Rule(NamedTuple):
    """A rule with its name. Exactly one of the seven checks is set."""

    name: str
    severity: Severity
    group: Group
    weight: float | None
    subsumes: tuple[str, ...]
    module: str
    on_skill: Callable[[Skill], Iterator[Hit]] | None = None
    on_agent: Callable[[Agent], Iterator[Hit]] | None = None
    on_document: Callable[[Document], Iterator[Hit]] | None = None
    on_manifest: Callable[[Manifest], Iterator[Hit]] | None = None
    on_collection: Callable[[Collection], Iterator[tuple[str, Hit]]] | None = None
    on_ignore: "Callable[[Ignore, tuple[str, ...]], Iterator[Hit]] | None" = None
    on_change: "Callable[[RevisionFacts], Iterator[tuple[str, Hit]]] | None" = None

    @property
    def anti_pattern(self) -> bool:
        """Whether the methodology counts it towards the penalty."""
        return self.group == "anti-pattern"


def doc_of(rule: Rule) -> str:
    """The docs page of a rule: its module's docstring, and how to turn the rule off."""
    text = (sys.modules[rule.module].__doc__ or "").strip()
    off = f"Add `{rule.name}` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore {rule.name}`."
    return f"{text}\n\n## How to turn it off\n\n{off}"


def named(module: "_Module") -> Rule:
    """The rule of a module, without its check. ``WEIGHT`` is the share of the score that an anti-pattern or a portability
    finding may cost, ``SUBSUMES`` names the rules that would report the same root cause again; few rules set them."""
    weight, subsumes = getattr(module, "WEIGHT", None), getattr(module, "SUBSUMES", ())
    name = module.__name__.rpartition(".")[2].upper()
    return Rule(name, module.SEVERITY, module.GROUP, weight, subsumes, module.__name__)


def skill_rule(module: "SkillRule") -> Rule:
    """A rule that looks at skills."""
    return named(module)._replace(on_skill=module.check)


def agent_rule(module: "AgentRule") -> Rule:
    """A rule that looks at agents."""
    return named(module)._replace(on_agent=module.check)


def document_rule(module: "DocumentRule") -> Rule:
    """A rule that looks at skills and agents."""
    return named(module)._replace(on_document=module.check)


def manifest_rule(module: "ManifestRule") -> Rule:
    """A rule that looks at manifests."""
    return named(module)._replace(on_manifest=module.check)


def collection_rule(module: "CollectionRule") -> Rule:
    """A rule that looks at everything together."""
    return named(module)._replace(on_collection=module.check)


def ignore_rule(module: "IgnoreRule") -> Rule:
    """A rule that looks at ignore comments, after everything else."""
    return named(module)._replace(on_ignore=module.check)


def change_rule(module: "ChangeRule") -> Rule:
    """A rule that looks at a change, where a base was named."""
    return named(module)._replace(on_change=module.check)

"""Where a relative path in a skill leads: found, missing, or no path at all.

``paths`` knows links and the disk, ``goal`` what a path names; ``cross`` finds references to other skills and agents, ``destination``
says where they lead; ``sentence``, ``judge`` and ``words`` say what the text around a path makes of it.
"""

from plugin_eval_ci.analysis.resolve.cross_references import (
    MAX_CANDIDATES,
    CrossReference,
    cross_references,
    first_unread,
)
from plugin_eval_ci.analysis.resolve.paths import (
    Local,
    Resolution,
    Status,
    first_found,
    has_placeholder,
    is_placeholder,
    local_path,
    look,
    resolve,
)
from plugin_eval_ci.analysis.resolve.target import forget, leads_to_another

__all__ = [
    "MAX_CANDIDATES",
    "CrossReference",
    "Local",
    "Resolution",
    "Status",
    "cross_references",
    "first_found",
    "first_unread",
    "forget",
    "has_placeholder",
    "is_placeholder",
    "leads_to_another",
    "local_path",
    "look",
    "resolve",
]

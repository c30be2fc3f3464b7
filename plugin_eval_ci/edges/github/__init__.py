"""GitHub's REST interface: the comment on a pull request, the tracking issue, artifacts, the files of a pull request.

The only place that knows GitHub, or urllib3: load it on the road that needs it.
"""

from plugin_eval_ci.edges.github.client import GitHub as GitHub
from plugin_eval_ci.edges.github.values import ApiError as ApiError
from plugin_eval_ci.edges.github.values import Artifact as Artifact
from plugin_eval_ci.edges.github.values import ChangedFile as ChangedFile
from plugin_eval_ci.edges.github.values import Posted as Posted
from plugin_eval_ci.edges.github.values import Pull as Pull
from plugin_eval_ci.edges.github.values import PullFiles as PullFiles
from plugin_eval_ci.edges.github.values import ReadOnlyError as ReadOnlyError

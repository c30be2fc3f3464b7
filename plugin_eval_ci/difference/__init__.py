"""What a change does to each skill: lines, score and grade, findings, context cost."""

from plugin_eval_ci.difference.build import difference_of as difference_of
from plugin_eval_ci.difference.build import everything as everything
from plugin_eval_ci.difference.values import Difference as Difference
from plugin_eval_ci.difference.values import PluginChange as PluginChange
from plugin_eval_ci.difference.values import Row as Row
from plugin_eval_ci.difference.values import Side as Side
from plugin_eval_ci.difference.values import Status as Status

"""What GitHub's runner reads in a log: its parser, written from what it does."""

import re

REGISTERED = {"error", "warning", "notice", "debug", "group", "endgroup", "add-mask", "add-matcher", "remove-matcher"}
REGISTERED |= {"stop-commands", "set-output", "set-env", "add-path", "save-state", "echo", "internal-set-repo-path"}
PROPERTY_CODES = (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"))
DATA_CODES = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))


def decoded(text, codes):
    for code, meaning in codes:
        text = text.replace(code, meaning)
    return text


def new_command(line):
    line = line.lstrip()
    end = line.find("::", 2)
    if not line.startswith("::") or end < 0:
        return None
    name, _, rest = line[2:end].partition(" ")
    if name not in REGISTERED:
        return None
    properties = {}
    for pair in filter(None, rest.strip().split(",")):
        key, _, value = pair.lstrip("=").partition("=")
        if value.lstrip("="):
            properties[key] = decoded(value.lstrip("="), PROPERTY_CODES)
    return name, properties, decoded(line[end + 2 :], DATA_CODES)


def old_command(line):
    start = line.find("##[")
    end = line.find("]", start)
    return start >= 0 and end >= 0 and line[start + 3 : end].partition(" ")[0] in REGISTERED


def as_the_runner(output):
    """Commands that the runner finds in a log, and the lines that are none."""
    commands, plain = [], []
    for line in re.split("\r\n|\r|\n", output)[:-1]:
        command = new_command(line)
        if command is None:
            assert not old_command(line), line
            plain.append(line)
        else:
            assert "##[" not in line
            commands.append(command)
    return commands, plain

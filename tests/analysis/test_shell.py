"""Shell text to commands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin_eval_ci.analysis.shell import parse_commands


def firsts(text):
    return [words[0] for words in parse_commands(text).commands]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("git status", ["git"]),
        ("git add . && git push || echo no; ls | jq .", ["git", "git", "echo", "ls", "jq"]),
        ("sleep 1 & wait", ["sleep", "wait"]),
        ("# git status\nls # jq", ["ls"]),
        ("echo a#b", ["echo"]),
        ("git \\\n  status", ["git"]),
        ("echo 'a; jq' \"b; jq\"", ["echo"]),
        ('x="$(jq . f)"', ["jq", "x=$"]),
        ("x=$(cat f | jq .)", ["cat", "jq", "x=$"]),
        ("x=`jq . f`", ["jq", "x=$"]),
        ("echo $((1 + 2)) ${x:-$(jq)}", ["echo"]),
        ("cat > f <<EOF\ndocker run\nEOF\ngit status", ["cat", "git"]),
        ("cat <<-'END' | jq .\n  docker\n\tEND\nls", ["cat", "jq", "ls"]),
        ("jq . <<< 'docker run'", ["jq"]),
        ("diff <(sort a) <(jq . b)", ["sort", "jq", "diff"]),
        ("ls > docker 2>&1 < in", ["ls"]),
        ("virsh dump <domain> memory.raw", ["virsh"]),
        ("(cd x && make)", ["cd", "make"]),
        ("a=(docker podman)\nls", ["a=", "ls"]),
        ("[[ -f x && -d docker ]] && ls", ["ls"]),
        ("(( x > docker ))\nls", ["ls"]),
        ("case $x in\n  start|stop) git status ;;\n  *) jq . ;;\nesac", ["git", "jq", "esac"]),
        ("case $x in a) git status;; b|c) jq .;; esac", ["git", "jq", "esac"]),
        ("if git status; then jq .; fi", ["if", "then", "fi"]),
        ("echo {a,b} }x", ["echo"]),
        ("say 'never closed\ngit status", ["say", "git"]),
        ("", []),
    ],
)
def test_commands(text, words):
    assert firsts(text) == words


def test_functions():
    script = parse_commands("say() {\n  jq .\n}\nfunction tell {\n  git status\n}\nsay\n")
    assert script.functions == {"say", "tell"}
    assert ("jq", ".") in script.commands


@given(st.text(alphabet="ab $(){}[]<>|&;'\"`\\\n#=-EOFcasein", max_size=120))
def test_any_text_is_read_to_its_end(text):
    parse_commands(text)


@pytest.mark.parametrize("unit", ["$(", "`", '"', "(", "<(", "${", "'", "a <<E\n", "case x in ", "a=(", "[[ ", '"$('])
def test_hostile_text_takes_no_time(unit):
    parse_commands(unit * (100_000 // len(unit)))

"""``plugin-eval init PLUGINS``: the index of reference skills for ratings."""

import os
from typing import TextIO

from plugin_eval_ci.commands.files import refuse_unwritable_folder, write
from plugin_eval_ci.commands.load_config import read_config, say_left_out
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.words import many
from plugin_eval_ci.scoring import corpus_index
from plugin_eval_ci.scoring.gather import score_all


def run(
    paths: tuple[str, ...],
    corpus_dir: str,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
    out: TextIO,
) -> int:
    """Score every skill below ``paths`` and write the index: 0, or 2 if a path holds none."""
    refuse_unwritable_folder(corpus_dir, "--corpus-dir")
    config = read_config(paths, config_file, isolated, exclude)
    evaluation = evaluate(paths, config.for_score())
    wrong = say_left_out(evaluation.found, hook=False)
    skills = {skill.source.path: skill for skill in evaluation.collection.skills}
    categories = corpus_index.categories_of(evaluation.collection)
    entries = []
    for report in score_all(evaluation):
        skill = skills.get(report.path) if report.kind == "skill" else None
        static = next((layer for layer in report.layers if layer.layer == "static"), None)
        digest = corpus_index.digest_of(skill.source.file) if skill is not None else None
        if skill is None or static is None or digest is None:  # what cannot be read cannot be a reference
            continue
        path = os.path.relpath(os.path.realpath(skill.source.file), os.path.realpath(corpus_dir)).replace(os.sep, "/")
        category, size = corpus_index.category_of(skill, categories), corpus_index.size_of(skill.source.text)
        entries.append(corpus_index.Entry(path, skill.name, category, size, digest, static.score))
    if not entries:
        raise UsageError(f"{', '.join(paths)}: no readable skill, so there is nothing to compare with")
    write(corpus_dir, [(corpus_index.FILE, corpus_index.render_index(entries))], "--corpus-dir")
    named = sorted({entry.category for entry in entries})
    out.write(
        f"{for_terminal(os.path.join(corpus_dir, corpus_index.FILE))}: {many(len(entries), 'skill')} in "
        f"{many(len(named), 'category', 'categories')} ({for_terminal(', '.join(name or 'none' for name in named))})\n"
    )
    return 2 if wrong else 0

"""Sentences that send the reader to a path which is not there, and sentences that do not: every kind, in several languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from plugin_eval_ci.analysis import resolve
from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import evaluate

Repo = Callable[[Mapping[str, str]], Path]
S = "---\nname: n\ndescription: Use when x.\n---\n"
FILES = {
    "p/.claude-plugin/plugin.json": '{"name": "p"}',
    "p/skills/label-print/SKILL.md": S,
    "p/skills/tax-rates/SKILL.md": S,
    "p/skills/real-one/SKILL.md": S,
    "p/skills/real-six/SKILL.md": S,
    "p/agents/helper-one.md": S,
    "p/skills/stock/references/fields.md": "# F\n",
    "p/skills/stock/scripts/run.py": "x",
    "docs/readme.md": "x",
    "q/skills/far-away/SKILL.md": S,
}
RULES = frozenset({"DEAD_CROSS_REF", "ORPHAN_REFERENCE", "REF_DEAD"})


def found(repo: Repo, body: str) -> list[str]:
    resolve.forget()
    text = f"---\nname: stock\ndescription: Use when stock is low.\n---\n{body}\n"
    root = repo({**FILES, "p/skills/stock/SKILL.md": text})
    return [hit.rule for hit in evaluate((str(root),), Config()).checked.findings if hit.rule in RULES]


CROSS = [
    "See ../invoyce/SKILL.md for amounts.",
    "Hand over with `../deep-dives/SKILL.md#start`",
    "@skills/gone-six/SKILL.md",
    "@../gone-x/SKILL.md",
    "[a](${CLAUDE_PLUGIN_ROOT}/skills/gone-x/SKILL.md)",
    "[a](${CLAUDE_PLUGIN_ROOT}/agents/gone-x.md)",
    "Use `skills/new-customer-onboarding`.",
    "Read `skills/target-selection/SKILL.md`.",
    "Read `skills/api/SKILL.md`.",
    "See `skills/workflows/SKILL.md`.",
    "For formatting, use the format skill at `skills/md-format`.",
    "Before adding tests, read `skills/tdd-loop/SKILL.md`.",
    "Instead of guessing read `skills/tdd-loop/SKILL.md`.",
    "For new features see `skills/tdd-loop`.",
    "使用 `skills/标签打印` 技能",
    "See ../x/SKILL.md for amounts.",
    "When the parcel is ready, hand the shipment over to `skills/parcel-track`.",
    "Delegate the audit to `agents/auditor-two.md` and wait for its answer.",
    "Load `skills/currency-rates/SKILL.md` before converting prices.",
    "After the count, continue with the `skills/count-report` skill.",
    "Use `skills/label-print` for labels and `skills/label-cut` for the cutter.",
    "See ../pallet-map/SKILL.md for the layout of the racks.",
    "Siehe `skills/etiketten-druck/SKILL.md` für die Etiketten.",
    "Utilisez la compétence `skills/taux-tva` pour les taxes.",
    "Lea `skills/tasas-iva/SKILL.md` antes de calcular.",
    "Depois, use `skills/taxas-icms`.",
    "请阅读 `skills/税率表/SKILL.md` 了解税率。",
    "ラベルは `skills/label-insatsu/SKILL.md` を参照してください。",
    "세율은 `skills/tax-table` 스킬을 참고하세요.",
    "[the packer](../packer/SKILL.md) does the rest.",
    "Read [rates](${CLAUDE_PLUGIN_ROOT}/skills/rate-table/SKILL.md) first.",
    "@skills/rate-import/SKILL.md",
    "**REQUIRED SUB-SKILL:** `skills/test-first`",
    "Instead of estimating by hand, run `skills/estimate-cost`.",
    "For more examples of new orders, follow `skills/order-intake/SKILL.md`.",
    "## Related skills\\\n\\\n- `skills/label-print` prints\\\n- `skills/label-peel` peels",
    "If the totals differ, switch to `skills/audit-trail` and start over.",
    "1. Gather the invoices.\\\n2. Follow `skills/invoice-match/SKILL.md`.",
    "This skill requires `skills/db-connect` to be loaded.",
    "Once the draft is done, invoke the `skills/proof-read` skill to check it.",
    "| Task | Skill |\\\n|---|---|\\\n| labels | `skills/label-print` |\\\n| boxes | `skills/box-print` |",
    "Escalate disputes to `agents/dispute-lead.md`.",
    "The rules are described in `skills/house-rules/SKILL.md`.",
    "For VAT, see [the VAT skill](../vat-rules/).",
    "Work through the plan using `skills/plan-run`.",
    "Next: `skills/ship-order`",
    "Hand off to the `agents/courier-one` agent.",
    "Weiter mit `skills/versand-plan`.",
    "Verwenden Sie dafür die Fertigkeit `skills/versand-plan`.",
    "Delega en `agents/revisor-dos.md` la revisión.",
    "Consultez `skills/plan-envoi/SKILL.md` avant de commencer.",
    "Siga as instruções em `skills/plano-envio/SKILL.md`.",
    "完成后，使用 `skills/ship-plan` 技能继续。",
    "次に `skills/ship-plan` を使用します。",
    "작업이 끝나면 `skills/ship-plan`을 호출하세요.",
    "Before you write code, read\n`skills/code-style/SKILL.md` in full.",
    "You must read `skills/new-hire-guide/SKILL.md` when a new person starts.",
    "Follow the steps in skills/target-market/SKILL.md.",
    "When labels are missing, continue with `skills/label-printer`.",
    "If the customer is new, use `skills/welcome-mail` instead.",
    "`skills/form-fill` を使用して帳票を作成します。",
    "`skills/form-fill`를 사용하여 양식을 생성합니다.",
    "Use `skills/scaffold-it` to create the folders.",
    "Use the `skills/project-setup` skill to set up your project.",
    "To update prices, follow `skills/price-update/SKILL.md`; do not edit them by hand.",
    "If you cannot find the order, read `skills/order-search/SKILL.md`.",
    "First run `skills/lint-all`, then `skills/label-print`.",
    "- **Review**: hand over to `agents/reviewer-two`",
    "> Note: read `skills/legal-terms/SKILL.md` first.",
    "Everything about taxes is covered in `skills/tax-guide/SKILL.md`.",
    "Please consult `skills/hr-rules` for holidays.",
    "Nach dem Zählen nutze `skills/bericht-bau`, um den Bericht zu erstellen.",
    "Pour générer le rapport, utilisez `skills/rapport-vente`.",
    "Para crear el informe, usa `skills/informe-ventas`.",
    "Para criar o relatório, siga `skills/relatorio-vendas`.",
    "要创建报告，请使用 `skills/report-build`。",
    "You could also read `skills/tips-more/SKILL.md`? No: you must read `skills/tips-all/SKILL.md`.",
]


@pytest.mark.parametrize("body", CROSS)
def test_speaks_dead_cross_ref(repo: Repo, body: str) -> None:
    assert found(repo, body) == ["DEAD_CROSS_REF"]


FILES_GONE = [
    "reference/capture.mdを参照",
    "see references/x.md",
    "Read references/duty-rates.md before you start.",
    "Run `scripts/convert_rates.py` on the export.",
    "料金は references/fees.md を参照。",
    "For the field list, consult `references/field-list.md`.",
    "Before adding fields, check `references/schema.md`.",
    "Details are in `references/details.md`.",
    "Use the template at `assets/report.xlsx` to create the report.",
    "Execute `python scripts/merge_all.py --fast` to merge.",
    "- `references/fields.md` the fields\\\n- `references/units.md` the units",
    "Lies references/preise.md vor dem Start.",
    "After writing the file, run `scripts/validate_out.py`.",
    "Then run `scripts/fix_all.sh` to remove duplicates.",
    "The scoring rules are in `references/scoring-rules.md`.",
    "For details on the new format, see `references/format-two.md` and [fields](references/fields.md).",
    "Copy the header from `assets/header.txt`.",
    "Copy `assets/report.xlsx` to the output folder.",
    "Copy the template `assets/report.xlsx` as your starting point.",
    "Copy `examples/model.xlsx` as your starting point.",
    "Kopiere die Datei `assets/bericht.xlsx` in den Ordner.",
    "A finished report is provided in `examples/report-may.xlsx`.",
    "More rates are available in `references/rates-two.md`.",
    "Read `templates/viewer.html` and keep its structure.",
    "See `resources/glossary.md` for the terms.",
]


@pytest.mark.parametrize("body", FILES_GONE)
def test_speaks_ref_dead(repo: Repo, body: str) -> None:
    assert found(repo, body) == ["REF_DEAD"]


LINKS = [
    '<a href="references/gone3.md">a</a>',
    '<img src="references/x.png">',
    'text <a href="references/gone3.md">a</a> and',
    "[questions](references/FAQ.md)",
    "[the checklist](references/CHECKLIST.md) comes first.",
    "Read [new carriers](references/new-carriers.md).",
    '<a href="references/carriers.html">carriers</a>',
    "![map](references/sample-map.png)",
    "- [skill](references/skill.md): how it works",
    "Read <a class=\"x\" href='references/guide-two.md'>this</a> now.",
    "[TODO list](references/todo.md#open)",
    "If you add a carrier, update [the list](references/carrier-list.md).",
    "[the page](references/FAQ.md)",
    "[the page](references/API.md)",
    "[the page](references/CHECKLIST.md)",
    "[the page](references/LICENSE)",
    "[the page](references/EXAMPLES.md)",
    "[the page](references/examples.md)",
    "[the page](references/example-prompts.md)",
    "[the page](references/sample-report.md)",
    "[the page](references/new-features.md)",
    "[the page](references/other-tools.md)",
    "[the page](references/target-audience.md)",
    "[the page](references/my-sql.md)",
    "[the page](references/plugin-name.md)",
    "[the page](references/skill.md)",
    "[the page](references/todo.md)",
    "[the page](references/path.md)",
]


@pytest.mark.parametrize("body", LINKS)
def test_speaks_orphan_reference(repo: Repo, body: str) -> None:
    assert found(repo, body) == ["ORPHAN_REFERENCE"]


SILENT = [
    "Use `agents/openai.yaml` for the model.",
    "See `skills/registry.json`.",
    "Run `agents/planner2.py`.",
    "Run `skills/real-one/scripts/gone.py`.",
    "`skills/tag-writer/SKILL.md` を作成します",
    "`skills/tag-writer/SKILL.md` 파일을 생성합니다",
    "生成 `skills/tag-writer/SKILL.md`",
    "把结果写入 `skills/tag-writer/SKILL.md`",
    "例如 `skills/tag-writer`",
    "例：`skills/tag-writer`",
    "예: `skills/tag-writer` 사용",
    "Por ejemplo, usa `skills/tag-writer`",
    "Nutze z. B. `skills/tag-writer`",
    "Utilisez p. ex. `skills/tag-writer`",
    "Crea `skills/tag-writer/SKILL.md`",
    "Crie `skills/tag-writer/SKILL.md`",
    "Créez `skills/tag-writer/SKILL.md`",
    "Erstelle `skills/tag-writer/SKILL.md`",
    "Guarda en `skills/tag-writer/SKILL.md`",
    "Never link as `skills/tag-writer`.",
    "Do not reference `skills/tag-writer`.",
    "Bad: `skills/tag-writer`",
    "❌ `skills/tag-writer`",
    "Unlike `skills/tag-writer`, `skills/real-one` prints.",
    "`skills/old` → `skills/new`",
    "`skills/tag-writer` was removed in 2.0",
    "If `skills/x/SKILL.md` exists, read it",
    "Check whether `skills/tag-writer/SKILL.md` exists in the user's project",
    "See `skills/tag-writer` (optional)",
    "In `acme/tools` see skills/foo-2",
    "In the repo [acme/tools](https://github.com/acme/tools) see skills/foo-2",
    "In the repo [acme/tools](https://example.org/acme/tools) see skills/bar-thing",
    "Soft skills/hard-skills",
    "sales/agents/brokers-2",
    "Reach skills/level-3",
    "See `docs/agents/issue-tracker.md`.",
    "references/$TOPIC.md",
    "[t](references/$TOPIC.md)",
    "[a](references/fields.md:12)",
    "Create `skills/parcel-track/SKILL.md` with this frontmatter.",
    "Die neue Fertigkeit in `skills/paket-spur/SKILL.md` speichern.",
    "将生成的技能保存到 `skills/parcel-track/SKILL.md`。",
    "`skills/parcel-track/SKILL.md` に書き込みます。",
    "`skills/parcel-track` 폴더를 만듭니다.",
    "Crée `skills/suivi-colis/SKILL.md` puis remplis-le.",
    "Never use `skills/parcel-track`; it is unsafe.",
    "`skills/parcel-track` was merged into `skills/label-print` in 3.0.",
    "If `skills/parcel-track` is installed, use it.",
    "Use `skills/parcel-track` when available.",
    "A good name is short, e.g. `skills/parcel-track`.",
    "Por ejemplo, usa `skills/rastreo-paquetes`.",
    "In the `acme/warehouse` repo, read `skills/parcel-track/SKILL.md`.",
    "Good soft skills/people-skills matter here.",
    "Raise your skills/level-7 before the exam.",
    "The file `agents/openai.yaml` sets the model.",
    "Read `docs/agents/tracker.md` of the project.",
    "├── skills/parcel-track/",
    "Copy the result into your project's `references/result.md`.",
    "Save the summary to references/summary.md and go on.",
    "Link such files as [text](references/topic.md), for example.",
    "See `references/<topic>.md` for each topic.",
    "[line](references/fields.md:3)",
    "Write `scripts/check.py` first, then run `scripts/check.py`.",
    "A sentence about skills/agents/commands and agent/skill lists.",
    "Skills live in `skills/some-name/SKILL.md`.",
    '<!-- <a href="references/none.md">x</a> -->',
    "❌ Read `skills/parcel-track/SKILL.md`",
    "We moved `skills/old-ship` to `skills/label-print`.",
    "The command writes `skills/ship-plan/SKILL.md` for you.",
    "Output: `skills/ship-plan/SKILL.md`",
    "Add a section to `skills/ship-plan/SKILL.md` that lists ports.",
    "Name the folder after the task (`skills/ship-plan`).",
    "Users keep their own skills in `skills/ship-plan` of the target project.",
    "Check whether `skills/ship-plan/SKILL.md` exists.",
    "When `agents/planner-two.md` is missing, go on without it.",
    "Don't call `skills/ship-plan` directly.",
    "Avoid using `skills/ship-plan` in production.",
    "`skills/ship-plan` (deprecated)",
    "Formerly `skills/ship-plan`.",
    "`skills/ship-plan` → `skills/label-print`",
    "The path looks like `skills/ship-plan/SKILL.md`.",
    "A skill such as `skills/ship-plan` has one job.",
    "Bad: see `skills/ship-plan`.",
    "Wie `skills/versand-plan` aussehen kann, z. B. `skills/versand-plan`.",
    "Lege `skills/versand-plan/SKILL.md` an.",
    "Si existe `skills/plan-envio`, úsalo.",
    "例: `skills/ship-plan/SKILL.md` を使う。",
    "例如使用 `skills/ship-plan`。",
    "不要使用 `skills/ship-plan`。",
    "新しいスキルは `skills/ship-plan/SKILL.md` に保存します。",
    "`skills/ship-plan` 스킬은 삭제되었습니다.",
    "예를 들어 `skills/ship-plan`을 사용합니다.",
    "See the repo [acme/ship](https://github.com/acme/ship) for skills/ship-plan.",
    "Strong writing skills/communication-skills are needed.",
    "We compare sales/agents/brokers-3 each week.",
    "`skills/real-one/scripts/gone.py` and `skills/index.json` are generated.",
    "mkdir -p skills/ship-plan and then edit it.",
    "The output goes to `references/out.md`.",
    "See your `references/notes.md` if it exists.",
    "Store results in `assets/out/` and read `assets/out/a.json` later.",
    "If `references/extra.md` is present, read it.",
    "`references/old.md` was removed in 2.0.",
    "[x](references/your-topic.md) [y](references/path/to/file.md) [z](references/{name}.md)",
    '```html\\\n<img src="references/none.png">\\\n```',
    'Use `<a href="references/none.md">` for links.',
    '<code><a href="references/none.md">x</a></code> shows a link.',
    "Run `python scripts/run.py --out references/result.md`.",
    "If the skill is installed, use `skills/welcome-mail`.",
    "If present, read `skills/welcome-mail/SKILL.md`.",
    "Optionally use `skills/welcome-mail`.",
    "Write the new skill as `skills/welcome-mail/SKILL.md`.",
    "This makes a folder `skills/welcome-mail` in the target repo.",
    "You may name it skills/welcome-mail.",
    "Each line of the file reads `skills/NAME`.",
    "The linter prints `skills/welcome-mail/SKILL.md:3: too long`.",
    "We once had `skills/welcome-mail`, which is gone.",
    "Copy `skills/label-print` to `skills/my-label`.",
    "Rename `skills/label-print` to `skills/print-label`.",
    "A pull request that adds `skills/welcome-mail` needs tests.",
    "Do not create `skills/welcome-mail` by hand.",
    "`agents/*.md`, `agents/<name>.md` and `agents/your-agent.md` are read.",
    "Paths: `skills/welcome-mail`, `commands/x.md`",
    "Erzeuge die Datei `skills/neu-es/SKILL.md` und verwende sie.",
    "`skills/welcome-mail` を新規に追加してください。",
    "`skills/welcome-mail`라는 이름으로 저장하세요.",
    "在用户项目中查看 `skills/welcome-mail`。",
    "O arquivo `skills/novo-tal/SKILL.md` será criado.",
    "El archivo `references/salida.md` se genera al final.",
    "Le fichier `references/sortie.md` est créé par le script.",
    "Place the export in `assets/export.csv`.",
    "The script writes `references/log.md`, then reads it.",
    "References look like `references/abc.md`.",
    "`../../lib` is a folder of the repository, not a skill.",
    "`skills/welcome-mail/config.json` holds the keys.",
    "Open `agents/prompt.txt` first.",
    "次のスキルを作成します：`skills/welcome-mail/SKILL.md`",
    "`skills/welcome-mail` 디렉터리를 추가합니다",
    "Enregistrez le résultat dans `skills/bienvenue/SKILL.md`.",
    "Salve em `skills/boas-vindas/SKILL.md`.",
    "Não use `skills/boas-vindas`.",
    "N'utilisez pas `skills/bienvenue`.",
    "Verwende niemals `skills/willkommen`.",
    "No uses `skills/bienvenida`.",
    "`skills/welcome-mail` を使わないでください。",
    "`skills/welcome-mail`을 사용하지 마세요.",
    "`skills/welcome-mail` 已被删除。",
    "Use `skills/welcome-mail` if it is installed.",
    "Lies `skills/willkommen`, falls vorhanden.",
    "  └── skills/welcome-mail",
    "See github.com/acme/mail for skills/welcome-mail.",
    "Team skills/sub-skills are listed.",
    "Read `docs/skills/welcome-mail/SKILL.md` in the wiki.",
    "Copy the header to `assets/header.txt`.",
    "Copy the .pptx into `assets/deck.pptx`.",
    "Copy `references/fields.md` to the desk.",
    "Copied drafts end up in `assets/drafts.md`.",
    "Pages live in `templates/base.html`.",
    "Save the result as `examples/out.md`.",
    "`templates/` holds the pages of the app.",
    "Look at names like `templates/base.html`.",
    "In the user's project, read `templates/base.html`.",
    "Read `examples/` of the library.",
    "In `acme/tools` see references/foo-2.md",
    "- [Related page](./path.md)",
]


@pytest.mark.parametrize("body", SILENT)
def test_stays_silent(repo: Repo, body: str) -> None:
    assert found(repo, body) == []


def test_a_paragraph_of_its_own(repo: Repo) -> None:
    assert found(repo, "skills/gone-one") == ["DEAD_CROSS_REF"]
    assert found(repo, "Read these:\n\n`skills/gone-one`") == ["DEAD_CROSS_REF"]
    assert found(repo, "This creates:\n\n`skills/gone-one`") == []
    assert found(repo, "Only a sentence. `skills/gone-one`") == []


def test_what_was_renamed_and_is_still_used(repo: Repo) -> None:
    assert found(repo, "Continue with `skills/gone-one` (was renamed).") == ["DEAD_CROSS_REF"]
    assert found(repo, "`skills/gone-one` was renamed.") == []
    assert found(repo, "- `references/gone.md` (removed)\n- [fields](references/fields.md)") == []


def test_bare_words_beside_a_real_sibling(repo: Repo) -> None:
    assert found(repo, "Use skills/label-print for the input and skills/no-such for the rest.") == ["DEAD_CROSS_REF"]
    assert found(repo, "skills/label-print replaces skills/no-such, which was dropped.") == []


def test_what_the_skill_makes_itself(repo: Repo) -> None:
    assert found(repo, "Create `skills/my-two/SKILL.md`.\n\nThen read `skills/my-two/SKILL.md`.") == []
    assert found(repo, "Store results in `assets/out/`.\n\nRead `assets/out/a.json`.") == []
    assert found(repo, "Read `scripts/a.py`.\n\n```bash\ntouch scripts/a.py\n```") == []


def test_a_list_counts_whole(repo: Repo) -> None:
    assert (
        found(repo, "See `references/FAQ.md`, `references/new-features.md` and `references/gone2.md`.")
        == ["REF_DEAD"] * 3
    )
    assert found(repo, "Read `skills/gone-one`, `skills/gone-two` or `skills/label-print`.") == ["DEAD_CROSS_REF"] * 2


def test_a_sibling_repository_is_no_skill(repo: Repo) -> None:
    assert found(repo, "[ECC-Tools](../../ECC-Tools) and [lib](../../lib)") == ["REF_DEAD"] * 2


def test_a_real_path_needs_no_words(repo: Repo) -> None:
    for body in (
        "@skills/real-six/SKILL.md",
        "@../real-six/SKILL.md",
        "`skills/real-six`",
        "`${CLAUDE_PLUGIN_ROOT}/skills/real-six/SKILL.md`",
    ):
        assert found(repo, body) == []


def test_as_many_stay_silent_as_speak() -> None:
    assert len(SILENT) >= len(CROSS) + len(FILES_GONE) + len(LINKS) - 4

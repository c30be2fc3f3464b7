"""What is a cue and what only looks like one, kind by kind: sentences in every language with a table."""

import pytest

from plugin_eval_ci.languages import only_denies, says_when, trigger
from plugin_eval_ci.languages.reading import LANGUAGES
from plugin_eval_ci.rules.missing_trigger import says_plainly

# A "not" within the situation denies nothing; one said of the skill, behind it, does.
NEGATION_SPEAKS = """
사용자가 "로그 지워줘"라고 말할 때 이 스킬을 사용합니다.
'테스트 돌려줘'라고 말하면 바로 호출합니다.
어떤 도구를 써야 할지 모르겠다고 말하면 사용하세요.
주말에 정말 느릴 때 사용.
연말 정산을 계산할 때 사용합니다.
결말이 어색하다고 하면 사용한다.
고칠지 말지 결정할 때 활용하세요.
사용자가 캐시를 쓰지 않는 방법을 물으면 답합니다.
当用户想要不依赖框架的写法时使用。
当用户要求避免使用全局变量时调用。
在不使用数据库的前提下存数据时使用。
当有人说“请勿使用缓存”时启用。
用户说「不要使用索引」时调用本技能。
当用户坚持不使用云服务而自己部署时使用。
ユーザーがクッキーを使用しない方法を尋ねたときに使用する。
ユーザーがnpmを使えないと言った場合に利用します。
「使用しないでください」と言われたときに参照する。
外部APIを使わない構成を相談された際に使う。
When a reviewer asks why the team does not use mocks.
Whenever somebody says they never use branches.
If the user wants to know why we don't load the cache.
When someone says "do not use this skill for tests", explain it.
Wenn der Kunde keine Cloud verwenden darf.
Wenn jemand sagt, er wolle Git nicht benutzen.
Sobald der Nutzer meldet, dass Tests nicht ausgeführt werden.
Cuando el cliente no quiere usar plantillas.
Si el usuario dice que nunca usa pruebas, propone algunas.
Quando o cliente não quer usar planilhas.
Se o usuário diz que nunca usa testes, sugere alguns.
Quand l'utilisateur n'utilise pas de tests et en veut.
Lorsque le client ne veut pas utiliser le cloud.
"""
NEGATION_SILENT = """
사용자가 요리법을 물으면 이 스킬을 사용하지 마세요.
사용자가 잡담을 원할 때는 사용하지 않습니다.
휴일에 요청할 때 사용 금지.
급할 때는 절대 호출하지 마십시오.
결제를 바꾸는 경우에는 이 스킬을 쓰지 마세요.
초안을 쓸 때는 적용하지 않는다.
당일 배송을 묻는 경우 사용하면 안 됩니다.
사용자가 과일을 찾으면 먼저 이 스킬을 실행하지 말 것.
当用户闲聊时请勿使用本技能。
当用户询问天气时，不要使用。
切勿在发布期间需要回滚时调用。
请不要将本技能用于图片。
用户提到水果时禁止使用。
请勿在休息时启用此技能。
不适用场景：当用户询问菜谱时。
如果用户只是打招呼，请勿调用。
ユーザーが雑談を求めたときは使用しないでください。
ユーザーが料理を質問した場合、このスキルを使わない。
休日の依頼の場合は使用禁止。
緊急時には絶対に使用しないこと。
質問されたときは利用しない。
When the user asks for poems, never use this skill.
If someone wants a refund, please do not invoke it.
When a customer asks for fruit, use the fruit skill instead.
If the user mentions recipes, this skill should not be used.
Wenn der Kunde nach Rezepten fragt, diesen Skill nicht verwenden.
Wenn jemand Obst sucht, verwende diesen Skill nicht.
Beim Kochen nicht verwenden.
Cuando el cliente pide recetas, no la uses.
Quando o cliente pedir receitas, não use.
Quand l'utilisateur demande des recettes, ne pas utiliser.
"""
# A denied phrase may hold or stand before a good one.
BEHIND_SPEAKS = """
Do not use this to print, but use it when a label is torn.
Never invoke it for fruit; invoke it when tins arrive.
Not useful for depots, useful when a shelf is empty.
请勿在下雨时使用；当用户询问库存时使用。
起動時に使用しない設定を調べるときに使用する。
시작할 때 사용하지 않는 설정을 찾을 때 사용합니다.
No la uses si el usuario pide fruta. Si pide latas, úsala cuando falten.
Nicht bei Obst verwenden; verwenden, wenn Dosen fehlen.
"""
BEHIND_SILENT = """
Do not use this to print or when the user has a torn label.
Never invoke it for fruit, never when tins arrive.
Not useful for depots.
请勿在下雨时使用，也不要在下雪时使用。
起動時に使用しない。終了時にも使用しない。
시작할 때 사용하지 마세요. 끝날 때도 사용하지 마세요.
No la uses si el usuario pide fruta ni cuando pida latas.
Nicht bei Obst verwenden.
"""
ADVERBS_SPEAKS = """
YAMLを変更する際は必ずこのスキルを使うこと。
次の語を含む場合は常に本スキルを利用：棚、箱
出荷時には自動で本スキルを起動する。
棚卸し時、まずこのスキルを読み込む。
検品時はまず必ずこのスキルを参照。
"""
ADVERBS_SILENT = """
YAMLを変更する際は絶対にこのスキルを使わないこと。
棚卸し時には決して本スキルを起動しない。
検品時はまず箱を開ける。
出荷時に自動で印刷する仕組み。
棚卸し時に使う秤の一覧。
"""
OPENING_SPEAKS = """
As soon as a pallet tips over, call the depot with this.
Before you close the till, walk through these steps.
After unloading a truck, this counts the crates.
During inventory of a shop.
If two counts differ, begin with this.
When several depots share one truck, plan the tour.
Once the order is signed, print the labels.
While unloading, keep this list at hand.
Plans tours. The moment a driver calls in sick, replan.
Cuando llega un camión, revisa la carga.
Antes de cerrar la caja, repasa estos pasos.
Al descargar un camión, cuenta las cajas.
Si dos recuentos difieren, empieza aquí.
Quando chega um caminhão, confere a carga.
Antes de fechar o caixa, siga estes passos.
Ao descarregar um caminhão, conta as caixas.
Se duas contagens diferem, comece aqui.
Lorsqu'un camion arrive, contrôle le chargement.
Avant de fermer la caisse, suivez ces étapes.
Après le déchargement, compte les colis.
Si deux comptes diffèrent, commencez ici.
Wenn ein Lastwagen ankommt, prüft es die Ladung.
Bevor du die Kasse schließt, geh diese Schritte durch.
Beim Entladen zählt es die Kisten.
Sobald zwei Zählungen abweichen, hilft dieser Skill.
"""
OPENING_SILENT = """
When expressions and guards of Kotlin, explained.
Before/after pictures of shelves.
After Effects templates for labels.
Once a week it prints a list.
If-else chains made short.
While loops in Bash.
Reports, after each delivery, on the depot.
Sends a note when the scale breaks.
Labels that look good before and after washing.
Envía un aviso cuando se rompe la báscula.
Informes del almacén, antes y ahora.
El antes y el después del almacén.
Lista de precios sin descuentos.
Envia um aviso quando a balança quebra.
Relatórios do armazém, antes e agora.
Casos de uso da balança.
Lista de preços sem descontos.
Envoie une note quand la balance casse.
Rapports du dépôt, avant et maintenant.
Avantages du dépôt en photos.
Liste des prix sans remise.
Schickt eine Notiz, wenn die Waage bricht.
Berichte über das Lager, vorher und nachher.
Nachdenkliches über das Lager.
Vorlagen für Etiketten im Lager.
"""
VERBS_SPEAKS = """
Engage whenever freight is late.
Utilise this agent before any delivery.
Leverage this skill while planning tours.
Deploy this agent when a strike looms.
Summon this when nobody knows the depot.
Enable this guide when writing labels.
Kicks in when a count differs.
Relevant when two depots merge.
Applicable when a seal is broken.
Designed for situations where the scale is off.
Intended for the night shift.
Meant for small depots.
Made for drivers.
Best suited to seasonal stock.
Run through this list prior to a delivery.
Applies to any parcel.
The go-to guide for anything involving pallets.
Activate on: lost parcel, torn label.
Use cases: counting, weighing.
Keywords: shelf, stock.
Always use on pallets.
Handles questions like "where is my parcel".
Prints labels, and answers any question about stock.
Reach for this the moment a label tears.
Invócalo en cuanto llegue un camión.
Sirve para contar cajas cuando faltan.
Palabras clave: estante, caja
Pensada para almacenes pequeños.
Invoque-a assim que chegar um caminhão.
Serve para contar caixas quando faltam.
Palavras-chave: estante, caixa
Faites appel à ce skill dès qu'un camion arrive.
Convient pour compter les colis.
Mots-clés : rayon, colis
Greift immer, sobald eine Kiste fehlt.
Kommt zum Einsatz, wenn eine Kiste fehlt.
Schlüsselwörter: Regal, Kiste
关键词：货架、库存
キーワード：棚、在庫
키워드: 선반, 재고
"""
VERBS_SILENT = """
Engages customers with puzzles.
Utilises scales of all kinds.
Leverages Redis for speed.
Deploys services to the cloud.
Summons a courier.
Enables offline labels.
Relevant laws of trade.
Applicable prices by region.
Designed for speed.
A depot intended for grain.
Best practices of depots.
Runs through the list of parcels.
Applies discounts to parcels.
Activates licences of scales.
Use cases of the depot in detail.
Keywords of Java, one by one.
Handles requests over HTTP.
Handles questions.
Always on time.
Answers the phone.
Not relevant when depots merge.
Never engage when freight is late.
Do not keep this for drivers.
Not intended for the night shift.
Not meant for drivers.
Unsuited to big depots.
Sirve archivos estáticos por HTTP.
Evita palabras raras en etiquetas.
No sirve para contar cajas.
Invoca funciones remotas.
Serve arquivos estáticos por HTTP.
Não serve para contar caixas.
Não é pensada para armazéns grandes.
Fait la liste des colis.
Ne convient pas pour compter.
Greift auf die Datenbank zu.
Kommt mit drei Vorlagen.
提取关键词并生成标签云。
重要なキーワードを抽出する。
핵심 키워드를 추출합니다.
"""
SUBJECT_SPEAKS = """
This skill activates when freight is late.
Counts parcels. Triggered when a truck arrives.
It is ideal for small shops.
The agent is invoked when a seal breaks.
Counts crates, useful when stock is low.
Use it when expressions of regret are due.
ユーザーがログインの不具合を相談したときに答えるスキル。
ユーザーがログインできないと言ったときに調べる。
사용자가 로그인 오류를 문의하면 답합니다.
사용자가 로그인할 때 사용하는 스킬입니다.
当用户登录失败并要求排查时使用。
Se activa cuando llega un paquete.
Se déclenche quand un colis arrive.
É ideal para lojas pequenas.
Der Skill wird geladen, wenn ein Paket ankommt.
Esta habilidad es ideal para tiendas.
Cette compétence est idéale pour les boutiques.
"""
SUBJECT_SILENT = """
Shows how to use when expressions and guards.
Hooks are invoked when a seal breaks.
An alarm that triggers when a truck arrives.
A scale ideal for small shops.
Stores a receipt that is loaded when a parcel leaves.
Learn how to use if statements in Go.
ユーザーが退会したときにメールを送るバッチ。
ユーザーがログインしたときに表示する画面。
사용자가 가입할 때 메일을 보내는 서버입니다.
사용자가 로그인할 때 사용하는 토큰을 관리합니다.
登录时使用的令牌库。
Una alarma que se activa cuando llega un paquete.
Une alarme qui se déclenche quand un colis arrive.
Um alarme que dispara quando chega um pacote.
Ereignisse werden ausgelöst, wenn ein Paket ankommt.
Eventos activados, el icono es ideal para tiendas.
O evento é acionado quando chega um pacote.
L'icône est idéale pour les boutiques.
"""
DENIES = """
Do not use for fruit. Never on Sundays.
Not for large depots.
This skill should never be used on fruit.
When the user asks for fruit, do not use it.
不要用于水果。
用户闲聊时请勿使用。
果物には使用しない。
과일에는 사용하지 마세요.
No usar con fruta.
Evite em produção.
Jamais en production.
Diesen Skill nicht bei Regen einsetzen.
"""
WORDS_THE_SITUATIONS = """
Lost pallets, torn labels
Tests that do not run
Not just fruit: any parcel
Anything about depots. Not for fruit.
货架空了
在庫の質問
테스트가 통과하지 않음
Pruebas que no pasan
Perguntas de estoque
Tests qui ne passent pas
Tests, die nicht bestehen
x
"""
SPEAKS = "\n".join(name for key, name in globals().items() if key.endswith("_SPEAKS")).split("\n")
SILENT = "\n".join(name for key, name in globals().items() if key.endswith("_SILENT")).split("\n")
PLAIN = (
    "Use when expressions in Kotlin get long.",
    "Shows how to use when expressions in Kotlin.",
    "Knows which filters to apply before merging.",
    "Webhooks you invoke after a push.",
    "Counts used when shelves are read.",
    "Things to use for fun.",
    "Not for tins. Use for fruit.",
    "Use this skill to count.",
    "Use for tins.",
)


@pytest.mark.parametrize("sentence", list(filter(None, SPEAKS)))
def test_speaks(sentence: str) -> None:
    assert trigger(sentence)


@pytest.mark.parametrize("sentence", list(filter(None, SILENT)))
def test_stays_silent(sentence: str) -> None:
    assert not trigger(sentence)


def test_as_many_are_silent_as_speak() -> None:
    for kind in ("NEGATION", "BEHIND", "ADVERBS", "OPENING", "VERBS", "SUBJECT"):
        speaks, silent = (globals()[f"{kind}_{side}"].strip().split("\n") for side in ("SPEAKS", "SILENT"))
        assert len(silent) >= len(speaks), kind


@pytest.mark.parametrize("text", DENIES.strip().split("\n"))
def test_a_text_that_only_denies_is_no_cue(text: str) -> None:
    assert only_denies(text)
    assert not says_when("Counts tins.", text)


@pytest.mark.parametrize("text", WORDS_THE_SITUATIONS.strip().split("\n"))
def test_when_to_use_is_the_cue_in_any_words(text: str) -> None:
    assert not only_denies(text)
    assert says_when("Counts tins.", text)


def test_without_any_text_nothing_is_said() -> None:
    assert not says_when("", "")
    assert not says_when("Counts tins.", " \n")
    assert not only_denies("")
    assert says_when("Use when tins fall.")


@pytest.mark.parametrize("text", [*PLAIN, *filter(None, SPEAKS), *filter(None, SILENT)])
def test_the_short_cut_finds_nothing_that_the_tables_do_not(text: str) -> None:
    assert not says_plainly(text) or trigger(text)


def test_every_table_says_what_refuses() -> None:
    assert all(language.refusal for language in LANGUAGES)

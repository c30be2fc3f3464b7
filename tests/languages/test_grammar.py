"""The forms that people write in every language, and their look-alikes; texts in other languages; the first person."""

import pytest

from plugin_eval_ci.languages import first_person, is_supported, trigger

ACCEPTED = {
    "en": """TRIGGERS - pump on, pump off
        Waters beds. TRIGGERS — dry bed, wilted leaf
        Trigger with "water the beds" or a photo of a bed.
        Waters beds. Triggered by a frost warning.
        Use with a signed work order, before the van leaves.
        Use only in the cold store.
        Use across all three greenhouses.
        Use against a draft timetable.
        Use at the end of a harvest.
        Only activate in a Gradle build.
        Always invoke for work on claims.
        Always load when a ledger is open.
        Please always use for customs forms.
        You must always consult before signing.
        Automatically apply to invoices with two currencies.
        Mixes paint. Always use this skill.
        Mixes paint. Load as soon as a colour code appears.
        Mixes paint. Invoke once the primer is dry.
        Mixes paint. Mandatory whenever lead paint is found.
        Mixes paint. Use is mandatory before every second coat.
        Mixes paint. Compulsory for every outdoor wall.
        Mixes paint. Just say "mix me a green".
        Mixes paint. Responds to "what shade is this".
        Mixes paint. Responds to questions about shades.
        Mixes paint. Reacts to requests for samples.
        Mixes paint. Say "paint" to begin.
        Mixes paint. Immediately load upon a spill.
        Sorts post. Use when a parcel has no label.
        Sorts post. Use if the address is torn.
        Sorts post. Use prior to the evening round.
        Sorts post. This skill should be used when a sack arrives.
        Sorts post. Invoke this skill whenever a stamp is missing.
        Sorts post. Whenever the user asks about a parcel, start here.
        Sorts post. Before you close the depot, count the sacks.
        Sorts post. Trigger phrases: lost parcel, torn label
        Sorts post. When to use: a parcel came back.
        Sorts post. Ideal for rural rounds.
        Sorts post. Best used after the morning train.
        Sorts post. Use PROACTIVELY on Mondays.
        Sorts post. For questions about customs duty.
        Sorts post. Also activate for registered mail.
        Sorts post. Exclusively use for express letters.""",
    "zh": """修剪果树。触发词 - 剪枝、疏果
        修剪果树。触发条件：枝条过密
        修剪果树。处理果园任务时必须加载。
        修剪果树。一旦发现病叶，立即使用。
        修剪果树。仅在果园项目中启用。
        修剪果树。始终加载此技能。
        修剪果树。说“剪一下这棵树”。
        修剪果树。当用户询问剪枝时间时使用。
        修剪果树。適用於老樹。
        修剪果樹。觸發詞 — 剪枝
        修剪果樹。當使用者要求疏果時使用。
        修剪果树。在冬季之前，使用本技能。
        修剪果树。每当出现虫害时调用。
        修剪果树。务必在嫁接任务中使用。
        修剪果树。优先对老树使用。
        修剪果树。如果用户提到果园，请使用此技能。
        修剪果樹。只要使用者說到果園就使用。
        修剪果树。使用场景：枝条折断
        修剪果树。主动使用。
        修剪果树。配合果园地图使用。""",
    "ja": """棚の手順。在庫表の作成では必ず使う。
        棚の手順。「数えて」でもロードする。
        棚の手順。「棚卸し」などに使用。
        棚の手順。在庫の確認に使う。
        棚の手順。トリガー - 棚卸し、欠品
        棚の手順。トリガー：棚卸し
        棚の手順。注文が届き次第、起動する。
        棚の手順。出荷の前には必須。
        棚の手順。「足りない」に反応します。
        棚の手順。倉庫の地図と一緒に使う。
        棚の手順。欠品が見つかったときに使用。
        棚の手順。ユーザーが在庫を質問した場合に使う。
        棚の手順。入荷した際に必ず利用する。
        棚の手順。依頼された場合、このスキルを使用。
        棚の手順。検品作業に使用する。
        棚の手順。冷蔵庫の点検には必ず使用。
        棚の手順。納品書の修正に利用する。
        棚の手順。棚が空になったら自動的に起動。
        棚の手順。ラベルの変更でのみ使う。
        棚の手順。月末の集計に使う。""",
    "ko": """선반을 센다. 트리거 - 재고, 결품
        선반을 센다. 트리거: 재고
        선반을 센다. 재고 작업에는 반드시 사용.
        선반을 센다. 창고에서만 사용합니다.
        선반을 센다. 주문이 도착하자마자 실행.
        선반을 센다. 출고 전에는 필수입니다.
        선반을 센다. "재고 알려줘"라고 말하면 시작.
        선반을 센다. "몇 개야"에 반응합니다.
        선반을 센다. 창고 지도와 함께 사용합니다.
        선반을 센다. 재고를 확인할 때 사용.
        선반을 센다. 상자가 빈 경우에 사용합니다.
        선반을 센다. 사용자가 재고를 물으면 답한다고 요청하면 사용.
        선반을 센다. 입고 후 반드시 실행.
        선반을 센다. 요청 시 자동으로 호출.
        선반을 센다. 사용 시점: 월말
        선반을 센다. 라벨을 바꾸는 작업에 사용합니다.
        선반을 센다. 야간 점검에 적합.
        선반을 센다. 키워드: 재고, 선반
        선반을 센다. 결품이 발견되면 사용.
        선반을 센다. 냉장 창고에서는 항상 사용.""",
    "es": """Riega el huerto. Activadores - riego, sequía
        Riega el huerto. Disparador: sequía
        Riega el huerto. Usar con un plano de las parcelas.
        Riega el huerto. Solo activar en invernaderos.
        Riega el huerto. Siempre invocar para trabajos en el huerto.
        Riega el huerto. Cargar siempre que falte agua.
        Riega el huerto. Obligatorio antes de la siembra.
        Riega el huerto. Imprescindible cuando hay helada.
        Riega el huerto. Di "riega el huerto".
        Riega el huerto. Responde a «hay sequía».
        Riega el huerto. Usar tan pronto como falte agua.
        Riega el huerto. Activar en cuanto se seque la tierra.
        Riega el huerto. Usar una vez que la bomba esté lista.
        Riega el huerto. Usar cuando el suelo está seco.
        Riega el huerto. Úsalo si hay poca agua en el pozo.
        Riega el huerto. Cuando el usuario pida agua, empieza aquí.
        Riega el huerto. Ideal para los huertos pequeños.
        Riega el huerto. Se activa cuando baja el pozo.
        Riega el huerto. Utilizar antes de la cosecha.
        Riega el huerto. Aplicar apenas salga el sol.""",
    "pt": """Rega a horta. Gatilhos - rega, seca
        Rega a horta. Gatilho: seca
        Rega a horta. Use com um mapa da horta.
        Rega a horta. Somente ativar em estufas.
        Rega a horta. Sempre invocar para trabalhos na horta.
        Rega a horta. Carregar sempre que faltar água.
        Rega a horta. Obrigatório antes de semear.
        Rega a horta. Imprescindível quando há geada.
        Rega a horta. Diga "rega a horta".
        Rega a horta. Responde a "há seca".
        Rega a horta. Usar logo que faltar água.
        Rega a horta. Ativar assim que a terra secar.
        Rega a horta. Usar uma vez que a bomba esteja pronta.
        Rega a horta. Use quando o solo está seco.
        Rega a horta. Utilize se há pouca água no poço.
        Rega a horta. Quando o usuário pedir água, comece aqui.
        Rega a horta. Ideal para as hortas pequenas.
        Rega a horta. Utilizar após a colheita.
        Rega a horta. Acionar toda vez que o poço baixar.
        Rega a horta. Use diante de uma seca.""",
    "fr": """Arrose le potager. Déclencheurs - arrosage, sécheresse
        Arrose le potager. Déclencheur : sécheresse
        Arrose le potager. À utiliser avec un plan des parcelles.
        Arrose le potager. Uniquement activer dans une serre.
        Arrose le potager. Toujours invoquer pour les semis.
        Arrose le potager. Charger dès que la terre est sèche.
        Arrose le potager. Obligatoire avant le semis.
        Arrose le potager. Indispensable lorsque le gel menace.
        Arrose le potager. Dites « arrose les semis ».
        Arrose le potager. Réagit à "il fait sec".
        Arrose le potager. Utiliser aussitôt que le puits baisse.
        Arrose le potager. Utiliser une fois la pompe prête.
        Arrose le potager. À utiliser quand le sol est sec.
        Arrose le potager. Utilisez-la pour les semis en serre. À utiliser en été.
        Arrose le potager. Lorsque l'utilisateur demande de l'eau, commencer ici.
        Arrose le potager. Idéal pour les petites parcelles.
        Arrose le potager. S'active quand le puits baisse.
        Arrose le potager. Utiliser avant la récolte.
        Arrose le potager. Appliquer en cas de canicule.
        Arrose le potager. Toujours utiliser sur les jeunes plants.""",
    "de": """Gießt die Beete. Auslöser - Gießen, Dürre
        Gießt die Beete. Auslöser: Dürre
        Gießt die Beete. Verwenden mit einem Plan der Beete.
        Gießt die Beete. Nur aktivieren in einem Gewächshaus.
        Gießt die Beete. Immer laden für die Arbeit an Beeten.
        Gießt die Beete. Laden, sobald die Erde trocken ist.
        Gießt die Beete. Pflicht vor der Aussaat.
        Gießt die Beete. Zwingend, wenn Frost droht.
        Gießt die Beete. Sag "gieß die Beete".
        Gießt die Beete. Reagiert auf „es ist trocken“.
        Gießt die Beete. Verwenden, wenn der Boden trocken ist.
        Gießt die Beete. Nutzen, falls der Brunnen leer ist.
        Gießt die Beete. Bei Fragen zur Dürre verwenden.
        Gießt die Beete. Wenn der Nutzer nach Wasser fragt, hier beginnen.
        Gießt die Beete. Geeignet für kleine und neue Beete.
        Gießt die Beete. Einsetzen nach der Ernte.
        Gießt die Beete. Im Gewächshaus immer verwenden.
        Gießt die Beete. Nutze diesen Skill bei Hitze.
        Gießt die Beete. Verwenden, bevor der Frost kommt.
        Gießt die Beete. Stichwörter: Gießen, Dürre und Hitze""",
}
REFUSED = {
    "en": """Not intended for use in hospitals.
        Not yet recommended for use in cold stores.
        Never use with bleach.
        Best practices for hanging gates.
        Triggers the bell at noon.
        The lever triggers the bell on the hour.
        Use with caution.
        Use at your own risk.
        Do not trigger with "stop".
        Not mandatory before a second coat.
        Don't always invoke for small claims.
        Never only activate in a greenhouse.
        Do not use across two sites.
        Counts shelves and prints labels.
        How to use when expressions in a report.
        A list of fields required by customs.
        The user says nothing about stock.
        A doorbell that responds to touch.
        Loads crates onto trucks.
        Runs on diesel.
        Applies paint in two coats.
        Use of the forklift.
        Says hello to the driver.
        Keyboard triggers and levers.
        Activates the pump valve.
        Lists the alarms and what they trigger on. Prints a table.
        Guidelines for safe ladders.""",
    "zh": """盘点货架并列出缺货。
        不要在仓库中使用。
        果园最佳实践。
        触发门铃。
        登录时使用的令牌。
        请勿对老树使用。
        不适用于冷库。
        实时加载数据。
        同时使用两台水泵。
        一旦失败会写入日志。
        切勿始终加载此技能。
        货架管理指南。""",
    "ja": """棚を数えて一覧を作る。
        簡単に使える棚の一覧。
        実際に使用されている棚。
        ログインに使うトークンの一覧。
        ベルを起動する装置。
        作業では使わない。
        点検では使用しないでください。
        在庫管理のベストプラクティス。
        棚卸しに使用しない。
        自由に使える地図。
        同時に使用する二台のポンプ。
        必須項目の一覧。""",
    "ko": """선반을 세고 목록을 만든다.
        재고 작업에는 사용하지 마세요.
        창고에서만 사용하지 않습니다.
        벨을 트리거한다.
        로그인할 때 사용하는 토큰.
        재고 관리 모범 사례.
        필수 항목 목록.
        화면 구성을 정리한다.
        상자와 라벨을 만든다.
        절대 사용하지 마세요.
        운전자가 말한 내용을 적는다.
        시간을 기록한다.""",
    "es": """Cuenta los estantes y lista los huecos.
        No usar con lejía en el suelo.
        Usar con cuidado.
        Buenas prácticas para el huerto.
        Activa el timbre de la puerta.
        No está pensado para hospitales.
        Nunca activar en cuanto llueve.
        No es obligatorio antes de la siembra.
        Guía de riego con bombas.
        Lista de campos obligatorios.
        El usuario dice poco de la cosecha.
        Evita usar cuando llueve.""",
    "pt": """Conta as prateleiras e lista as faltas.
        Não usar com lixívia no chão.
        Usar com cuidado.
        Boas práticas para a horta.
        Ativa a campainha da porta.
        Não é indicado para hospitais.
        Nunca ativar assim que chove.
        Não é obrigatório antes de semear.
        Guia de rega com bombas.
        Lista de campos obrigatórios.
        O usuário diz pouco da colheita.
        Evite usar quando chove.""",
    "fr": """Compte les rayons et liste les manques.
        Ne pas utiliser avec de la javel.
        À utiliser avec prudence.
        Bonnes pratiques pour le potager.
        Active la sonnette de la porte.
        Pas adapté pour les hôpitaux.
        Ne jamais activer dès que la pluie tombe.
        Liste des champs obligatoires.
        Guide de l'arrosage avec une pompe.
        Déclenche la sonnette.
        L'utilisateur dit peu de la récolte.
        Évitez d'utiliser quand il pleut.""",
    "de": """Zählt die Regale und listet Lücken.
        Nicht verwenden mit Bleiche.
        Verwenden mit Vorsicht.
        Gute Praxis rund um die Beete.
        Startet die Klingel an der Tür.
        Nicht geeignet für Kliniken.
        Niemals aktivieren, sobald Regen fällt.
        Liste der Felder, die Pflicht sind.
        Anleitung zum Gießen mit der Pumpe.
        Löst die Klingel aus.
        Der Nutzer sagt wenig über die Ernte.
        Keinesfalls verwenden, wenn es regnet.""",
}
OTHERS = """Conta le scatole sugli scaffali e stampa il rapporto di magazzino con Excel.
    Genera report di vendita per il team; supporta GitHub Actions, Docker e API REST della piattaforma.
    Compta les caixes del magatzem amb Excel i imprimeix aquest informe quan cal.
    Laskee hyllyt ja tulostaa raportin, kun varasto on tyhjä.
    Telt de dozen in het magazijn en drukt een rapport af voor deze week.
    Считает коробки в Excel и печатает отчёт через GitHub Actions.
    Liczy pudełka w magazynie oraz drukuje raport, gdy brakuje towaru.
    Räknar lådor i lagret och skriver ut en rapport med Excel.
    Depodaki kutuları sayar ve Excel için bir rapor yazar.
    Đếm các hộp trong kho và in báo cáo cho nhóm khi thiếu hàng.
    Tæller kasser på lageret og udskriver en rapport som PDF, når der mangler noget.
    Numără cutiile din depozit și tipărește raportul pentru echipă."""
FIRST_PERSON = """I help you count shelves.
    Counts shelves. I'll print the labels too.
    We review contracts.
    我们会检查合同。
    私たちは契約を確認します。
    제가 계약을 확인합니다.
    Te ayudo con los contratos de la casa.
    Nosotros revisamos los contratos.
    Sou um assistente para os contratos.
    Eu reviso os contratos.
    J'analyse les contrats.
    Nous relisons les contrats.
    Ich prüfe die Verträge.
    Wir prüfen die Verträge."""
THIRD_PERSON = """Helps you count shelves.
    Use when the user says "I can not find it". Counts shelves.
    Plans Phase I studies.
    I/O of pumps.
    I, II and III are grades of timber.
    检查合同。当用户说「我可以退货吗」时使用。
    契約を確認する。「私は払えない」と言われたとき使用。
    계약을 확인한다.
    Revisa los contratos de la casa.
    Revisa os contratos da casa. Nos contratos, busca falhas.
    Relit les contrats du client.
    Prüft die Verträge und sagt „ich bin fertig“."""


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


@pytest.mark.parametrize("text", [line for text in ACCEPTED.values() for line in lines(text)])
def test_says_when_to_use_the_skill(text: str) -> None:
    assert trigger(text)


@pytest.mark.parametrize("text", [line for text in REFUSED.values() for line in lines(text)])
def test_does_not_say_when(text: str) -> None:
    assert not trigger(text)


@pytest.mark.parametrize("code", ACCEPTED)
def test_each_language_is_held_to_enough_sentences(code: str) -> None:
    assert len(set(lines(ACCEPTED[code]))) >= (40 if code == "en" else 20)
    assert len(set(lines(REFUSED[code]))) >= (25 if code == "en" else 12)


@pytest.mark.parametrize("text", lines(OTHERS))
def test_other_languages_are_not_judged(text: str) -> None:
    assert not is_supported(text)


@pytest.mark.parametrize(
    "text", [line for table in (ACCEPTED, REFUSED) for text in table.values() for line in lines(text)]
)
def test_supported_languages_are_judged(text: str) -> None:
    assert is_supported(text)


@pytest.mark.parametrize("text", lines(FIRST_PERSON))
def test_first_person(text: str) -> None:
    assert first_person(text)


@pytest.mark.parametrize("text", lines(THIRD_PERSON))
def test_third_person(text: str) -> None:
    assert not first_person(text)

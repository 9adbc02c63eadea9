"""What people and agents say when something is worth keeping: cues by meaning, in ten languages.

A phrase stands for whole words; a trailing `*` lets the last word go on, which covers endings. Scripts without spaces
are searched as they are written. Tables, not rules: what a cue is worth is decided in `statements`.
"""

from __future__ import annotations

from limpet.capture.meaning import Meaning

__all__ = ["CUES", "UNSPACED_CUES"]

_RULE = """
i'd like you to use|i'd like to use|i want you to use|i want to use|we want to use|we should use|we need to use
you should use|must use|better to
is preferred|are preferred|preferred|as i said|like i said|remember to|be sure to always|should always
should never|should not use|shouldn't use
convention|conventions|my preference|our preference|guideline*|ground rule|in doubt|as a principle
make sure every|make sure all|make sure each|is legacy
it's fine to|it is fine to|you may always|feel free to always|has to run on|have to run on|must run on
new rule|stays|up for discussion|non-negotiable|no exceptions|from here on|without exception|the rule|nobody may
must stay|is off limits|off-limits
i don't want|i do not want|you keep|i told you|how many times|, ever|only ever|at all times|we're only
we are only|needs to stay|keep it|we need to be
no new|goes through|go through|belongs in|belong in|needs approval|has to go through|is reserved for
when you touch|when you change|when you add|if you touch|if you change
from now on|going forward|in future|in the future|every time|each time|by default|as a rule|as a general rule
i prefer|i'd prefer|i would prefer|we prefer|i'd rather|i hate|i don't like|i do not like|i dislike
i like it when
we use|we don't use|we do not use|we're using|we are using|we only|we always|we never|our convention*|our policy
our standard|our rule|house style|convention is|policy is|rule is|must|must not|mustn't|not allowed|forbidden
only use
no more|stop using|stop adding|stop doing|stop making|stop writing|stop creating|stop asking|stop putting
do not ever|don't ever|under no circumstances|before committing|before every commit|before each commit
before every|before each|after every|after each|before pushing|before you commit|make it a habit|whenever you
unless i
without asking|ask me before|ask before|ask first|i expect|i want all|we want all|is mandatory|are mandatory
is banned
prefer|please prefer|avoid|has to be reviewed|all code|all tests|all new|every new|in this repo we
in this project we
on préfère|nous préférons|évite|évitez|éviter|evita|evitad|vermeide|wir bevorzugen|immer|niemals|nie|ab jetzt
künftig|in zukunft|grundsätzlich|ich bevorzuge|ich möchte nicht|wir verwenden
wir nutzen
wir benutzen|bitte keine|bitte nie|bitte immer|auf keinen fall|darf nicht|dürfen nicht|muss immer|müssen immer
vor jedem|nach jedem|standardmäßig|nur noch
toujours|jamais|désormais|dorénavant|à partir de maintenant|par défaut|je préfère|nous utilisons|on utilise
il faut
interdit|il ne faut pas|avant chaque|après chaque|à chaque fois
siempre|nunca|a partir de ahora|de ahora en adelante|por defecto|prefiero|usamos|nosotros usamos|está prohibido
antes de cada|después de cada|jamás|hay que|no quiero que
всегда|никогда|отныне|впредь|с этого момента|по умолчанию|я предпочитаю|предпочитаю|мы используем|нельзя
запрещено
перед каждым|после каждого|только через
sempre|de agora em diante|a partir de agora|não quero|não use|não altere|não mexa|por padrão|prefiro que
always use|make it so|we don't need|we do not need|we also don't use|no need to
"""
_DECIDED = """
let's use|let's go with|let's switch|let's keep|let's stick|let's drop|let's avoid|let's not|let's skip
lets use|lets go with|let us use|let's store|let's make it|let's call it|let's standardi*|let's target
let's support
we'll use|we will use|we'll go|we will go|we'll keep|we'll stick|we are going to use|we're going to use
changed my mind|standardi*|roll back to|stick to|i'd go for|i'd go with|i'd use|i'd keep|i would go|i would use
go for|we've chosen
we have chosen|we picked|let's stay|we stay|we're staying|we are staying|go back to|going back to|back to using
not going to|we're not going|we are not going|no need for|out of scope|decided|we decide|decision|we chose
i chose|chose|chosen|settled on|agreed|go with|going with|went with|opted|opt for
i'll go with|i'll use|i will use|i'll keep|i've chosen|picked|trade-off
tradeoff|trade off|stick with|sticking with|switch to|switching to|standardi* on|ruled out|rejected
the approach is|i recommend going|design choice|deliberately|on purpose|we won't|we will not|won't use
wir nehmen|lass uns|lasst uns|entschieden|entscheidung|wir bleiben bei|ich nehme
wir haben uns|bewusst
utilisons|on part sur|prenons|décidé|décision|choisi|on garde|optons
usemos|vamos a usar|vamos con|decidido|decidimos|decidí|decisión|elegimos|elegí|elegido|optamos
давай использовать|давайте использовать|будем использовать|решили|решил|решено|решение|выбрали|выбрал
остановились на
vamos usar|vamos de|vamos com|decidi|escolhi|lets write|let's write|let's do|lets do|let's go for|we'll do
"""
_CONTRAST = """
instead of|rather than|instead|in favour of|in favor of|over using|, not|but not|statt|anstatt|anstelle
stattdessen|zugunsten|, nicht
au lieu de|plutôt que|à la place de|, pas|en lugar de|en vez de|, no|вместо|, а не|, не
"""
_CAUSE = """
because|, so|since|so the|root cause|the culprit|which breaks|which broke|which made|why it|that's expected
by design|boils down to|as soon as|since it|since they|since this|since we|given that|owing to|thanks to|meaning
this means|means that|hence|therefore|thus|caused by|cause was|cause is|due to|culprit|turned out|turns out
the reason|reason is|reason was
the problem was|the issue was|the bug was|the problem is that|the issue is that|the bug is that|problem was that
that's why|that is why|which is why|which meant|which means|resulting in|leads to|led to|stems from|comes from
came from|so that|as a result|in order to|otherwise|since the|was missing|were missing|happens when
happened when
only happens|happens because|the failure was|explains why|traced|stemmed from|triggered by|broke because
responsible for
weil|problem war|fehler war|grund für|grund war|lag am|lag im|daran , dass|ursache*|kommt von|kam von|liegt an
lag an|stammt aus|kommt daher|verursacht|liegt daran|lag daran|aufgrund
wegen|der grund|grund dafür|denn|deshalb|damit|daher|sonst
parce que|le problème était|donc|du fait|vient de|vient du|viennent de|provient|à cause|cause racine|causé*
en raison|la raison|provenait
venait|provoqué*|car|sinon|puisque|était dû
porque|el problema era|por eso|por lo tanto|a que|viene de|proviene|causa raíz|la causa|causado|causaba|debido a
se debía|se debe|la razón|ya que|provocado
provocaba|de lo contrario
потому что|проблема в|дело было|связан* с|возника*|причина|причиной|из-за|оказалось|поскольку|вызвано|так как
иначе|поэтому
проблема была|дело в том
pois|pq|por isso|causa mais provável|o problema era|devido a|já que|porque o|çünkü|nedeni
"""
_FIXED = """
fixed|is gone|are gone|fixes|fix was|the fix|fix is|resolved|resolves|solved|patched|corrected|repaired
no longer fails|no longer crash*
now works|now passes|now pass|works now|passes now|worked around|workaround|works around|hotfix|bugfix|bug fix
solution was|solution is
behoben|behebt|gefixt|gelöst|korrigiert|repariert|funktioniert jetzt|lösung
corrigé*|résolu*|réparé*|fonctionne maintenant|passe maintenant|la solution|contourné
arreglé|arreglado|corregí|corregido|solucioné|solucionado|resuelto|ya funciona|ahora funciona|la solución
исправил*|исправлен*|починил*|решена|устранен*|устранил*|пофиксил*|теперь работает
what was wrong|should be gone|caught it|corrigi|corrigido|consertei|resolvi|resolvido|giderildi|düzeltildi
"""
_GOTCHA = """
gotcha|caveat|known bug|known issue|false positive|false alarm|doesn't understand|does not understand
doesn't have|does not have|is still used|are still used|used by|rolled back|automatically|no longer|aware of
be aware|only occur*|only happen*|only appear*|only affect*|only when|only if|only for
only in|more than|up to|no more than|raises|removed in|was removed|dropped in|breaks|will break|never go*
can only|conflicts with|depends on the order|must come|mutates|not enough|exceeds|double-count*|not atomic
has no effect|have no effect|no effect|beware|watch out|be careful|careful with|pitfall|trap|footgun|only works
only work|works only|does not support|doesn't support
do not support|don't support|not supported|unsupported|requires|require|silently|surprisingly|unexpectedly
undocumented|undefined behavior|undefined behaviour|not thread-safe|thread safe|race condition|deadlock*|leak
leaks|leaked
off-by-one|off by one|breaking change|breaking changes|incompatible|deprecated|deprecates|no longer supports
has to be|have to be|needs to be|need to be|must be|breaks if|breaks when|fails if|fails when|crashes when
case-sensitive
rate limit|rate-limit*|rate limited|read-only|readonly|quirk|known issue|known bug|known limitation|limitation
bypass*|shadows|shadowed
ignores|is ignored|are ignored|swallows|swallowed|non-obvious|subtle|note that|important:|warning:|caution
does nothing|wraps around
truncates|truncated|overwrites|overwritten|not idempotent|out of sync|stale|eventual* consistent|fyi
keep in mind|bear in mind
by the way|btw|heads up|remember that|don't forget|flaky|intermittent*|can't be|cannot be|not be safe
is required|are required|at most|at least
is capped|limited to|hard limit|times out after|expires after|expire after|not possible to|is generated
are generated|generated from
achtung|keinen zugriff|kein zugriff|kommen aus|kommt aus|nur auf|nur über|nur aus|nur mit|nur noch|nur von
wird nicht|vorsicht|aufpassen|stolperfalle|funktioniert nur|unterstützt nicht|nicht unterstützt|erfordert
benötigt
stillschweigend|veraltet
inkompatibel|beachte|wichtig|nur lesbar|schreibgeschützt|ignoriert|wird generiert|höchstens|mindestens
attention|est partagé*|partagé* avec|uniquement|seulement|ne peut|n'accepte|piège|ne fonctionne que
ne supporte pas|ne prend pas en charge|nécessite|exige|silencieusement
obsolète|incompatible
lecture seule|ignore|ignoré*|à noter|au maximum|au minimum|généré automatiquement
cuidado|solo acepta|sólo acepta|solo desde|solo se|únicamente|no acepta|no se puede|ojo|trampa|solo funciona
sólo funciona|no soporta|no admite|requiere|silenciosamente|obsoleto|obsoleta
solo lectura|ignora
ten en cuenta|como máximo|como mínimo|se genera|límite
осторожно|только с|только из|доступ* только|не работает без|обновляется|раз в сутки|внимание|подводный камень
работает только|не поддерживает*|требует*|молча|устарел*|несовместим*
только для чтения
игнорирует*|имей в виду|учти|не более|не менее|генерируется|ограничен*
"""
_HOW = """
works by|is stored in|are stored in|stored in|lives in|live in|is handled by|handled by|depends on|is loaded
are loaded
is read from|reads from|is written to|writes to|is called by|is called from|runs on|run on|run in|runs in
is deployed|are deployed|deploys to
goes through|flows through|is computed|is derived|is cached|are cached|is built from|is defined in
are defined in
is configured in|is owned by|owned by|maintained by|points to|listens on|is served|consists of|is backed by
backed by|delegates to
is responsible|is located|is hosted|talks to|is set in|are set in|under the hood|internally|entry point
liegt in|liegen in|wird geladen|läuft auf|läuft unter|hängt ab|wird gespeichert|gespeichert in|definiert in
wird aufgerufen
se trouve dans|est stocké*|est chargé*|tourne sur|dépend de|défini dans|est géré*|passe par
está en|vive en|se guarda en|se almacena|se carga|corre en|depende de|definido en|se encuentra en|pasa por
находится в|хранится в|хранятся в|загружается|работает на|зависит от|определен* в|вызывается из|лежит в
"""
_FEATURE = """
implemented|is in place|are in place|is live|is wired|is available|implements|added support|added|introduced
built|created|shipped|new endpoint|new command|new flag|now supports|adds|can now
implementiert|hinzugefügt|ergänzt|eingeführt|gebaut|erstellt|neue*|unterstützt jetzt
implémenté*|ajouté*|introduit|créé*|prend désormais en charge
implementé|implementado|añadí|añadido|agregué|agregado|creé|creado|ahora soporta
добавил*|добавлен*|реализовал*|реализован*|создал*|создан*|внедрил*
is implemented|are implemented|was implemented|were implemented|is built and|is scaffolded|rebuilt|wired up
creamos|implementamos|agregamos|añadimos|desplegado|implementei|adicionei|adicionado|criei|criado
"""
_REFACTOR = """
refactored|no longer talks|go through|goes through|lines shorter|shorter|decoupled from|extracted|renamed|moved
split|simplified|deduplicated|consolidated|restructured|reorganised
reorganized|inlined|cleaned up|decoupled
refaktoriert|extrahiert|umbenannt|verschoben|aufgeteilt|vereinfacht|ausgelagert
refactorisé*|extrait|renommé*|déplacé*|simplifié*|scindé
refactoricé|refactorizado|extraje|extraído|renombré|renombrado|moví|movido|simplifiqué|simplificado|dividí
отрефакторил*|вынес*|переименовал*|перенес*|перенёс|разделил*|упростил*|рефакторинг*
"""
_CHANGE = """
is now|are now|now uses|now runs|now returns|now caches|now reads|now goes|i raised|i set|i lowered|updated
upgraded|bumped|migrated
removed|deleted|replaced|configured|changed|switched|enabled|disabled|increased|reduced|lowered|raised|pinned
downgraded
dropped|set up|converted|adjusted|rolled back|reverted
aktualisiert|entfernt|ersetzt|geändert|konfiguriert|aktiviert|deaktiviert|erhöht|umgestellt|migriert
mis à jour|supprimé*|remplacé*|modifié*|configuré*|activé*|désactivé*|migré*
actualicé|actualizado|eliminé|eliminado|reemplacé|reemplazado|cambié|cambiado|configuré|migré|migrado
обновил*|обновлен*|удалил*|удален*|заменил*|заменен*|изменил*|настроил*|перевел*|перевёл|мигрировал*
is updated|are updated|was updated|were updated|change made|changes made|summary of changes|what changed
is disabled|are disabled|recreated|rewrote|reescribimos|convertimos|acabo de actualizar
fiz duas|fiz as|alterei|alterado|atualizei|atualizado|removi|removido|passei a|troquei|mudei
"""
_MEASURED = """
faster|slower|p50|p95|p99|throughput|latency|speedup|speed-up|times faster|down from|up from|went from
drops from|dropped from|reduced from|reduces
per second|per minute|of the time|spent in|profiling shows|per request|memory usage|benchmark*|takes about
took about|on average|regression|regressed
schneller|langsamer|pro sekunde|plus rapide|plus lent|par seconde|más rápido|más lento|por segundo|быстрее
медленнее|в секунду|задержка
"""
_INTENT = """
let me|i'll now|i will now|now i'll|now let|i'm going to|i am going to|next i|next, i|i need to|i should
we could|i could
you could|you can|you may want|would you like|do you want|should i|shall i|want me to|let me know|happy to
feel free
here's|here is|here are|i'll start|i'll check|i'll look|i'll run|i'll read|i'll add|i'll fix|i'll create
i'll update|i'll implement|i'll write|i will add
i'll try|i'll continue|i'll begin|i'd be|if you want|if you'd like|next step*|todo|looking at|i can see|i can
i think|it seems|it looks like|looks like|probably|perhaps|maybe|might be|i suspect|not sure
ich werde|lass mich|soll ich|möchtest du|als nächstes|vielleicht|vermutlich|je vais|laissez-moi|voulez-vous
veux-tu|peut-être|souhaites-tu
voy a|déjame|quieres que|quizás|tal vez|probablemente|я сейчас|сейчас я|давай я|хотите|хочешь|возможно|вероятно
похоже
"""
_BEGS = """
paste|please add|please paste|please share|please provide|please run|please send|send me|share the|provide the
say what|tell me|add the file|add the files|to the working set|if you paste|could you add|could you share
could you paste|could you provide|i'll need you|i need you to|what would you like|which one|say the word
just say|ready when you
envie a mensagem|envie o|mande|bitte sende|schick mir|envoyez|indiquez|envíame|пришли|скинь
"""
_FINISHED = """
done|complete|completed|all set|success|successfully|finished|ready|fertig|erledigt|abgeschlossen|terminé*|listo
hecho|готово|реализовано|pronto|feito|concluído
"""
_ONCE = """
yet|for now|this time|right now|just now|at the moment|for the moment|today|this one|until i|until we|in this pr
again|anymore|so far|worry|not yet
noch nicht|diesmal|gerade|erstmal|heute|pas encore|pour l'instant|cette fois|aujourd'hui|todavía|por ahora
esta vez|hoy|aún no
пока|сейчас|в этот раз|сегодня|ещё не
"""
_SYMPTOM = """
please fix|fix this|fix it|can you fix|fix that|fails|failing|failed|crash|crashes|crashed|broken|error|errors
exception|doesn't work|does not work|not working
throws|hangs|stuck|still|wrong|empty|slow|missing
fehler|kaputt|stürzt|schlägt fehl|funktioniert nicht|erreur|plante|ne marche pas|échoue|falla|se rompe
no funciona|ошибка|падает|не работает|сломан*
invalid|not rendering|doesn't show|does not show|not showing|isn't showing|is saying|unavailable
falhou|falha|não funciona|erro|deu erro|hata|çalışmıyor
"""

# Japanese, Chinese and Korean; a word here is found anywhere.
_UNSPACED = {
    Meaning.RULE: "항상 절대 하지마 앞으로 "
    "所有 都用 全部 总是 始终 永远 一律 从现在起 以后都 以后不 不要 不许 禁止 必须 务必 不得 "
    "默认 我们使用 我们用 我更喜欢 我喜欢 统一用 别再 每次 すべて 全て 常に 必ず 絶対 今後 "
    "これから 以後 禁止 しないで 使わない デフォルト を使うこと すること ようにして してはいけない "
    "好み べき 毎回 ルール",
    Meaning.CONTRAST: "而不是 代替 の代わりに ではなく",
    Meaning.DECISION: "하기로 결정 决定 选择了 采用 改用 就用 我们选 换成 放弃 ことにした ことにします ことに決め "
    "決定 採用 に切り替え にしましょう 選択し",
    Meaning.CAUSE: "때문 원인 因为 原因 由于 导致 根本原因 所以 以便 否则 原来是 问题在于 なぜなら 原因 ため が理由 "
    "起因 によって引き起こ から発生 判明",
    Meaning.FIX: "수정했 해결했 "
    "修复 已解决 解决了 修正了 修好 现在可以 修正しました 修正し 解決し 直し 解消 直りました 動くようになり",
    Meaning.GOTCHA: "注意 坑 仅支持 不支持 只能 需要 要求 静默 已弃用 弃用 不兼容 只读 忽略 上限 最多 至少 "
    "不能 自动生成 陷阱 注意 落とし穴 のみ対応 サポートされていない 未対応 必要があ 必要です 非推奨 "
    "互換性 読み取り専用 無視され 上限 最大 自動生成 できない しか動か",
    Meaning.MECHANISM: "存储在 位于 保存在 依赖 运行在 部署在 通过 定义在 保存されて に保存 にあります 依存して "
    "上で動 定義されて 読み込まれ 経由",
    Meaning.FEATURE: "추가했 구현했 만들었 "
    "实现了 新增 添加了 增加了 支持了 実装しました 実装し 追加しました 追加し 新規 対応しました",
    Meaning.REFACTOR: "重构 提取 重命名 移动到 拆分 简化 リファクタ 抽出し 名前を変更 移動し 分割し 簡素化",
    Meaning.CHANGE: "변경했 바꿨 적용했 삭제했 "
    "优化 改为 反映し 改名 更新了 "
    "升级 删除了 移除 替换 迁移 修改了 配置了 更新し アップグレード 削除し 置き換え 移行し "
    "変更し 設定し",
    Meaning.MEASUREMENT: "更快 更慢 毫秒 延迟 吞吐 性能 速く 遅く ミリ秒 レイテンシ スループット",
    Meaning.INTENT: "让我 我将 我会 我来 接下来 要不要 是否需要 可能 也许 好像 しましょうか します。 してみます "
    "でしょうか 次に かもしれ 思います",
    Meaning.REQUEST: "贴给我 发给我 贴出来 教えてください 送ってください 알려주세요 보내주세요",
    Meaning.COMPLETION: "已完成 完成了 全部完成 完了 反映しました 완료 적용했습니다",
    Meaning.TEMPORARY: "暂时 这次 先不 今天 现在先 まだ 今回 とりあえず 今日",
    Meaning.SYMPTOM: "报错 错误 失败 崩溃 不工作 エラー 失敗 クラッシュ 動かない 落ちる",
}

CUES: dict[Meaning, tuple[str, ...]] = {
    meaning: tuple(table.replace("\n", "|").strip("|").split("|"))
    for meaning, table in {
        Meaning.RULE: _RULE,
        Meaning.DECISION: _DECIDED,
        Meaning.CONTRAST: _CONTRAST,
        Meaning.CAUSE: _CAUSE,
        Meaning.FIX: _FIXED,
        Meaning.GOTCHA: _GOTCHA,
        Meaning.MECHANISM: _HOW,
        Meaning.FEATURE: _FEATURE,
        Meaning.REFACTOR: _REFACTOR,
        Meaning.CHANGE: _CHANGE,
        Meaning.MEASUREMENT: _MEASURED,
        Meaning.INTENT: _INTENT,
        Meaning.REQUEST: _BEGS,
        Meaning.COMPLETION: _FINISHED,
        Meaning.TEMPORARY: _ONCE,
        Meaning.SYMPTOM: _SYMPTOM,
    }.items()
}
UNSPACED_CUES: dict[Meaning, tuple[str, ...]] = {meaning: tuple(table.split()) for meaning, table in _UNSPACED.items()}

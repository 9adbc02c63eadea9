"""Rules for instruction-like text in other languages than English.

How the table is written is told in `instruction_rules`. Letters with accents are plain here, as the normalised text has
them, except where a language is read in its own letters as well.
"""

from __future__ import annotations

__all__ = ["FOREIGN_RULES"]

FOREIGN_RULES = r"""
override :: bisherig ki restriccion restricoes restrizioni
    !\b(?:ignorier\w*|vergiss|vergesse\w*|missachte\w*)~16~(?:bisherige\w*|vorige\w*|obige\w*)~8~(?:text|inhalt
    |gesprach|gespräch|kontext)|\b(?:anweisung|hinweis|nachricht|befehl)\w* an (?:die|alle|jede) (?:ki|ai|llm
    |assistent\w*|agent\w*)\b|\b(?:no tienes|sin|nao tens|nao tem|sem|senza|non hai)~12~(?:restriccion\w*
    |restric\w+|restrizion\w*|limites|reglas|regras|regole|filtros)\b~20~(?:y|e|haras|faras|farai|responde\w*|[.,!]
    |$)
override :: ignorier vergiss vergesse missacht
    !\b(?:ignorier\w*|vergiss|vergessen? sie|missachte\w*|beachte\w* nicht)~20~(?:alle|sämtliche|bisherige\w*
    |vorherige\w*|obige\w*|vorigen|vorangegangen\w*|deine|frühere\w*|ihre|die)~24~(?:anweisung\w*|instruktion\w*
    |regeln|befehle?|vorgaben|anleitung\w*|richtlinien|prompts?)|\bvergiss~20~(?:alles|vorher|bisher)
secrecy :: sag teile teilen erwähn erwahn verrat informier erzähl erzahl ohne_
    !\b(?:sag|sage|sagen sie|teile|teilen sie|erwähne\w*|verrat\w*|informiere\w*|erzähle?)~20~(?:dem|den|der
    |niemand\w*|benutzer\w*|nutzer\w*)~20~(?:nicht|nichts|kein\w*|davon)|\bohne (?:den |dem )?(?:nutzer|benutzer
    |anwender)~20~(?:zu|wissen)
persona :: du_bist verhalte tu_so gib_dich sie_sind
    \b(?:du bist (?:jetzt|nun|ab sofort|ab jetzt)|verhalte dich (?:wie|als)|tu so,? als|gib dich als
    |sie sind (?:jetzt|nun) (?:ein|eine))\b
standing :: ab_jetzt ab_sofort von_nun von_jetzt künftig kunftig in_allen
    \b(?:ab jetzt|ab sofort|von nun an|von jetzt an|künftig|in allen (?:zukünftigen|künftigen))~30~\b(?:du|sie
    |immer|nie|antworte\w*|sende\w*|deine|musst|sollst|sitzungen|ignorier\w*)\b
prompt leak :: systemprompt system-prompt anweisungen
    \b(?:zeig\w*|verrat\w*|nenne?|gib|wiederhol\w*|offenbar\w*|was (?:ist|sind))~30~(?:system-?prompt|(?:deine|ihre
    |deinen) (?:\w+ )?(?:anweisungen|instruktionen|regeln|prompt))
exfiltration :: sende schick übermittl lade
    \b(?:sende|senden sie|schicke?n?|übermittle\w*|lade\w*|leite\w*)~50~(?:passw\w+|schlüssel|zugangsdaten
    |api-?key\w*|\.env|geheimnis\w*|token\w*|quellcode|umgebungsvariablen|daten)~50~(?:an|auf|nach|zu
    |hoch) ~20~@dest@
override :: ignore oublie compte abstraction ecoute
    !\b(?:ignore[zrs]?|oublie[zrs]?|ne (?:tiens|tenez) pas compte|fais abstraction|n'?ecoute[zs]? (?:pas
    |plus))~24~(?:toutes?|tous|les|tes|vos|des|instructions?|precedent\w*|ci-dessus)~24~(?:instructions?|consignes?
    |regles?|directives?|ordres?|precedent\w*|ci-dessus|message|contexte)
secrecy :: utilisateur personne developpeur humain cela ceci
    !\bn(?:e |')(?:le |la |en )?(?:dis|dites|parle[zs]?|mentionne[zs]?|informe[zs]?|previen\w+|revele[zs]?
    |avertis\w*|signale[zs]?)~16~(?:pas|rien|jamais|aucun\w*)~24~(?:utilisateur|personne|developpeur|humain|cela
    |ceci)|\bsans (?:en )?(?:informer|prevenir|avertir|le dire)~20~utilisateur|\ba l'insu de l'utilisateur
persona :: tu_es vous_etes semblant comporte agis joue_le a_partir_de_maint
    \b(?:tu es (?:maintenant|desormais)|vous etes (?:maintenant|desormais)|fais(?:ons)? semblant|comporte-toi
    |agis comme|agissez comme|joue le role|a partir de maintenant,? tu)\b
standing :: desormais a_partir_de_maint dorenavant toutes_les
    \b(?:desormais|a partir de maintenant|dorenavant|dans toutes les (?:futures|prochaines))~30~\b(?:tu|vous
    |toujours|jamais|reponds|repondez|tes|sessions|conversations|envoie[zs]?|chaque reponse)\b
prompt leak :: invite systeme prompt instructions
    \b(?:montre|affiche|revele|repete|donne|ecris|quelles? (?:est|sont))\w*~30~(?:(?:prompt|invite
    |message) (?:systeme|initial\w*)|(?:tes|vos) (?:\w+ )?(?:instructions|consignes|regles))
exfiltration :: envoie envoye transmet transfere telecharge
    \b(?:envoie[zrs]?|envoyez|envoyer|transmet\w*|transfere[zrs]?|poste[zrs]?)~50~(?:cles?|mots? de passe
    |identifiants|secrets?|jetons?|\.env|variables d'environnement|code source|donnees)~50~(?:a|vers|sur) ~20~@dest@
override :: ignor olvid descart haz caso omiso esquec desconsider desper
    !\b(?:ignor[aeo]\w*|olvid\w+|descart\w+|haz caso omiso|haga caso omiso|omite|esquec\w+|desconsider\w+
    |desobede\w+|no (?:sigas|hagas caso)|nao siga)~24~(?:tod[ao]s|las|los|as|os|tus|sus|suas|teus|anteriores
    |previas|de|qualquer)~24~(?:instruc\w+|ordenes|reglas|indicaciones|directrices|anterior\w*|previ[ao]s?
    |instrucoes|regras|comandos|orientac\w+|diretrizes|mensagens|contexto)
secrecy :: usuario nadie ninguem humano esto isso isto nada desenvolvedor desarrollador
    !\b(?:no (?:le |se lo |lo |les )?(?:digas|diga|informes?|menciones?|cuentes|avises|reveles|notifiques|comentes)
    |nao (?:diga|conte|informe|mencione|avise|revele|notifique|fale|comente)|nunca (?:digas|menciones|mencione|diga
    |conte|informe|reveles))~24~(?:usuario|nadie|ninguem|humano|esto|isso|isto|nada|desenvolvedor|desarrollador)
    |\bsin (?:que el usuario|informar|avisar|decir)~20~(?:usuario|sepa)|\bsem (?:que o usuario|informar|avisar
    |dizer)~20~(?:usuario|saiba|perceb)
persona :: ahora_eres eres_ahora actua_como finge comp voce agora_voce aja_como finja a_partir_de
    \b(?:ahora eres|eres ahora|actua como (?:si|un|una)|finge (?:ser|que)|compórtate|comportate como
    |voce (?:agora )?e (?:agora )?(?:um|uma|o|dan)\b|agora voce|aja como|finja (?:ser|que)|a partir de (?:ahora
    |agora),? (?:eres|voce))
standing :: a_partir_de de_ahora de_agora daqui_em en_todas em_todas
    \b(?:a partir de (?:ahora|agora|este momento)|de ahora en adelante|de agora em diante|daqui em diante
    |en todas las (?:futuras|proximas)|em todas as (?:futuras|proximas))~30~\b(?:siempre|sempre|nunca|jamas
    |responde\w*|debes|deve|voce|tu|tus|envia\w*|sesiones|sessoes|conversa\w+|cada respuesta|ignora\w*)\b
prompt leak :: prompt instruc reglas regras mensaje
    \b(?:muestra\w*|revela\w*|repite|repita|dime|diga-me|mostre|mostra|imprime|imprima|cual(?:es)? (?:es|son)
    |quais? (?:e|sao)|escribe)~30~(?:prompt (?:del|do|de) sistema|(?:tus|sus|suas|teu|tu
    |seu) (?:\w+ )?(?:instruc\w+|prompt|reglas|regras)|mensaje del sistema)
exfiltration :: envia envie manda mande sube suba reenvia transmit publica encaminhe
    \b(?:envia\w*|envie\w*|manda\w*|mande\w*|sube|suba|reenvia\w*|transmit\w+|publica\w*|encaminhe)~50~(?:claves?
    |contrasenas?|credenciales|credenciais|secretos?|senhas?|chaves?|tokens?|\.env|variables de entorno
    |variaveis de ambiente|codigo fuente|codigo-?fonte|datos|dados)~50~(?:a|al|para|en|em) ~20~@dest@
override :: игнорир забудь не_обращай отмени не_следуй
    !(?:игнорир\w*|проигнорир\w*|забудь\w*|не обращай\w* внимани\w+ на|отмени\w*|не следуй\w*)~24~(?:все|всё
    |предыдущ\w+|прежн\w+|вышеизложен\w+|твои|свои|ваши|указани\w+|выше)~24~(?:инструкци\w+|указани\w+|правил\w*
    |команд\w*|приказ\w*|предыдущ\w+|сказано|контекст\w*|что)
secrecy :: не_говори не_сообща не_упомина не_рассказыва не_раскрыва не_уведом не_показыва втайне тайно скрытно
:: незаметно без_ведома
    !не (?:говори\w*|сообща\w+|упомина\w+|рассказыва\w+|раскрыва\w+|уведомля\w+|показыва\w+)~24~(?:пользовател\w+
    |никому|об этом|человек\w*|разработчик\w*)|(?:втайне|тайно|скрытно|незаметно)~10~(?:от пользовател\w+|отправ\w+
    |выполн\w+|установ\w+|от него)|без ведома пользовател
persona :: ты_теперь теперь_ты вы_теперь представь притвор веди_себя действуй отвечай_как ты_больше
    (?:ты теперь|теперь ты|вы теперь|представь,? что ты|притвор\w+|веди себя как|действуй как|отвечай как (?:будто
    |если)|ты больше не)
standing :: с_этого_момента отныне впредь с_сегодняшнего во_всех в_каждом
    (?:с этого момента|отныне|впредь|с сегодняшнего дня|во всех будущих|в каждом ответе)~30~(?:ты|всегда|никогда
    |отвечай\w*|отправляй\w*|должен|сесси\w+|разговор\w+|твои|выполня\w+|добавля\w+|игнорир\w*)
prompt leak :: системн промпт инструкци
    (?:покажи\w*|выведи\w*|раскрой\w*|повтори\w*|напиши\w*|назови\w*|какие|какой)~30~(?:системн\w+ (?:промпт\w*
    |сообщени\w+|подсказк\w+|инструкци\w+)|(?:твой|твои|свой|свои|ваши) (?:\w+ )?(?:промпт|инструкци\w+|правил\w+))
exfiltration :: отправ перешли загруз передай
    (?:отправ\w+|перешли\w*|загрузи\w*|передай\w*|скопируй\w*|выложи\w*)~50~(?:ключ\w*|парол\w+|секрет\w*|токен\w*
    |учетн\w+|\.env|переменн\w+|исходн\w+|данны\w+)~50~(?:на|в|по) ~20~@dest@
override :: 忽略 无视 忘记 忘掉 不要理会 無視 忽視 不要遵
    !(?:忽略|无视|忘记|忘掉|不要理会|忽視|無視|不要遵守|不要遵循|抛弃|撤销)[^。！？.!?]{0,12}(?:之前|以前
    |先前|上面|以上|前面|所有|全部|一切|你的|此前
    |系统)[^。！？.!?]{0,10}(?:指令|指示|命令|规则|提示|要求|内容|说明|設定|设定|约束|限制|對話|对话|信息)
secrecy :: 不要告诉 别告诉 不要提 不要向 不得告 悄悄 偷偷 暗中 瞒着
    !(?:(?:不要|别|切勿|不得|请勿|禁止|不能)(?:告诉|告知|通知|提醒|透露|提及|提到
    |向)[^。！？.!?]{0,8}(?:用户|使用者|任何人|别人|他人|人类|开发者|此事|这件事|这一点|这条)
    |(?:悄悄|偷偷|暗中|秘密|静默)地?[^。！？.!?]{0,10}(?:发送|上传|执行|运行|安装|添加|删除|修改|转发)|瞒着用户)
persona :: 你现在是 从现在起你 扮演 假装 越狱 开发者模式 充当
    (?:你现在是|从现在起,?你|现在你是|你将扮演|请扮演|扮演一个|假装(?:你|自己|成)|(?:进入|开启
    |启用)?(?:开发者|越狱|无限制|上帝)模式|不受(?:任何)?(?:限制|约束)
    |没有(?:任何)?(?:限制|道德))
standing :: 从现在开始 从现在起 今后 以后 每次 未来的
    (?:从现在开始|从现在起|今后|从今以后|往后|在(?:所有)?(?:未来|以后|今后)的?(?:会话|对话)|每次(?:回答
    |回复|用户|对话))[^。！？.!?]{0,20}(?:你|总是|始终|必须|一律|都要
    |不要|回答|回复|发送|添加|运行|执行|推荐|会话)
prompt leak :: 系统提示 系统指令 提示词 你的指令
    (?:显示|输出|告诉我|重复|泄露|打印|说出|透露|展示|给出|复述)[^。！？.!?]{0,12}(?:系统提示|系统指令
    |提示词|你的(?:初始|原始|全部|完整)?(?:指令|指示|规则|设定|提示)|以上内容)
exfiltration :: 发送 上传 转发 提交 泄露
    (?:发送|上传|转发|提交|传送|复制)[^。！？.!?]{0,30}(?:密钥|密码|令牌|凭证|凭据|环境变量|\.env|api ?key
    |token|源代码|私钥|数据
    |聊天记录)[^。！？!?]{0,30}(?:https?://|到|给|至)|(?:把|将)[^。！？.!?]{0,24}(?:密钥|密码|令牌|凭证
    |凭据|环境变量|\.env|api ?key|token|源代码
    |私钥|聊天记录)[^。！？!?]{0,16}(?:发送|上传|转发|发到|传到|提交|写入)
order :: 执行以下 运行以下 必须执行 ai助手 人工智能助手
    (?:(?:ai|人工智能|智能)(?:助手|代理|模型)[^。！？.!?]{0,10}(?:必须|请|应该|需要|务必)|(?:立即|马上|请
    |必须|务必)(?:执行|运行)(?:以下|下列|这个|此)(?:命令|代码
    |脚本|指令))
override :: 無視 忘れ 従わ 指示
    !(?:(?:これまで|以前|前|上記|先ほど|今まで|すべて|全て|あらゆる)の?[^。！？.!?]{0,14}(?:指示|命令
    |ルール|規則|プロンプト|指令|設定|会話|内容
    |制約)[^。！？.!?]{0,10}(?:無視|忘れ|破棄|従わない|取り消))
secrecy :: ユーザー 秘密 知らせ 伝え 黙って こっそり
    !(?:(?:ユーザー|利用者|誰|人間|開発者)[^。！？.!?]{0,12}(?:言わない|伝えない|知らせない|話さない
    |教えない|報告しない|言及しない|気づかれ|内緒|秘密|知らせず|伝えず)|(?:黙って
    |こっそり|密かに|秘密裏に)[^。！？.!?]{0,16}(?:送信|実行|追加|削除|インストール|アップロード|変更))
persona :: あなたは今 今からあなた になりきって のふりを 開発者モード として振る舞
    (?:あなたは(?:今|これ)から|今からあなたは|になりきって|のふりをし|開発者モード|として振る舞
    |として行動し|制限(?:の)?(?:ない|なし))
standing :: 今後 これから 以後 毎回 すべての
    (?:今後は?|これからは?|以後|今から|毎回|すべての(?:会話|セッション|回答))[^。！？.!?]{0,24}(?:必ず|常に
    |決して|あなた|返答|回答し|答え|送信|追加し|実行し|推奨)
prompt leak :: システムプロンプト 指示を 初期
    (?:システムプロンプト|(?:あなたの|最初の|初期の|元の)(?:指示|プロンプト|命令
    |設定))[^。！？.!?]{0,14}(?:表示|教え|出力|見せ|開示|繰り返|公開|示し|書い)
exfiltration :: 送信 アップロード 転送
    (?:apiキー|キー|パスワード|トークン|認証情報|秘密|環境変数|\.env|ソースコード
    |データ)[^。！？!?]{0,30}(?:https?://|に|へ)[^。！？!?]{0,40}(?:送信|アップロード
    |転送|送っ|送れ|投稿)
override :: ignora dimentica istruzioni negeer vergeet zignoruj zapomnij onceki önceki talimat yoksay 무시 잊 निर्देश
:: تجاهل انس
    !\b(?:(?:ignora|dimentica|trascura)\w*~24~(?:istruzion\w+|regole|precedent\w+|ordini)|(?:negeer
    |vergeet)~24~(?:instructies|regels|opdrachten|bovenstaande)|(?:zignoruj|zapomnij)~24~(?:instrukc\w+|polece\w+
    |zasad\w*|poprzedni\w*)|onceki~20~(?:talimat\w*|komut\w*)~16~(?:yok ?say|unut|gormezden))|(?:이전|위의?
    |모든)[^.!?]{0,12}(?:지시|명령|규칙|지침)[^.!?]{0,10}(?:무시|잊)|(?:तरह|पिछले
    |सभी)[^.!?।]{0,16}निर्देश[^.!?।]{0,16}(?:अनदेखा
    |भूल|नज़रअंदाज़)|(?:تجاهل|انس)[^.!?]{0,20}(?:التعليمات|الأوامر|السابقة)
override :: ignorera glöm glom ignorer glem ignoruj zapomen ignora uita abaikan lupakan bo_qua bỏ_qua ігнор αγνοησ
:: αγνόησ התעלם jata jätä unohda hagyd felejtsd
    !(?:ignorera|glom|glöm|ignorer|glem|ignoruj\w*|zapomen\w*|ignora(?:ti)?|uita|abaikan|lupakan|bo qua|bỏ qua
    |ігнор\w+|αγνο[ηή]σ\w+|התעלם|jata|jätä|unohda|hagyd|felejtsd)~34~(?:instruktion\w*|instruks\w*|pokyn\w*
    |instrukc\w*|instructiun\w*|instrucțiun\w*|perintah|huong dan|hướng dẫn|chi dan|інструкц\w+|вказівк\w+
    |οδηγ[ιί]\w*|ההוראות|הוראות|ohje\w*|utasitas\w*|utasítás\w*)
override :: забудь olvida oublie dimentica vergiss esquece
    !забудь\w*~10~правил|\b(?:olvida|olvide|oublie[zs]?|dimentica|vergiss|esquece
    |esqueca)\b~12~\b(?:todo lo anterior|tout ce qui precede|tutto|alles|tudo|tus reglas|tes regles|deine regeln
    |le tue regole|suas regras|as regras)\b
"""

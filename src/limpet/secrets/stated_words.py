"""Words of sentences about secrets, in the languages that capture knows: labels, verbs, what describes a password."""

from __future__ import annotations

from limpet.secrets.rules import word_tuple

# Labels by what may be their secret: a phrase, a word, a number, or only something that no word looks like.
PHRASES = (
    "passphrase", "recovery phrase", "seed phrase", "recovery words", "seed words", "frase de paso", "phrase de passe",
    "frase de contraseña", "frase-senha", "кодовая фраза", "парольная фраза",
)  # fmt: skip
WORDS = (
    "password", "passwort", "kennwort", "mot de passe", "contraseña", "contrasena", "senha", "wachtwoord", "пароль",
    "паролем", "şifre", "parola", "passwd", "mdp", "pass", "pwd", "пасс", "pw",
)  # fmt: skip
NUMBERS = (
    "pin", "passcode", "door code", "access code", "alarm code", "unlock code", "gate code", "entry code",
    "geheimzahl", "türcode", "zugangscode", "security code", "combination", "code for the", "code on the",
    "code für die", "code du", "código del", "код домофона", "code to", "code de la porte", "code d'accès",
    "code pin", "código de la puerta", "código de acceso", "пин-код", "код от",
)  # fmt: skip
DEVICES = frozenset(word_tuple("wifi wi-fi router vpn servidor nas alarma caja ordenador correo cuenta base portal"))
"""What has a key that is a password, in Spanish: other keys are keys to success."""
ENDINGS_OF_LABELS = ("", "s", "n", "en", "e", "я", "ю", "ем", "е", "si", "sı")
ODD = (
    "token", "jeton", "secret", "license key", "licence key", "api key", "signing key", "encryption key",
    "master key", "access key", "private key", "wifi key", "wi-fi key", "auth key", "recovery code", "backup code",
    "room code", "two-factor code", "2fa code", "auth code", "invite code", "lizenzschlüssel", "wlan-schlüssel",
    "clé secrète", "clé d'accès", "clave", "clave secreta", "токен", "ключ",
)  # fmt: skip
LOGINS = (
    "login", "log in", "sign in", "credentials", "creds", "zugangsdaten", "zugang", "identifiants", "connexion",
    "accès", "credenciales", "acceso", "логин", "доступ", "доступы", "账号", "帐号", "登录", "ログイン", "로그인",
)  # fmt: skip
UNSPACED = (
    *("密码", "密碼", "口令", "暗号", "合言葉", "pin码", "pin碼", "暗証番号", "비밀번호", "암호"),
    *("パスワード", "パスフレーズ", "パスコード", "パス"),
)
SPACED = (*PHRASES, *WORDS, *NUMBERS, *ODD)
SHORT = ("pass", "pw", "pwd", "pin")
"""Labels that are also verbs or parts of code, so that no secret follows them at once."""
LABELS = (*SPACED, *LOGINS, *UNSPACED)
"""The words of which one is in each text that states a secret, in lower case."""

VERBS = frozenset(
    word_tuple(
        "is are was be becomes reads goes should : - — – ist lautet heißt heisst war est c'est c’est sera es será era "
        "é è это remains bleibt reste wird sind sont son nehmen"
    )
)
VERBS_OF_CHANGE = word_tuple("chang set updat rotat änder stell cambi смен измен постав mud")
CHANGED_TO = frozenset(word_tuple("to auf pour en a à por para на"))
STILL = frozenset(
    word_tuple(
        "still now currently again just simply also probably always jetzt nun noch immer aktuell weiterhin toujours "
        "maintenant désormais ahora todavía aún siempre siendo agora теперь сейчас всё все ещё еще пока been changed "
        "set updated rotated reset to été"
    )
)
OF = frozenset(
    word_tuple(
        "fürs (staging) (prod) for of on at in to from i we they you which that everyone everybody he she my our now "
        "again currently (staging das die für von vom des der zum zur im am bei dieser du de d' pour sur del la para "
        "por do da от к для на в"
    )
)
# Words that go on after a secret, so that it still ends its clause.
GOES_ON = frozenset(
    word_tuple(
        "i we you it he she they that who when while after before then though only right btw ok thanks by with under "
        "just no tell save use remember same like where unless during across und weil wenn falls solange ich wir du "
        "quand si car je tu vous cuando porque yo если когда я работает for on in at and but so or if until since "
        "because please everywhere today yesterday now again too aber für bis bitte seit auf geändert gesetzt "
        "umgestellt an ein bei et mais pour depuis partout y pero para desde en e mas и но для пока is as don't do not "
        "never which"
    )
)
# Words after which no secret follows: articles, prepositions, pronouns, quantities.
FUNCTION = frozenset(
    word_tuple(
        "everywhere everybody everyone anywhere again today now then he she it they we you i than why until after "
        "before the a an this that these those in on at of for to from by with without as its my our your his her "
        "their not no never too very so what whatever how when where who only also and or if there here yours mine all "
        "any each some both same more less longer shorter still least most must should can be been being was were has "
        "have der die das den dem ein eine einen im am zu zur zum nicht kein keine sehr noch nur auch wie wo anders "
        "als über mit ohne von vom für und oder wird wurde werden muss le la les un une des du de dans en au aux pas "
        "trop très que qui plus moins par pour avec sans et ou el los las lo una unos muy más menos demasiado por para "
        "con sin y o está ha os um uma não muito mais na в на не и или по из под без только уже ещё очень слишком как "
        "что это был была via"
    )
)
# Words that describe a secret or its use. Those with a usual ending are not listed.
DESCRIBES = frozenset(
    word_tuple(
        "required legacy present non-empty expired wrong weak strong empty null none nil blank unset undefined missing "
        "gone back fine good bad safe secure ready old new long short easy hard different identical unique random "
        "secret private public shared known unknown lost stolen broken true false correct incorrect right valid "
        "invalid default sensitive case-sensitive mandatory obligatory necessary plain plaintext cleartext text string "
        "number integer varchar bytes json base64 base32 hex ascii utf-8 unicode latin-1 bcrypt scrypt argon2 argon2id "
        "pbkdf2 sha256 sha512 md5 jwt opaque kerberos ldap oauth oauth2 sso saml oidc vault bitwarden keepass "
        "keepassxc 1password lastpass keychain google github gitlab okta apple microsoft facebook twitter email e-mail "
        "phone username user admin password passwort passwords policy manager reset hash hashing prompt field form "
        "page column file link hint box authentication auth login change changes rotation storage strength length "
        "generator dialog input value example placeholder history patience trust simple complex complicated long-lived "
        "short-lived temporary visible there here set sent kept read hidden written given taken shown chosen built "
        "made left held put done owner nobody nothing everything something anything unclear annoying slow fast digits "
        "numeric enough part data write html css locked disabled enabled instable unstable tolerant stale fresh bound "
        "abgelaufen falsch erforderlich nötig leer lang kurz sicher unsicher schwach stark bekannt unbekannt optional "
        "gültig ungültig richtig neu alt weg da pflicht vierstellig geheim öffentlich kaputt langsam expiré faux vide "
        "court inconnu requis connu invalide valide valable obligatoire facultatif sûr faible fort privé perdu lente "
        "obligatoria incorrecta correcta opcional larga corta segura insegura débil fuerte vacía nula pública privada "
        "válida inválida necesaria desconocida conocida secreta lento inestable paciencia обязателен неверный верный "
        "истёк истек пустой нужен новый старый короткий длинный хранится 必填 字符串 必須"
    )
)
ENDINGS = word_tuple(
    "ed ing able ible ful less ous ly ive ory ional ic é ée és oire eux ado ada ido ida bles ório ória тся ется ится "
    "лся ный ная ное ены ена ено ли"
)
NOUNS = frozenset(
    word_tuple(
        "seed weed butterfly dragonfly firefly lily jelly king viking ring spring morning evening lightning pudding "
        "wedding duckling starling dumpling darling sterling olive native pelican ceramic magic music garlic picnic "
        "cable table bible story factory ivory victory marble pebble bubble apple turtle"
    )
)
"""Nouns that end like words which describe something."""
GERMAN_ENDINGS = ("lich", "bar", "iert", "isch", "ig", "los", "pflichtig")
IDENTIFIER = (
    r"(?:[A-Z]{2,9}-\d{1,5}|[a-z]{2,5}-\d{1,5}|\d{4}-\d\d-\d\d.*|v?\d[\d.]*[a-z]{0,3}|.*-managed|/.*"
    r"|.*_(?:id|key|name|url))$"
)
"""What names a thing and is no secret: a ticket, an algorithm, a date, a version, a path."""
PARTICIPLE = r"(?:ge|ver|be|ent|er|zer|ab|un)[a-zäöüß]{2,}(?:t|en|bar)$"
JOINING = frozenset(word_tuple("and with the und mit dem das et avec le y con la и с e com a o"))
SAYING = frozenset(word_tuple("as is ist es est als como comme é"))
USERS = (
    "user", "login", "account", "benutzer", "utilisateur", "identifiant", "usuario", "usuário", "логин",
    "пользовател",
)  # fmt: skip
ACCOUNTS = frozenset(
    word_tuple(
        "deploy backup operator dba ci pi ubuntu admin administrator root user test demo guest app postgres mysql sa "
        "dev staging bob alice"
    )
)
LAST_LINKS = (
    " is my ", " is our ", " is the ", " as my ", " as the ", " as our ", " ist mein ", " ist unser ", " ist das ",
    " est mon ", " est le ", " es mi ", " es la ", " als ", " — это мой ", " это мой ",
)  # fmt: skip
"""What may stand between a secret and its label, if the label comes last."""
FIRST_VERBS = frozenset(word_tuple("use enter type try nimm utilise usa введи используй and und et y"))
FIRST = (
    "use the", "with the", "enter the", "type the", "need the", "try the", "on the", "by the", "nimm das", "mit dem",
    "verwende das", "utilise le", "avec le", "usa la", "con la", "usar la", "используй", "с", "has the", "hat das",
    "a le", "tiene la",
)  # fmt: skip
"""The ends of what may stand before a label that its secret follows at once."""
COMPOUND = ("passwort", "kennwort", "passphrase", "wachtwoord")
"""Labels that may be the end of a longer word, such as "Adminpasswort"."""
JOINED = frozenset("_.=$@/\\<>{[(")
CODE = frozenset("<>{}()[]=;\\")
QUOTES = {"“": "”", "„": "“", "‘": "’", "«": "»", "「": "」", '"': '"', "'": "'", "`": "`"}
TRAILING = ".,;:!?…)]}>\"'`*»”’。，、；！？）"
ENDS = ".,;!?…)]}。，、；！？"

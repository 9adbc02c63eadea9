"""Distinguish secret values from other text after a label: names, placeholders, code and technical terms.

Most text with the word "password" contains no password. So the text after a label is judged by its connection to the
label and by its characters. Randomness is measured by the share of letter pairs that are common in words, which is
low for random letters. Unlike entropy, this share distinguishes an identifier from a key of the same length.
"""

from __future__ import annotations

from limpet.secrets.rules import DOTTED, HEADS, ID_PARTS, INSIDE, SECRET_PARTS, STARTS, compile_once, word_tuple

# A run of characters of which tokens consist. A run of hexadecimal digits only is left out, because it is a digest.
_TOKEN = "A-Za-z0-9_.~+/-"
RUN = rf"[{_TOKEN}](?<![{_TOKEN}].)(?![0-9a-f]{{19,}}+(?![{_TOKEN}]))[{_TOKEN}]{{19,}}+={{0,2}}"
PUBLIC_BLOCK = r"-----BEGIN (?![A-Z0-9 ]{0,40}PRIVATE)[A-Z0-9 ]{1,40}-----[^-]*+"
# Words that show that the random run after them is harmless, and words that show that a short one is a secret.
BENIGN = (
    r"sha[-_:0-9]|hash|digest|integrity|checksum|fingerprint|ssh-|etag|certificate|public|pubkey|challenge"
    r"|(?<![a-z])(?:[a-z]+[_-])?u?u?ids?(?![a-z])"
)
TELLING = ("token", "secret", "password", "credential", "api key", "api_key", "apikey")
# Passwords of examples and of local containers, which protect nothing.
DEFAULTS = word_tuple("password passwd pass pwd secret changeme admin root guest postgres user test token pw")

# "key" alone is no sign of a secret: with the first words before it, it is one; with the second, it is public.
_KEY_HEADS = word_tuple(
    "api access secret private signing encryption master auth account shared service license deploy admin client "
    "consumer subscription storage server hmac jwt webhook app application security functions function host preshared "
    "integration aes crypto decryption authentication ssh"
)
_PUBLIC_HEADS = word_tuple(
    "public pub idempotency dedupe dedup continuation page next cursor sync resume correlation request cancellation "
    "cancel primary foreign partition sort cache object s3 hash routing group index unique row shard map dict "
    "translation bucket publishable search message lookup composite natural surrogate candidate first last previous "
    "special stop pad eos bos schema sequence hot csrf"
)
_WEAK = frozenset(
    word_tuple(
        "password passwd pass pwd secret token string str text none null nil true false required optional hidden "
        "input field value example changeme bytes default empty unset undefined missing invalid expired unknown "
        "disabled enabled prompt plain plaintext hashed encrypted stored wrong correct forgotten username email user "
        "admin root guest postgres postgresql passwort object number boolean integer varchar function include "
        "contrasena"
    )
)
_COMMON = frozenset(
    word_tuple(
        "th he in er an re nd on en at ou ed ha to or it is hi es ng ar te se st of le al ve io ri ro li ra ic ne de "
        "me ti co ta ec ll ma el as la ho ch ur om be ca si ce us di fo no pe so il ge tr ut em ot wi lo ac mo ad un "
        "id ee ai ol et ul po ss su nt ns ig im ke op pr pa do da ap sh ow ir na ex sp ci am ab ag av up ev pl ay ob "
        "fi ff bl cl cr ub ew ef mp iv rs rt ty ts ly ry rm rd rn rk ls ld nc ck ct pt uc ue ui gu go gr ga gi gh fr "
        "fa fe lu mi mu mm nn oo oc od os oi ov ph pi pp qu rc rr ru sc sk sl sm sn sw tu tt tw uf ug um va vi wa we "
        "wh wo xt ye yp ys ze zi ey ki ni ak ok ba bo br bu"
    )
)
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())


def is_secret(kind: str, value: str, how: str, text: str, at: int) -> bool:
    """Tell whether `value` is a secret of this kind, given the position `at` of its label in the text.

    `how` is the connection between label and value: "quoted", "assign", "pair", "prose" or "space". The looser the
    connection, the more the value must look like a secret. Most values are words, so words are ruled out first.
    """
    odd = has_unknown_part(value)
    tied = how in ("quoted", "assign")
    chosen = tied and kind == "password" and _is_simple_password(value)
    if not odd and not chosen and (kind not in ("password", "login") or not is_strong(value)):
        return False
    head = text[max(0, at - 24) : at].lower().rstrip(" _-.\"'`")
    named = kind != "api-key" or head.endswith(_KEY_HEADS)
    if head.endswith(_PUBLIC_HEADS) or (not named and len(value) < 16):
        return False
    if is_placeholder(value) or _is_expression(value, how):
        return False
    label = compile_once(r"[\w-]*+").match(text, _name_start(text, at))
    name = label[0] if label else ""
    if name == "PASS" and how != "quoted":
        return False  # what a test runner prints
    if " " in value and (kind != "password" or not odd or len(value) > 64):
        return False
    if how == "space" and (name.startswith("--") or (name.isupper() and "_" in name) or name == "requirepass"):
        how, tied = "assign", True  # an option, or a variable as Docker and Windows set it
    if kind == "password":
        if odd or is_strong(value):
            return (how != "space" and (tied or name.lower() != "pass")) or _is_obvious_password(value)
        return how == "quoted" or name.isupper() or not value.isalpha() or _has_random_capitals(value)
    if len(value) < 8:
        return False
    if not named:
        plain = compile_once(r"[\w.+/=-]*[A-Za-z0-9]{12}[\w.+/=-]*$").match(value)
        if plain is None or (is_hex(value) and not name.isupper()):
            return False
        return tied or (how == "prose" and len(value) >= _SHORTEST and is_random(value))
    if how == "space":
        return len(value) >= 16 and not _is_uuid(value) and (not is_hex(value) or kind in ("api-key", "secret"))
    return True


def _name_start(text: str, at: int) -> int:
    limit = max(0, at - 40)
    while at > limit and (text[at - 1].isalnum() or text[at - 1] in "_-"):
        at -= 1
    return at


def is_placeholder(value: str) -> bool:
    """Tell whether a value is a placeholder for a secret: a variable, mask, example, digest or vault reference."""
    if value[:1] in "$%{<[(&*#@":
        if compile_once(
            r"\$\(|\$?\{[^}]*(?:\}|$)|<[^>]*>|[(\[][\w. -]*[)\]]|%[({]|%\w+%$|[#@]\{|\$(?:2[aby]|argon2\w*|[156y])\$"
        ).match(value):
            return True
        if compile_once(r"[$&*][A-Za-z_]\w*(?:$|[/.:])").match(value) and not has_unknown_part(value[1:]):
            return True
    if "xxxx" in value or "XXXX" in value or len(set(value[:64])) <= 2:
        return True
    low = value[:200].lower()
    return low.startswith(_POINTERS) or any(mask in low for mask in _MASKS)


_MASKS = (
    "***", "...", "…", "your-", "your_", "-your", "_your", "example", "placeholder", "changeme", "change-me",
    "change_me", "dummy", "redacted", "${", "{{", "abcdefgh", "replaceme",
)  # fmt: skip
_POINTERS = (
    "sha1-", "sha256-", "sha384-", "sha512-", "sha1:", "sha256:", "sha512:", "md5:", "http:", "https:", "op:", "file:",
    "vault:", "ref+", "arn:", "ssh-", "keyring:", "env:", "secretref:", "aws:", "gcp:", "urn:", "my-", "my_", "mailto:",
    "insert", "replace", "enc[", "your",
)  # fmt: skip


def _is_expression(value: str, how: str) -> bool:
    """Tell whether a value is a path, the name of a variable, or code that reads the secret at run time."""
    code = compile_once(
        r"(?:process|os|env|self|this|cls|settings|config|secrets?|import\.meta|var|local|data|module|args|opts|options|params|"
        r"request|req|ctx|user|form|creds?)\??[.\[(]"
    )
    if code.match(value) or (how != "quoted" and compile_once(r"[A-Za-z_][\w.]*[(\[]").match(value)):
        return True
    if compile_once(r"~?\.{0,2}/\w|[A-Za-z_]\w*(?:(?:\??\.|::|->)[A-Za-z_]\w*)+$|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$").match(
        value
    ):
        return is_wordy(value)
    name = (
        r"(?:[A-Za-z]+[_-])*[A-Za-z]*(?i:pass(?:word|wd|phrase)?|token|secret|key|pwd|creds?|credentials?)s?"
        r"(?:[_-]?[a-z]+|[0-9])?$"
    )
    return compile_once(name).match(value) is not None and is_wordy(value)


def is_code(value: str) -> bool:
    """Tell whether a value looks like a recovery code: groups of characters of equal length that do not form words."""
    groups = compile_once(r"[ -]").split(value)
    if len({len(group) for group in groups}) > 1 or len(value) < 8:
        return False
    return not _DIGITS.isdisjoint(value) or (len(groups) > 1 and not is_wordy(value))


def _is_simple_password(value: str) -> bool:
    """Tell whether a value looks like a simple password: only letters, only digits, or words with digits."""
    if len(value) < 6 or not value.isascii() or not value.isalnum() or value.lower() in _WEAK:
        return False
    return value.isalpha() or value.isdigit() or not is_technical(value, words=False)


def is_strong(value: str) -> bool:
    """Tell whether a value looks like a strong password: letters mixed with digits or marks, but no technical term."""
    if len(value) < 6 or value.isalpha() or value.isdigit() or is_technical(value):
        return False
    if not any(map(str.isalpha, value)):
        return False
    if not _MARKS.isdisjoint(value[:-1]):
        return True
    return not _DIGITS.isdisjoint(value) and not (
        compile_once(r"[A-Za-z]+(?:[-_./][A-Za-z0-9]+)+$").match(value) and is_wordy(value)
    )


def is_stated(value: str) -> bool:
    """Tell whether a value that a sentence states as a password is more than words: letters with digits or marks."""
    if len(value) < 5 or value.isalpha() or value.isdigit() or is_technical(value, words=False):
        return False
    has_letters = any(map(str.isalpha, value))
    return has_letters and not (_DIGITS.isdisjoint(value) and _MARKS.isdisjoint(value[:-1]))


def _is_obvious_password(value: str) -> bool:
    """Tell whether the mix of characters in a value shows that it must be a password.

    Such a value counts even if it is separated from its label only by a space.
    """
    if not _CODE.isdisjoint(value):
        return False
    odd, marked = has_unknown_part(value), not _MARKS.isdisjoint(value)
    if _DIGITS.isdisjoint(value):
        return odd and marked
    return marked or (odd and len(value) >= 8 and not is_hex(value))


def _has_random_capitals(letters: str) -> bool:
    """Tell whether upper and lower case alternate more than in any name or word, as in `pAsSwoRd`."""
    return len(compile_once(r"[A-Z]?[a-z]+|[A-Z]+").findall(letters)) >= 0.45 * len(letters) >= 3


_DIGITS = frozenset("0123456789")
_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
_SHORTEST = 20
_CODE = frozenset("()[]{}=")
_MARKS = frozenset("!@#$%^&*?~+")


def has_unknown_part(value: str) -> bool:
    """Tell whether a value contains a part that is neither a word nor a number nor a technical term."""
    if value.isalpha():
        return len(value) >= 8 and not is_wordy(value)
    parts = dict.fromkeys(compile_once(r"[A-Za-z0-9]{5,}+").findall(value[:72]))
    for part in parts:
        if part.isdigit():
            continue
        if part.isalpha():
            if len(part) >= 8 and not is_wordy(part):
                return True
        elif len(part) <= 16 and is_technical(part):
            continue
        elif compile_once(r"[0-9][A-Za-z]").search(part) or (len(part) >= 8 and not is_wordy(part)):
            return True
    return len(parts) > 2 and not is_wordy("".join(parts)) and not _DIGITS.isdisjoint(value)


def is_wordy(value: str) -> bool:
    """Tell whether the letters of a value look like words: most pairs of neighbouring letters are common in words."""
    letters = value[:48].lower().encode("ascii", "ignore").translate(None, _NO_LETTERS).decode()
    pairs = len(letters) - 1
    return sum(map(_COMMON.__contains__, map(str.__add__, letters, letters[1:]))) >= 0.6 * pairs


def is_technical(value: str, words: bool = True) -> bool:
    """Tell whether a value is a technical term such as sha256, 32bytes, x86_64 or v1.2.3.

    If `words` is true, a number between two words counts too, as in min12chars.
    """
    found = compile_once(
        r"(?:v?[0-9]{1,5}(?:\.[0-9]+)*[a-z]{0,6}|[0-9]{1,4}-?(?:password|characters?|minutes?|seconds?)|[a-z][0-9]{1,2}[a-z]|"
        r"x86[_0-9]*|(?P<words>[a-z]{3,}[0-9]{1,2}[a-z]{3,})|"
        r"(?:sha|md|aes|rsa|hs|rs|es|ps|ed|x|curve|blake|argon|bcrypt|scrypt|pbkdf|base|utf|oauth|http|ipv|s|ec|k|gpt|python|"
        r"py|node|java|sqlite|mysql|postgres|postgresql|rfc|iso|crc|win|linux|amd|arm|p|pkcs|tls|ssl|cl|secp|prime|int|uint|"
        r"float|neo|log|auth|web|h|mp|test|user|item|arg|param|var|val|value|version|step|phase|part|password|token|secret|"
        r"key|line|issue|chapter|section|table|figure|claude|llama|qwen|gemini)[-_]?[0-9]+[a-z]{0,4}[0-9]{0,2})$"
    ).match(value.lower())
    if found is None or not found["words"]:
        return found is not None
    return words and value[1:].islower() and is_wordy(value)


def is_hex(value: str) -> bool:
    """Tell whether a value consists of hexadecimal digits and dashes, like a digest, a commit hash or a UUID."""
    return compile_once(r"(?:0x)?[0-9a-fA-F-]+$").match(value) is not None


def _is_uuid(value: str) -> bool:
    """Tell whether a value has the shape of a UUID."""
    return len(value) == 36 and is_hex(value) and value.count("-") == 4


def is_login(value: str) -> bool:
    """Tell whether a value is the base64 form of `user:password`, which HTTP Basic authentication sends."""
    import base64

    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except ValueError:
        return False
    return b":" in plain[1:] and plain.isascii()


def name_vendor(value: str) -> str | None:
    """Return the kind of a secret token, such as "terraform-token", or None for any other value.

    A token is recognised by a vendor's prefix, or by a part such as "token" in front of a long random part.
    """
    start = STARTS.get(value[:3])
    if start is not None and compile_once(start[1]).fullmatch(value):
        return start[0]
    if value.isalnum():
        return None
    for kind, (mark,), source, _, _ in INSIDE:
        if mark in value and compile_once(source).fullmatch(value):
            return kind
    parts = compile_once(r"[A-Za-z0-9]+").findall(value, 0, 80)
    if len(parts) < 2:
        return None
    body = value[len(parts[0]) + 1 :]
    named = HEADS.get(parts[0])
    if named and value[len(parts[0])] == "." and parts[0] not in DOTTED:
        return None  # a host
    if named and len(body) >= 16 and (not is_wordy(body) or ("/" not in body and has_unknown_part(body))):
        return named
    longest = max(parts, key=len)
    before = (part.lower() for part in parts[: parts.index(longest)])
    if len(longest) >= _SHORTEST and any(part in SECRET_PARTS for part in before):
        return "high-entropy" if is_hex(longest) or not is_wordy(longest) else None
    return None


def is_random(value: str) -> bool:
    """Tell whether a run of characters is too random to be a word, a path or an identifier."""
    if value.islower() or value.isupper() or len(value) > 600 or value.startswith("_Z") or is_hex(value):
        return False
    parts = compile_once(r"[A-Za-z0-9]+").findall(value)
    if not parts or parts[0] in ID_PARTS or _DIGITS.isdisjoint(value):
        return False
    longest = max(parts, key=len)
    base64 = len(value) >= 36 and _BASE64.issuperset(value)
    if len(longest) < (8 if base64 else 14) or sum(map(len, parts)) < _SHORTEST or is_hex(longest):
        return False
    return not is_wordy(value) and ("/" not in value or base64)

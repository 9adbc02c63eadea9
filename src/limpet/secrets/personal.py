"""Tell whether a text contains personal data, so that a memory with this text starts out private.

Three things count as personal: a person's email address; a number whose form shows its meaning (the check digit of a
card, the checksum of an account, the format of a telephone number); and a statement about somebody's birth, home, pay
or health. Each is searched for only if a plain substring suggests it. Notes about software contain many similar things:
logins at hosts, package versions, role accounts, benchmark tables, columns named `salary`. These count as ordinary,
because a memory that is needlessly private cannot be shared.
"""

from __future__ import annotations

from limpet.secrets.rules import compile_once, word_tuple

# Candidates examined in one text. A text with more of them is a table, not a note.
_MOST = 1000


def is_personal(text: str) -> bool:
    """Tell whether a text contains a person's email address, identifying number or private facts."""
    low = text.lower()
    return ("@" in text and _has_address(text)) or _has_number(text, low) or _has_statement(text, low)


# Accounts and roles, whose mail is not for one person.
_ROLES = frozenset(
    word_tuple(
        "git hg svn noreply no-reply donotreply do-not-reply root admin administrator support info hello contact "
        "security sales team help office press jobs abuse postmaster webmaster hostmaster mailer-daemon bot ci cd "
        "deploy deployer build builder runner actions github-actions dependabot renovate ubuntu ec2-user centos "
        "debian pi vagrant postgres mysql redis www-data nobody user username users me you name someone somebody foo "
        "bar baz test tester testuser example email mail login dev ops devops service svc api app sso maintainers "
        "list lists announce privacy legal"
    )
)
_NO_HOSTS = ("example", "test", "invalid", "localhost", "local", "internal", "lan", "svc", "corp", "noreply")
_FILES = word_tuple(
    "png jpg jpeg gif svg webp ico js ts jsx tsx mjs py rb go rs md json css html yml yaml toml lock txt zip gz"
)
_LISTS = ("noreply", "no-reply", "-list", "-dev", "-users", "-announce", "-sig", "-team", "-bot", "[bot]")
_HOST = r"@([A-Za-z0-9-]{1,63}+(?:\.[A-Za-z0-9-]{1,63}+)++)(:[/~\w])?"


def _has_address(text: str) -> bool:
    for count, match in enumerate(compile_once(_HOST).finditer(text)):
        if count > _MOST:
            return False
        end = start = match.start()
        while start and end - start < 64 and (text[start - 1].isalnum() or text[start - 1] in "_.+-'"):
            start -= 1
        name, labels = text[start:end].lower().strip(".'"), match[1].lower().split(".")
        if not name or match[2] or text[max(0, start - 1) : start] in ("/", ":", "@"):
            continue  # a login at a host, or a part of a URL
        if name.partition("+")[0] in _ROLES or name.endswith(_LISTS) or any(label in _NO_HOSTS for label in labels):
            continue
        ending = labels[-1]
        if not ending.isalpha() or len(ending) < 2 or ending in _FILES or compile_once(r"v?[0-9]+$").match(labels[0]):
            continue
        line = text[max(0, start - 70) : start].rpartition("\n")[2]
        if not compile_once(r"\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id)\b").search(line):
            return True
    return False


_CARD_WORDS = ("card", "visa", "amex", "credit", "iban", "payment")
_PHONE = (
    r"\b(?:phone|mobile|cell|tel|whatsapp|fax|handy|telefon|call (?:me|him|her)|text me|my number)(?: number| no\.?)?"
    r"(?: is| at|:|=)*\W{0,3}$"
)


def _has_number(text: str, low: str) -> bool:
    for count, match in enumerate(compile_once(r"[0-9][0-9 ().-]{7,}+").finditer(text)):
        if count > _MOST:
            return False
        run = match[0].rstrip(" .-(")
        start, end = match.start(), match.start() + len(run)
        if text[max(0, start - 1) : start] in ("+", "("):
            start -= 1
            run = text[start:end]
        if (
            len(run) > 60
            or text[end : end + 1].isalnum()
            or compile_once(r"[\w.#/=-]").match(text[max(0, start - 1) : start])
        ):
            continue
        if compile_once(r"(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}$").match(run):
            return True
        if _is_phone(run, low[max(0, start - 40) : start]) or _is_card(run, low[max(0, start - 40) : end + 40]):
            return True
    accounts = enumerate(compile_once(_IBAN).finditer(text))
    return any(_is_account(match[0]) for count, match in accounts if count < _MOST)


def _is_phone(run: str, near: str) -> bool:
    digits = sum(map(str.isdigit, run))
    if run.startswith("+"):
        return 9 <= digits <= 15 and not near.rstrip().endswith(("utc", "gmt"))
    if compile_once(r"(?:\([0-9]{3}\) ?|[0-9]{3}-)[0-9]{3}-[0-9]{4}$|\([0-9]{3}\) [0-9]{3} [0-9]{4}$").match(run):
        return True
    return 8 <= digits <= 14 and compile_once(_PHONE).search(near) is not None


def _is_card(run: str, near: str) -> bool:
    digits = "".join(filter(str.isdigit, run))
    grouped = compile_once(r"[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{1,7}$|[0-9]{4}([ -])[0-9]{6}\2[0-9]{5}$").match(
        run
    )
    if not grouped and not (run.isdigit() and any(word in near for word in _CARD_WORDS)):
        return False
    known = compile_once(
        r"4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})$|(?:5[1-5]|2[2-7]|6[05]|35|62)[0-9]{14}$|3[47][0-9]{13}$|3[068][0-9]{12}$"
    )
    if not known.match(digits):
        return False
    doubled = sum(int(digit) for digit in digits[-1::-2])
    return (doubled + sum((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)[int(digit)] for digit in digits[-2::-2])) % 10 == 0


_IBAN = r"[A-Z](?<!\w.)[A-Z][0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"


def _is_account(written: str) -> bool:
    plain = written.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    return int("".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])) % 97 == 1


_MONTH = r"(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]{0,6}"
_DATE = (
    r"(?:[0-9]{1,2}[./ -][0-9]{1,2}[./ -][0-9]{2,4}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}年"
    rf"|(?:[0-9]{{1,2}}(?:st|nd|rd|th)?[. ]{{1,2}}(?:of )?)?{_MONTH}[. ]{{1,2}}[0-9]{{1,4}})"
)
_MONEY = (
    r"(?:[$€£¥] ?[0-9][0-9.,]{2,}|[0-9][0-9.,]{1,}k?"
    r"(?: ?[€£$¥]| ?(?:eur|usd|gbp|chf|euros?|dollars)\b|k\b| (?:a|per) (?:year|month)))"
)
_ILLNESS = (
    r"(?:cancer|diabet|depress|anxiety|asthma|epilep|adhd|autis|hiv\b|migraine|hypertension|arthritis|bipolar|ptsd"
    r"|leukemia|tumou?r|stroke\b|dementia|schizo|anemia|celiac|crohn|covid|pneumonia|burn-?out)"
)
_CARE = (*word_tuple("allergic pregnant prescribed antidepress insulin chemotherapy leave"), "blood type")
_PAPERS = (
    "social security",
    "national insurance",
    "tax id",
    *word_tuple("ssn passport driver personnummer aadhaar steuer"),
)
# Patterns of statements in lower case, each after the words of which one must occur before the pattern is tried.
_STATEMENTS = (
    (
        word_tuple("birth born dob geboren geburts nacimiento naissance 出生 生日"),
        rf"(?:birth(?:day|date)?|born|\bdob|geboren|geburtsdatum|nacimiento|naissance|出生|生日)[^\n]{{0,25}}?{_DATE}",
    ),
    (
        word_tuple("salary wage earn gehalt salaire sueldo"),
        rf"(?:salary|wages?|earns?|gehalt|salaire|sueldo)\b[^\n]{{0,30}}?{_MONEY}",
    ),
    (("salary", "wage"), rf"{_MONEY} (?:salary|wage)"),
    (
        ("diagnos", "suffer", "treated", " has ", " have ", "my "),
        r"\b(?:diagnosed with|suffer(?:s|ing)? from|treated for|has|have|had|my) "
        rf"(?:an? |type \w+ |severe |chronic |mild ){{0,3}}{_ILLNESS}",
    ),
    (
        _CARE,
        r"\b(?:(?:am|is|'m|are|was) (?:\w+ )?(?:allergic to|pregnant)|prescribed (?:me|him|her|\w+ ?\d* ?mg)"
        r"|blood type is|tak(?:es?|ing) (?:insulin|antidepress)|on (?:sick|medical|parental|maternity) leave"
        r"|(?:in|has|had|having) chemotherapy)",
    ),
    (
        _PAPERS,
        r"\b(?:ssn|social security (?:number|no)|passport (?:number|no)|driver'?s? licen[sc]e|national insurance|tax id"
        r"|personnummer|aadhaar|steuer-?id)\b[^\n]{0,16}?[a-z]{0,3}[0-9][0-9 .-]{5,}",
    ),
    (
        ("address", "lives at", "live at", "wohnt", "resides"),
        r"\b(?:home address|postal address|(?:my|his|her) address|lives? at|resides at|wohnt in)\b[^\n/@]{0,30}?"
        r"(?:[0-9]{1,5}[a-z]? ?[a-z]{3,}|[a-z]{4,} [0-9]{1,4}\b)",
    ),
)
_STREET_WORDS = word_tuple("street st. ave road rd. lane blvd boul str rue gasse weg")
_STREET = (
    r"(?<![\w.])[0-9]{1,5},? (?:[A-Z][a-z]+ ){1,3}(?:Street|St\.|Avenue|Ave\.|Road|Rd\.|Lane|Boulevard|Blvd)(?!\w)"
    r"|[A-ZÄÖÜ][a-zäöüß]{2,20}(?:straße|strasse|str\.|gasse|weg) [0-9]{1,4}(?!\w)"
    r"|(?<![\w.])[0-9]{1,4},? (?:rue|avenue|boulevard) (?:de |du |des |la |le |l')*[A-Z]"
)


def _has_statement(text: str, low: str) -> bool:
    for words, source in _STATEMENTS:
        if any(_is_near(word, source, low, low) for word in words if word in low):
            return True
    return any(_is_near(word, _STREET, low, text) for word in _STREET_WORDS if word in low)


def _is_near(word: str, source: str, low: str, text: str) -> bool:
    """Tell whether the pattern `source` matches in `text` near a `word` that occurs in `low`, the lower-case text."""
    at = low.find(word)
    for _ in range(_MOST // 10):
        if at < 0:
            return False
        if compile_once(source).search(text, max(0, at - 60), at + 90):
            return True
        at = low.find(word, at + len(word))
    return False

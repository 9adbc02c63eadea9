"""Read time expressions in a question: "yesterday", "last session", "on branch x", "in March".

A time expression is removed from the words to search for and becomes a preference for memories of that time. It is only
a preference, because people misremember dates more often than subjects. A question that names a time and no subject
("what did we decide yesterday?") lists the memories of that time, of the type that it asks for.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from limpet.clock import to_local
from limpet.lean.pattern import lazy
from limpet.lean.record import record, replace
from limpet.model.memory import Memory, Type
from limpet.text.words import split_words, word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_RECENT = 14
"""How many days "recently" reaches back."""
_FEW = (1.5, 6.5)
"""How many hours, days or weeks "a few" of them are."""
_SPANS = {"hour": 1 / 24, "day": 1, "week": 7, "month": 30, "year": 365}

# Words that ask about what happened, and name no subject; some of them ask for one type of memory.
_TYPES = {
    **dict.fromkeys(("decide", "decided", "decision", "decisions", "choose", "chose", "chosen"), Type.DECISION),
    **dict.fromkeys(("fix", "fixed", "fixes", "bug", "bugs", "bugfix", "bugfixes"), Type.BUGFIX),
}
_SAYS = {
    Type.DECISION: word_set(
        "decide decided decision agreed chose chosen settled adopted entschieden beschlossen décidé convenu "
        "choisi decidido decidimos acordado elegido решили решено договорились выбрали"
    ),
    Type.BUGFIX: word_set("fixed fix repaired solved bug behoben corrigé arreglado исправлено исправили"),
}
"""Words of memories that are of a type by what they say, whatever type was inferred for them."""
_GENERAL = word_set(
    "accomplish accomplished achieve achieved change changed changes cover covered discuss discussed finish finished "
    "go going happen happened happening learn learned learnt made make mention mentioned new note noted notes progress "
    "recap remembered said session sessions speak spoke stuff summarise summarize summary talk talked talking thing "
    "things think thought together topic topics update updates work worked working"
)

_HINTS = (
    *("today", "this ", "yesterday", "last ", "past ", "previous ", " ago", "recently", "lately", "branch", "20"),
    *_MONTHS,
    *_DAYS,
)
_CUE = lazy(
    r"(?i)\b(?:"
    r"(?P<today>today|this morning|this afternoon)"
    r"|(?P<before>the day before yesterday)"
    r"|(?P<yesterday>yesterday)"
    r"|(?P<session>(?:in |during )?(?:the |my |our )?(?:last|previous) (?:session|conversation|chat))"
    r"|(?:(?:in |during )?(?:the )?(?P<which>last|this|past|previous) (?P<span>week|month|year))"
    r"|(?P<recent>(?<!most )(?<!the )recently|lately)"
    r"|(?:(?:a )?(?:few|couple of) (?P<some>hour|day|week|month|year)s ago)"
    r"|(?:(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|ten) (?P<ago>hour|day|week|month|year)s? ago)"
    r"|(?:(?:in |during |over )?the (?:last|past) (?P<many>\d{1,3}|two|three|four|five|six|seven|ten) "
    r"(?P<of>hour|day|week|month|year)s)"
    r"|(?:on |last )(?P<weekday>" + "|".join(_DAYS) + r")"
    r"|(?:in|since|during|last) (?P<month>" + "|".join(_MONTHS) + r")(?: (?P<year>20\d\d))?"
    r"|(?:on |since )?(?P<date>20\d\d-[01]\d-[0-3]\d)"
    r"|(?:on|in) (?:the )?branch (?P<branch>[\w./-]+)"
    r"|(?:on|in) (?:the )?(?P<branch2>[\w./-]+) branch"
    r")\b",
)


@record
class Cue:
    """The time, session or branch that a question names; `rest` is the question without that expression."""

    rest: str
    since: datetime | None = None
    until: datetime | None = None
    last_session: bool = False
    branch: str | None = None

    @property
    def is_present(self) -> bool:
        """Tell whether the question names a time, session or branch."""
        return self.since is not None or self.last_session or self.branch is not None

    def fits(self, memory: Memory, *, last_session: str | None) -> bool:
        """Tell whether a memory is of the named time, session and branch."""
        if self.since is not None and memory.created_at < self.since:
            return False
        if self.until is not None and memory.created_at >= self.until:
            return False
        if self.last_session and (last_session is None or memory.session != last_session):
            return False
        return self.branch is None or (memory.branch or "").casefold() == self.branch.casefold()


def reads_as_listing(words: Collection[str]) -> bool:
    """Tell whether the words of a question, without its time expression, name no subject to look for."""
    return all(word in _GENERAL or word in _TYPES for word in words)


def type_asked_for(words: Collection[str]) -> Type | None:
    """Return the type of memory that the words of a question ask for, if any."""
    return next((_TYPES[word] for word in words if word in _TYPES), None)


def says_type(memory: Memory, type: Type) -> bool:
    """Tell whether the text of a memory says that it is a decision or a fix. A summary says so of every session."""
    return memory.type is not Type.SESSION_SUMMARY and not _SAYS[type].isdisjoint(split_words(memory.content))


def read_cue(question: str, now: datetime) -> Cue:
    """Return the first time expression in a question, if any; days begin at the user's local midnight."""
    lower = question[:2000].lower()
    # Compiling the pattern takes longer than answering most questions.
    found = _CUE.search(question[:2000]) if any(hint in lower for hint in _HINTS) else None
    if found is None:
        return Cue(rest=question)
    rest = f"{question[: found.start()]} {question[found.end() :]}".strip()
    cue = Cue(rest=rest)
    named = {name: text for name, text in found.groupdict().items() if text}
    if branch := named.get("branch") or named.get("branch2"):
        return replace(cue, branch=branch)
    if "session" in named:
        return replace(cue, last_session=True)
    since, until = _find_window(named, to_local(now))
    return replace(cue, since=since.astimezone(UTC), until=until.astimezone(UTC))


def read_moment(text: str, now: datetime) -> datetime | None:
    """Return when the time begins that a text names as a whole, such as "yesterday" or "2 weeks ago", or None."""
    words = " ".join(text.lower().split())
    if words == "now":
        return now
    for phrase in (words, f"on {words}", f"in {words}", f"the {words}", f"{words} ago"):
        found = _CUE.fullmatch(phrase)
        named = {name: value for name, value in found.groupdict().items() if value} if found else {}
        if "ago" in named:
            return now - _count(named["count"]) * timedelta(days=_SPANS[named["ago"]])
        # A date that is written in digits is read elsewhere, and a branch or session is no time.
        if named and named.keys().isdisjoint(("date", "branch", "branch2", "session")):
            return _find_window(named, to_local(now))[0].astimezone(UTC)
    return None


def _find_window(named: dict[str, str], now: datetime) -> tuple[datetime, datetime]:
    """Return the beginning and the end of the time that the named groups of the pattern describe."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    day = timedelta(days=1)
    after = now + day
    if "today" in named:
        return midnight, after
    if "before" in named:
        return midnight - 2 * day, midnight - day
    if "yesterday" in named:
        return midnight - day, midnight
    if "span" in named:
        return _find_calendar_period(named["which"].lower(), named["span"].lower(), midnight, after)
    if "recent" in named:
        return now - _RECENT * day, after
    if "some" in named:
        length = timedelta(days=_SPANS[named["some"].lower()])
        return now - _FEW[1] * length, now - _FEW[0] * length
    if "ago" in named:
        length = timedelta(days=_SPANS[named["ago"].lower()])
        middle = now - _count(named["count"]) * length
        return middle - length / 2, middle + length / 2
    if "of" in named:
        return now - _count(named["many"]) * timedelta(days=_SPANS[named["of"].lower()]), after
    if "weekday" in named:
        back = (now.weekday() - _DAYS.index(named["weekday"].lower())) % 7 or 7
        return midnight - back * day, midnight - (back - 1) * day
    if "date" in named:
        try:
            start = datetime.fromisoformat(named["date"]).replace(tzinfo=now.tzinfo)
        except ValueError:
            return midnight, after
        return start, start + day
    month = _MONTHS.index(named["month"].lower()) + 1
    year = int(named.get("year") or (now.year if month <= now.month else now.year - 1))
    start = midnight.replace(year=year, month=month, day=1)
    return start, (start + 32 * day).replace(day=1)


def _find_calendar_period(which: str, span: str, midnight: datetime, after: datetime) -> tuple[datetime, datetime]:
    """Return the start and the end of the current or the last week (from Monday), month or year.

    For "past", this is a period of that length up to now. `midnight` is the start of today. A period that has not ended
    ends at `after`, which is a day from now.
    """
    if span == "week":
        start = midnight - timedelta(days=midnight.weekday())
        earlier = start - timedelta(days=7)
    elif span == "month":
        start = midnight.replace(day=1)
        earlier = (start - timedelta(days=1)).replace(day=1)
    else:
        start = midnight.replace(month=1, day=1)
        earlier = start.replace(year=start.year - 1)
    if which == "this":
        return start, after
    if which == "past":
        return midnight - timedelta(days=_SPANS[span]), after
    return earlier, start


def _count(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS.get(text.lower(), 1)

"""Parse and edit MEMORY.md, which has sections with facts, episodes and preferences.

The file belongs to the project and may have more sections, and lines that a person has added. All lines that are not
changed stay as they are, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from limpet.lean.enumeration import StrEnum
from limpet.lean.pattern import lazy
from limpet.lean.record import field, mutable, record
from limpet.text.fences import read_fence
from limpet.text.plural import plural

FACTS, EPISODES, PREFERENCES = "Facts", "Episodes", "Preferences"
TITLE = (
    "# Project Memory",
    "> Written by `limpet distil`. `limpet forget` removes a line for good; what you add or delete here stays so.",
    "",
)
_COUNTED = lazy(r"- (.*\S) \((\d{1,6}) observations?\)\s*")
_HEADING = lazy(r"#{2,3} \S")


class Certainty(StrEnum):
    """The certainty of a preference. The values are headings in MEMORY.md."""

    HIGH = "High Confidence"
    MEDIUM = "Medium Confidence"
    LOW = "Low Confidence"

    @staticmethod
    def of(count: int) -> Certainty:
        """Return the certainty of a preference that was observed in `count` conversations."""
        return Certainty.HIGH if count >= 5 else Certainty.MEDIUM if count >= 3 else Certainty.LOW


@record
class SessionEpisode:
    """A summary of one session in three to five bullet points."""

    title: str
    """The day of the session and the name of its stash."""
    bullets: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return the title and the bullet points as lines."""
        return "\n".join((self.title, *(f"- {bullet}" for bullet in self.bullets)))


@record
class Preference:
    """Something the user prefers, and the number of conversations in which it was observed."""

    text: str
    count: int

    @property
    def certainty(self) -> Certainty:
        return Certainty.of(self.count)

    @property
    def line(self) -> str:
        return f"- {self.text} ({plural(self.count, 'observation')})"


@mutable
class Section:
    """A second-level heading with the lines below it."""

    heading: str
    """The heading line; an empty string for the lines above the first heading."""
    lines: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.heading.removeprefix("## ").strip()


@mutable
class MemoryDocument:
    """The content of MEMORY.md."""

    sections: list[Section]
    newline: str = "\n"
    """The line ending of most lines."""
    lines_read: list[str] = field(default_factory=list)
    """The original lines with their line endings, if these are mixed; otherwise an empty list."""

    @classmethod
    def parse(cls, text: str) -> MemoryDocument:
        """Parse the text of the file. An empty text gives a document that has only the title."""
        if not text.strip():
            return cls(sections=[Section(heading="", lines=list(TITLE))])
        marked = text.count("\r\n")
        plain = text.count("\n") - marked
        newline = "\r\n" if marked > plain else "\n"
        sections = [Section(heading="")]
        fence = ""
        for line in text.replace("\r\n", "\n").split("\n"):
            fence = read_fence(line, fence)
            if line.startswith("## ") and not fence:
                sections.append(Section(heading=line))
            else:
                sections[-1].lines.append(line)
        return cls(sections=sections, newline=newline, lines_read=_split_lines(text) if marked and plain else [])

    def render(self) -> str:
        """Return the text of the file."""
        lines = [
            line for each in self.sections for line in ((each.heading, *each.lines) if each.heading else each.lines)
        ]
        return self._join_mixed(lines) if self.lines_read else self.newline.join(lines)

    def _join_mixed(self, lines: Sequence[str]) -> str:
        """Join lines for a file that had mixed line endings.

        Lines that were in the file keep their line endings, and new lines get the more frequent one. The last item of
        `lines` gets none; it is an empty string if the file ends with a line ending.
        """
        read = [line.removesuffix("\r\n").removesuffix("\n") for line in self.lines_read]
        ends = [self.newline] * len(lines)
        for block in SequenceMatcher(None, read, lines).get_matching_blocks():
            for number in range(block.size):
                ends[block.b + number] = self.lines_read[block.a + number][len(read[block.a + number]) :]
        # The former last line had no line ending, so it needs one if it is not the last line any more.
        return "".join(line + (end or self.newline) for line, end in zip(lines[:-1], ends, strict=False)) + lines[-1]

    def find_section(self, name: str) -> Section | None:
        return next((each for each in self.sections if each.name.casefold() == name.casefold() and each.heading), None)

    def _open_section(self, name: str) -> Section:
        """Return the section with this name; add it at the end, after an empty line, if there is none."""
        found = self.find_section(name)
        if found is None:
            last = self.sections[-1].lines
            while last and not last[-1]:
                last.pop()
            last.append("")
            found = Section(heading=f"## {name}", lines=[""])
            self.sections.append(found)
        return found

    @property
    def facts(self) -> list[str]:
        section = self.find_section(FACTS)
        return [line[2:].strip() for line in section.lines if line.startswith("- ")] if section else []

    def change_facts(self, *, removed: Iterable[str], added: Sequence[str]) -> None:
        """Remove the facts `removed`, including their indented continuation lines, and append the facts `added`."""
        gone = set(removed)
        section = self.find_section(FACTS)
        if section is not None and gone:
            section.lines = _drop_items(section.lines, gone)
        if added:
            _append(self._open_section(FACTS).lines, [f"- {text}" for text in added])

    @property
    def episodes(self) -> list[SessionEpisode]:
        section = self.find_section(EPISODES)
        return [_read_episode(lines) for lines in _split_episodes(section.lines)[1:]] if section else []

    def add_episodes(self, episodes: Sequence[SessionEpisode]) -> None:
        for each in episodes:
            _append(
                self._open_section(EPISODES).lines,
                [f"### {each.title}", *(f"- {text}" for text in each.bullets)],
                gap=True,
            )

    def drop_episodes(self, episodes: Iterable[SessionEpisode]) -> None:
        """Remove each episode that has the same title and bullet points as one of `episodes`."""
        gone = [*episodes]
        section = self.find_section(EPISODES)
        if section is None or not gone:
            return
        start, *parts = _split_episodes(section.lines)
        kept = [*start, *(line for lines in parts if _read_episode(lines) not in gone for line in lines)]
        section.lines = kept if kept and not kept[-1].strip() else [*kept, ""]

    @property
    def preferences(self) -> list[Preference]:
        """Return the preferences in the file: the lines that end with a number of observations."""
        section = self.find_section(PREFERENCES)
        matches = (_COUNTED.fullmatch(line) for line in (section.lines if section else ()))
        return [Preference(text=match[1], count=int(match[2])) for match in matches if match]

    def set_preferences(self, preferences: Sequence[Preference]) -> None:
        """Replace the preferences in the file, and put each below the heading of its certainty.

        Other lines of the section are kept.
        """
        if set(preferences) == set(self.preferences):
            return
        section = self._open_section(PREFERENCES)
        lines = _drop_empty_headings([line for line in section.lines if not _COUNTED.fullmatch(line)])
        for certainty in reversed(Certainty):
            chosen = [each.line for each in preferences if each.certainty is certainty]
            if chosen:
                lines = _insert_below(lines, certainty, chosen)
        section.lines = lines if lines and not lines[-1].strip() else [*lines, ""]


def _split_lines(text: str) -> list[str]:
    """Split a text at line feeds and keep the line endings; if it ends with one, the last item is an empty string."""
    *lines, last = text.split("\n")
    return [*(f"{line}\n" for line in lines), last]


def _split_episodes(lines: Iterable[str]) -> list[list[str]]:
    """Split the lines of a section into those above the first episode, and those of each episode."""
    parts: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("### "):
            parts.append([])
        parts[-1].append(line)
    return parts


def _read_episode(lines: Sequence[str]) -> SessionEpisode:
    bullets = tuple(line[2:].strip() for line in lines if line.startswith("- "))
    return SessionEpisode(title=lines[0][4:].strip(), bullets=bullets)


def _append(lines: list[str], added: Sequence[str], *, gap: bool = False) -> None:
    """Add lines to a section before the empty lines at its end. If `gap` is True, put an empty line before them."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    lines[end:] = [*([""] if gap and end else []), *added, *(lines[end:] or [""])]


def _drop_items(lines: Sequence[str], gone: set[str]) -> list[str]:
    kept: list[str] = []
    is_dropping = False
    for line in lines:
        if line.startswith("- "):
            is_dropping = line[2:].strip() in gone
        elif not line[:1].isspace():
            is_dropping = False
        if not is_dropping:
            kept.append(line)
    return kept


def _insert_below(lines: list[str], certainty: Certainty, added: Sequence[str]) -> list[str]:
    """Return `lines` with `added` below the heading of a certainty.

    If the heading is missing, it is inserted before the headings of lower certainty.
    """
    headings = [f"### {each.value}" for each in tuple(Certainty)[tuple(Certainty).index(certainty) :]]
    places = {line.strip(): number for number, line in reversed([*enumerate(lines)]) if line.strip() in headings}
    if headings[0] in places:
        at = places[headings[0]] + 1
        return [*lines[:at], *added, *lines[at:]]
    if places:
        at = min(places.values())
        return [*lines[:at], headings[0], *added, "", *lines[at:]]
    found = list(lines)
    _append(found, [headings[0], *added], gap=True)
    return found


def _drop_empty_headings(lines: Sequence[str]) -> list[str]:
    """Return the lines without the certainty headings that have no line below them."""
    names = {f"### {each.value}" for each in Certainty}
    kept: list[str] = []
    for at, line in enumerate(lines):
        following = next((each for each in lines[at + 1 :] if each.strip()), "")
        if line.strip() in names and (not following or _HEADING.match(following)):
            while kept and not kept[-1].strip():
                kept.pop()
            continue
        kept.append(line)
    return kept

"""Read and edit MEMORY.md: facts, episodes, and preferences with the number of times they were observed.

The file belongs to the project and may hold more than these three sections. Everything that is not changed stays as it
is, byte for byte, also the lines that a person has added.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from limpet.lean.enumeration import StrEnum
from limpet.lean.pattern import lazy
from limpet.lean.record import field, mutable, record
from limpet.text.plural import plural

FACTS, EPISODES, PREFERENCES = "Facts", "Episodes", "Preferences"
_TITLE = (
    "# Project Memory",
    "> Written by `limpet distil`. `limpet forget` removes a line for good; what you add or delete here stays so.",
    "",
)
_COUNTED = lazy(r"- (.*\S) \((\d{1,6}) observations?\)\s*")
_HEADING = lazy(r"#{2,3} \S")


class Certainty(StrEnum):
    """The certainty of a preference, by the number of conversations in which it was observed."""

    HIGH = "High Confidence"
    MEDIUM = "Medium Confidence"
    LOW = "Low Confidence"

    @staticmethod
    def of(count: int) -> Certainty:
        return Certainty.HIGH if count >= 5 else Certainty.MEDIUM if count >= 3 else Certainty.LOW


@record
class SessionEpisode:
    """One session: its day and name, and what happened in three to five bullets."""

    title: str
    bullets: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join((self.title, *(f"- {bullet}" for bullet in self.bullets)))


@record
class Preference:
    """A wish of the user, and the number of conversations that show it."""

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
    """A heading of the second level and the lines below it; the lines above the first one have no heading."""

    heading: str
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
    """The lines as they were read, each with its line ending; empty if all lines end in the same way."""

    @classmethod
    def parse(cls, text: str) -> MemoryDocument:
        """Return the document of a file; an empty text gives an empty document with its title."""
        if not text.strip():
            return cls(sections=[Section(heading="", lines=list(_TITLE))])
        marked = text.count("\r\n")
        plain = text.count("\n") - marked
        newline = "\r\n" if marked > plain else "\n"
        sections = [Section(heading="")]
        is_fenced = False
        for line in text.replace("\r\n", "\n").split("\n"):
            if line.lstrip().startswith(("```", "~~~")):
                is_fenced = not is_fenced
            if line.startswith("## ") and not is_fenced:
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
        """Join the lines of a file that had two kinds of line endings.

        A line that was in the file keeps its line ending, and a new one gets the ending that most lines have. The last
        line gets none: if the text ends with a line ending, the last line is empty.
        """
        read = [line.removesuffix("\r\n").removesuffix("\n") for line in self.lines_read]
        ends = [self.newline] * len(lines)
        for block in SequenceMatcher(None, read, lines).get_matching_blocks():
            for number in range(block.size):
                ends[block.b + number] = self.lines_read[block.a + number][len(read[block.a + number]) :]
        # The line that was the last one of the file has no line ending, wherever it is now.
        return "".join(line + (end or self.newline) for line, end in zip(lines[:-1], ends, strict=False)) + lines[-1]

    def find_section(self, name: str) -> Section | None:
        return next((each for each in self.sections if each.name.casefold() == name.casefold() and each.heading), None)

    def _open_section(self, name: str) -> Section:
        """Return a section; it is added at the end, after an empty line, if there is none."""
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
        """Remove facts with the lines that continue them, and add others at the end."""
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
        """Remove episodes, each with its heading; two episodes may have the same title."""
        gone = [*episodes]
        section = self.find_section(EPISODES)
        if section is None or not gone:
            return
        start, *parts = _split_episodes(section.lines)
        kept = [*start, *(line for lines in parts if _read_episode(lines) not in gone for line in lines)]
        section.lines = kept if kept and not kept[-1].strip() else [*kept, ""]

    @property
    def preferences(self) -> list[Preference]:
        """Return the preferences that say how often they were observed; other lines were written by somebody else."""
        section = self.find_section(PREFERENCES)
        matches = (_COUNTED.fullmatch(line) for line in (section.lines if section else ()))
        return [Preference(text=match[1], count=int(match[2])) for match in matches if match]

    def set_preferences(self, preferences: Sequence[Preference]) -> None:
        """Write preferences below the heading of their certainty, the surest first; other lines stay where they are."""
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
    """Return the lines with their line endings; only a line feed ends a line, as in `parse`."""
    *lines, last = text.split("\n")
    return [*(f"{line}\n" for line in lines), last]


def _split_episodes(lines: Iterable[str]) -> list[list[str]]:
    """Return the lines above the first episode, and those of each episode."""
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
    """Add lines before the empty lines at the end of a section, which separate it from the next one."""
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
    """Return the lines with others below the heading of a certainty; if it is missing, it is put above lower ones."""
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
    """Return the lines without the heading of a certainty that has no line left."""
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

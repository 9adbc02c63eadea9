"""Write to a terminal or a pipe: tables and colours for people, plain lines for programs.

Stored text may come from anywhere, so every text passes through `escape_controls`: a character that would move the
cursor, ring the bell or be invisible is replaced with its code.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from limpet import clock
from limpet.environment import wants_no_colour
from limpet.errors import Refused, refuse_write
from limpet.lean.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping
    from typing import TextIO

_UNSAFE = lazy(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)

_WORDS = lazy(r" +|[^ ]+")
_WORDS_AND_COMMAND = lazy(r" +|(?<=: )limpet [^;,]+$|[^ ]+")
"""Splits a row into words; a command at its end, which the user may copy, is one word."""

_LEAST_WIDTH = 8
"""The minimum width of the wide column of a table. If a terminal is narrower, each row takes several lines."""

_LEAST_ROOM = 16
"""The minimum of what `Output.width_left` returns."""


def escape_controls(text: str) -> str:
    return _UNSAFE.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", text)


def escape_json(text: str) -> str:
    """Replace the invisible and control characters in a JSON text with escapes, which JSON parsers read back."""

    def escape(found: re.Match[str]) -> str:
        code = ord(found.group())
        if code < 0x10000:
            return f"\\u{code:04x}"
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"

    return _UNSAFE.sub(escape, text)


def wrap_words(row: str, width: int, hang: int | None = None) -> str:
    """Break a row between words into lines of at most `width` cells; a longer word has a line of its own.

    The lines after the first are indented by `hang` cells. Without it, they are indented like an indented row, or by
    two cells.
    """
    if _count_cells(row) <= width:
        return row
    row = row.expandtabs()
    start = len(row) - len(row.lstrip(" "))
    indent = " " * min(hang if hang is not None else start or 2, width // 2)
    lines: list[str] = []
    line = row[:start]
    gap = ""
    words = _WORDS_AND_COMMAND.findall(row[start:])
    if _count_cells(indent + words[-1]) > width:
        words = _WORDS.findall(row[start:])
    for number, word in enumerate(words):
        if word[0] == " ":
            gap = word
        elif number and _count_cells(line + gap + word) > width:
            lines.append(line)
            line = indent + word
        else:
            line += gap + word
    return "\n".join((*lines, line))


def _count_cells(text: str) -> int:
    """Return how many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    # Loaded here, because most texts are plain.
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(each) else 2 if east_asian_width(each) in "WF" else 1 for each in text)


class Output:
    """An output stream for answers, with colours and drawn tables if it is a terminal.

    Rich is loaded only for a table on a terminal, because it is slow to load.
    """

    def __init__(self, stream: TextIO | None = None, *, detailed: bool = False, asked: str = "") -> None:
        # Some schedulers start a program without standard output; what is printed is then dropped.
        self.stream = stream or sys.stdout or io.StringIO()
        self.is_terminal = self.stream.isatty()
        self.detailed = detailed
        self.asked = asked
        """The filters of the command line, such as `--tag db`, for an answer that is empty because of them."""
        self.is_transcript = False
        self._coloured = self.is_terminal and not wants_no_colour()

    def width_left(self, taken: int) -> int:
        """Return how many characters fit on a line after `taken` characters; always 200 if the output is piped."""
        if not self.is_terminal:
            return 200
        # Loaded only here, because it imports every compression library.
        import shutil

        return max(_LEAST_ROOM, shutil.get_terminal_size().columns - taken)

    def line(self, text: str = "", *, style: str = "", hang: int | None = None, wraps: bool = True) -> None:
        """Print a line; on a terminal, break it between words unless `wraps` is False.

        `hang` is the indentation of the lines after a break.
        """
        text = escape_controls(text)
        if wraps and self.is_terminal and len(text) > _LEAST_ROOM:
            width = self.width_left(0)
            text = "\n".join(wrap_words(row, width, hang) for row in text.split("\n"))
        self._write_line(self._style(text, style))

    def _style(self, text: str, style: str) -> str:
        code = {"dim": "2", "bold": "1", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}.get(style)
        return f"\x1b[{code}m{text}\x1b[0m" if code and self._coloured else text

    def remark(self, text: str, *, style: str = "") -> None:
        """Print a message that is not data, such as "nothing found": to stdout on a terminal, to stderr when piped."""
        if self.is_terminal or self.is_transcript:
            self.line(text, style=style)
        else:
            print_notice(text)

    def remark_empty(self, text: str) -> None:
        """Print a remark that an answer is empty, such as "no facts", and with which filters."""
        self.remark(f"{text} with {self.asked}" if self.asked else text)

    def hint(self, text: str) -> None:
        """Print a suggestion for the next command, on a terminal only."""
        if self.is_terminal:
            self.line(text, style="dim")

    def json(self, value: object, *, indent: int | None = None) -> None:
        """Print a value as JSON, on one line or indented."""
        # Loaded here, and below, because most answers are not JSON.
        import json

        self.write_json(json.dumps(value, ensure_ascii=False, indent=indent))

    def write_json(self, text: str) -> None:
        """Print a text that is already JSON; escape all non-ASCII letters if the stream cannot encode them."""
        try:
            self.write(f"{escape_json(text)}\n")
        except UnicodeEncodeError:
            import json

            self.write(f"{json.dumps(json.loads(text))}\n")

    def flush(self) -> None:
        self.write("", at_once=True)

    def _write_line(self, text: str) -> None:
        try:
            self.write(f"{text}\n")
        except UnicodeEncodeError:
            # A terminal that is not UTF-8 gets everything that it can show.
            encoding = self.stream.encoding or "ascii"
            self.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")

    def write(self, text: str, *, at_once: bool = False) -> None:
        """Write a text as it is; raise Refused if that fails, for example because the disk is full."""
        try:
            self.stream.write(text)
            if at_once:
                self.stream.flush()
        except OSError as error:
            _drop_buffer(self.stream)
            if isinstance(error, BrokenPipeError):
                raise
            raise refuse_write(error, "the output") from error

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[str]], *, wide: int = -1) -> None:
        """Print a table without its empty columns; when piped, print only the rows, with tabs between the cells."""
        cleaned = [[escape_controls(" ".join(cell.split())) for cell in row] for row in rows]
        if not self.is_terminal:
            for row in cleaned:
                self._write_line("\t".join(row))
            return
        wide %= len(headings)
        shown = [number for number in range(len(headings)) if any(row[number] for row in cleaned)]
        widths = {
            number: max(map(_count_cells, (headings[number], *(row[number] for row in cleaned)))) for number in shown
        }
        needed = 2 * (len(shown) - 1) + sum(
            min(width, _LEAST_WIDTH) if number == wide else width for number, width in widths.items()
        )
        if needed > self.width_left(0):
            self._stack(headings, cleaned, wide)
            return
        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
        for number in shown:
            if number == wide:
                least = min(widths[number], _LEAST_WIDTH)
                table.add_column(headings[number], overflow="fold", ratio=1, min_width=least)
            else:
                table.add_column(headings[number], overflow="fold", no_wrap=True)
        for row in cleaned:
            table.add_row(*(Text(row[number]) for number in shown))
        Console(file=self.stream, color_system="auto" if self._coloured else None, highlight=False).print(table)

    def _stack(self, headings: Sequence[str], rows: Sequence[Sequence[str]], wide: int) -> None:
        """Print the rows of a table that does not fit, each on several lines: a text at its end on lines of its own."""
        is_last = wide == len(headings) - 1
        if not is_last:
            self.line("  ".join(filter(None, headings)), style="dim", hang=2)
        for row in rows:
            first = "  ".join(filter(None, row[:-1] if is_last else row))
            self.line(first, style="dim" if is_last else "", hang=2)
            if is_last:
                self.line(f"  {row[-1]}", hang=2)


def _drop_buffer(stream: TextIO) -> None:
    """Redirect a stream that cannot be written, or the interpreter would try once more and exit with status 120."""
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, stream.fileno())
    except (OSError, ValueError):
        # It is not a file of the operating system.
        pass
    finally:
        os.close(null)


def print_notice(text: str) -> None:
    """Print an error or a notice to standard error, so that standard output contains only data."""
    text = _make_harmless(text)
    _print_to_stderr(lambda out: out.line(f"limpet: {text}", style="yellow"))


def print_json_error(error: Mapping[str, str | None]) -> None:
    """Print an error to standard error as JSON."""
    safe = {name: text and _make_harmless(text) for name, text in error.items()}
    _print_to_stderr(lambda out: out.json(safe))


def _make_harmless(text: str) -> str:
    """Return a text, which may quote untrusted words, made harmless if Limpet runs inside an agent, for its model."""
    from limpet.hosts.client_processes import is_inside_agent

    if is_inside_agent():
        from limpet.doors.governor import neutralise

        return neutralise(text)
    return text


def _print_to_stderr(print_text: Callable[[Output], None]) -> None:
    if sys.stderr is None:
        return
    try:
        print_text(Output(sys.stderr))
    except (BrokenPipeError, Refused):
        # There is no other place for notices, and the exit status tells whether the command has failed.
        return


def is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


class ProgressBar:
    """A progress bar on standard error, or a number if the total is unknown (0), shown if the work takes a while."""

    DELAY_MS = 400

    def __init__(self) -> None:
        self._began = 0
        self._shown = 0
        self._drawn = ""

    def __call__(self, what: str, done: int, total: int) -> None:
        now = clock.monotonic_ms()
        self._began = self._began or now
        if not is_terminal(sys.stderr) or now - self._began < self.DELAY_MS or done + total <= 0:
            return
        if done >= total > 0:
            # Work that ended before it was ever shown must not remove the bar of other work.
            if what == self._drawn:
                self.close()
            return
        if now - self._shown < 80:
            return
        self._shown, self._drawn = now, what
        sys.stderr.write(f"\r\x1b[2K{escape_controls(what)} {self._draw(done, total, now - self._began)}")
        sys.stderr.flush()

    def _draw(self, done: int, total: int, spent_ms: int) -> str:
        if not total:
            return f"{done:,}"
        share = min(1.0, done / total)
        filled = round(share * 30)
        left = f"  {_format_seconds(spent_ms / 1000 * (1 - share) / share)} left" if share else ""
        return f"{'█' * filled}{'░' * (30 - filled)} {share:4.0%}{left}"

    def close(self) -> None:
        if self._drawn:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
            self._drawn = ""


def _format_seconds(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"

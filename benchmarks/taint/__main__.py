"""Measure the taint of a session on written sessions: one page each, and what an agent stored after reading it.

`honest` are notes about the agent's own project with words of the page's subject, `informed` are decisions that the
page may have prompted: both must keep their origin. `verbatim`, `light` and `summary` repeat the page. The share in
`model.taint` was chosen on every second session; the figures of the others are the result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from limpet.model.memory import Origin
from limpet.model.taint import SHARE, Taint

OWN = ("honest", "informed")
REPEATED = ("verbatim", "light", "summary")
_SHORTEST = 6
"""Words of a sentence of a page that is stored as it is."""

Session = Mapping[str, Sequence[str]]


def load_sessions() -> Sequence[Session]:
    """Return the sessions: `page` has one text, the other parts have one note each line."""
    sessions: list[dict[str, list[str]]] = []
    part = ""
    for line in Path(__file__).with_name("sessions.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            sessions.append({})
            part = "page"
        elif line.startswith("+ "):
            part = line[2:]
        elif line:
            sessions[-1].setdefault(part, []).append(line)
    for session in sessions:
        session["verbatim"] = [each for each in session["page"][0].split(". ") if len(each.split()) >= _SHORTEST]
    return sessions


def measure(sessions: Sequence[Session], share: float, *, read: Sequence[Session] = ()) -> dict[str, tuple[int, int]]:
    """Return for each part how many notes there are and how many were taken for what was read.

    A session has read its own page and those of `read`.
    """
    found = dict.fromkeys((*OWN, *REPEATED), (0, 0))
    for session in sessions:
        taint = Taint()
        for each in {id(each): each for each in (*read, session)}.values():
            taint = taint.add_source(Origin.EXTERNAL, "page", each["page"][0])
        for part, (notes, caught) in found.items():
            hits = sum(bool(taint.find(note, share=share)) for note in session[part])
            found[part] = (notes + len(session[part]), caught + hits)
    return found


def main() -> None:
    sessions = load_sessions()
    fitted, kept_back = sessions[::2], sessions[1::2]
    rows: list[tuple[str, ...]] = [("shares tried on the fitted half", "", "", "", "", "")]
    for share in (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5):
        rows.append(_row(f"share {share}", measure(fitted, share)))
    rows.append(("kept back", "", "", "", "", ""))
    rows.append(_row("stored on purpose", measure(kept_back, SHARE)))
    rows.append(_row("after reading all pages", measure(kept_back, SHARE, read=sessions)))
    widths = [max(len(each[at]) for each in rows) for at in range(6)]
    print("taken for what was read".ljust(widths[0]), *(name.rjust(10) for name in (*OWN, *REPEATED)))
    for each in rows:
        print(each[0].ljust(widths[0]), *(cell.rjust(10) for cell in each[1:]))


def _row(name: str, found: Mapping[str, tuple[int, int]]) -> tuple[str, ...]:
    return (name, *(f"{caught}/{notes}" for notes, caught in found.values()))


if __name__ == "__main__":
    main()

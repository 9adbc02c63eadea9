"""Show memories and facts: as tables, as search results, by episode, and what was done with them."""

from __future__ import annotations

from limpet.forms.terminal import Output, print_notice
from limpet.forms.views import (
    format_day,
    format_headline,
    format_id,
    format_state,
    format_time_of_day,
    short_id,
    show_headline,
    show_rest,
    starts_with_title,
    warning_mark,
)
from limpet.model.change import Status
from limpet.model.memory import Kind, Sensitivity
from limpet.model.outcome import Admitted, Duplicate, Outcome, Rejected
from limpet.text.excerpt import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.care.confirmation import ConfirmAnswer
    from limpet.curating.facts import FactsAnswer
    from limpet.curating.forgetting import ForgetAnswer
    from limpet.curating.restoring import RestoreAnswer
    from limpet.model.memory import Memory
    from limpet.model.query import Hit, Page, Stored
    from limpet.operations.feedback import FeedbackAnswer
    from limpet.operations.graph import GraphAnswer
    from limpet.operations.timeline import TimelineAnswer

_OTHER_COLUMNS = 52
"""The width in characters of all columns of `list` except the memory, on a terminal."""
_SHOWN = 200
"""The longest text, in characters, that a command to be typed repeats."""
_SCORED = ("match", "recency", "strength", "trust")
"""The parts that are in the score of every hit. Any other part names a reason why the memory is related."""


def show_list(page: Page[Stored], out: Output) -> None:
    if not page.items:
        if page.total:
            out.remark(f"no more: there are only {page.total}")
            return
        out.remark_empty("no memories here")
        if not out.asked:
            out.hint('limpet remember "…" stores one; --all shows forgotten ones too')
        return
    rows = [
        (
            format_id(stored, out),
            stored.memory.label + (" 📌" if stored.memory.pinned else ""),
            format_day(stored.memory.created_at),
            format_state(stored),
            format_headline(stored.memory, max(80, out.width_left(_OTHER_COLUMNS))),
        )
        for stored in page.items
    ]
    out.table(("id", "kind", "date", "state", "memory"), rows)
    show_rest(page.offset + len(page.items), page.total, out)


def show_recall(page: Page[Hit], out: Output) -> None:
    if not page.items:
        out.remark_empty("nothing found")
    is_answered = any(not hit.weak for hit in page.items)
    if page.items and not is_answered:
        out.remark("no clear answer; these memories come nearest:")
    for hit in page.items:
        memory = hit.memory
        # Scores compare the hits of one question only, so the best of several weak hits can have a high one.
        match = "weak" if hit.weak else f"{hit.score:.2f}"
        about = f"{warning_mark(hit.stored)}{memory.id}  {memory.label}  {format_day(memory.created_at)}  {match}"
        out.line(about, style="cyan")
        text = " ".join(memory.content.split())
        if hit.weak and is_answered:
            out.line(f"  {format_headline(memory)}")
        elif starts_with_title(memory):
            out.line(f"  {text}", style="bold")
        else:
            out.line(f"  {format_headline(memory)}", style="bold")
            out.line(f"  {clip(text, 400)}")
        if out.detailed:
            out.line(f"  {', '.join(f'{name} {value:.2f}' for name, value in hit.parts.items())}", style="dim")
    show_rest(page.offset + len(page.items), page.total, out)


def show_related(page: Page[Hit], out: Output) -> None:
    if not page.items:
        out.remark("no related memories")
        return
    rows = [
        (
            format_id(hit.stored, out),
            hit.memory.label,
            ", ".join(part for part in hit.parts if part not in _SCORED),
            f"{hit.score:.2f}",
            format_headline(hit.memory),
        )
        for hit in page.items
    ]
    out.table(("id", "kind", "why", "score", "memory"), rows)
    show_rest(page.offset + len(page.items), page.total, out)


def show_timeline(timeline: TimelineAnswer, out: Output) -> None:
    if not timeline.episodes:
        out.remark_empty("no memories here")
    for number, episode in enumerate(timeline.episodes):
        if number:
            out.line()
        session = f"  session {episode.session}" if episode.session else ""
        out.line(f"{format_day(episode.started_at)}{session}", style="cyan")
        for stored in episode.memories:
            memory = stored.memory
            start = f"  {format_time_of_day(memory.created_at)}  {format_id(stored, out)}  {memory.label:<10}  "
            show_headline(start, memory, out)
    if timeline.has_more:
        out.hint("there are more: raise --limit, or use --around ID for what came before and after")


def show_graph(graph: GraphAnswer, out: Output) -> None:
    """Draw the memories of each kind from the newest to the oldest, with their links."""
    if not graph.nodes:
        out.remark(f"there are only {graph.total}; give a lower --offset" if graph.total else "no memories here yet")
        return
    known = {stored.memory.id: stored for stored in graph.nodes}
    outgoing: dict[str, list[tuple[str, str]]] = {}
    for source, relation, target in graph.edges:
        outgoing.setdefault(source, []).append((relation, target))
    for kind in Kind:
        chain = [stored for stored in graph.nodes if stored.memory.kind is kind]
        if chain:
            out.line(kind.value, style="cyan")
        for number, stored in enumerate(chain):
            id, last = stored.memory.id, number == len(chain) - 1
            gone = "" if stored.status is Status.LIVE else f" ({stored.status.value})"
            start = f"{'└─' if last else '├─'}● {short_id(id)} {stored.memory.impact.code:<4} "
            out.line(f"{start}{format_headline(stored.memory, out.width_left(len(start + gone)))}{gone}")
            following = None if last else chain[number + 1].memory.id
            links = [each for each in outgoing.get(id, ()) if each != ("follows", following)]
            for position, (relation, to) in enumerate(links):
                branch = "└" if position == len(links) - 1 else "├"
                start = f"{' ' if last else '│'}  {branch}─{relation}→ {short_id(to)} "
                show_headline(start, known[to].memory, out, style="dim")
    show_rest(graph.offset + len(graph.nodes), graph.total, out)


def show_facts(answer: FactsAnswer, out: Output) -> None:
    if answer.left_out:
        from limpet.text.plural import plural  # the other verbs here do without

        print_notice(f"left out {plural(answer.left_out, 'private fact')}; --private includes them")
    if not answer.facts:
        out.remark_empty("no facts")
        return
    rows = [
        (
            fact.id if not out.is_terminal else fact.id[:19],
            fact.subject,
            fact.predicate,
            fact.object,
            "" if out.is_terminal and fact.confidence == 1 else f"{fact.confidence:g}",
            format_day(fact.valid_from),
            format_day(fact.valid_to) if fact.valid_to else "",
        )
        for fact in answer.facts
    ]
    out.table(("id", "subject", "predicate", "object", "conf.", "from", "to"), rows, wide=3)
    if answer.redacted:
        out.line(f"redacted: {', '.join(dict.fromkeys(answer.redacted))}", style="yellow")
    for fact in answer.closed if answer.added else ():
        out.line(f"no longer holds: {fact.subject} {fact.predicate} {fact.object}", style="yellow")
    show_rest(answer.seen, answer.total, out)


def show_remember(outcome: Outcome, out: Output) -> None:
    match outcome:
        case Admitted(memory=memory):
            out.line(f"remembered {memory.id}  {memory.label}  {memory.region}")
            out.line(f"  {format_headline(memory)}", style="dim")
            if memory.version > 1:
                out.line(f"  version {memory.version}, corrects {memory.corrects}", style="dim")
            if memory.sensitivity is not Sensitivity.PUBLIC:
                out.line(f"  stored as {memory.sensitivity}: shown only with --private", style="yellow")
        case Duplicate(memory=memory):
            out.line(f"already stored as {memory.id}  {memory.label}")
        case Rejected(reason=reason):
            print_notice(reason)
    if outcome.redacted:
        out.line(f"  redacted: {', '.join(dict.fromkeys(outcome.redacted))}", style="yellow")
    for note in outcome.notes:
        out.line(f"  {note}", style="yellow")
    if isinstance(outcome, Admitted):
        show_older(outcome.memory, outcome.older, out)


show_correct = show_remember


def show_older(memory: Memory, older: Sequence[Memory], out: Output) -> None:
    """Print the older memories that a new one may replace, and the command that says so."""
    for each in older:
        out.line(f"  older: {each.id}  {format_headline(each)}", style="dim")
    if older:
        import shlex  # few texts have older ones on their subject

        text = shlex.quote(memory.content) if len(memory.content) <= _SHOWN else "TEXT"
        out.line("  if it makes one of them untrue (if both can be true, do nothing):", style="dim")
        out.line(f"  limpet remember --replaces ID {text}", style="dim")


def show_forget(answer: ForgetAnswer, out: Output) -> None:
    for stored in answer.memories:
        show_headline(f"{'forgot' if answer.done else 'would forget'} {stored.memory.id}  ", stored.memory, out)
    for stored in answer.restored:
        show_headline(f"told again {stored.memory.id}  ", stored.memory, out)
    if not answer.memories:
        out.remark("nothing to forget")
    elif answer.done:
        several = len(answer.memories) > 1
        named = "ID" if several else short_id(answer.memories[0].memory.id)
        out.hint(f"limpet restore {named} brings {'one' if several else 'it'} back")


def show_pin(stored: Stored, out: Output) -> None:
    show_headline(f"{'pinned' if stored.memory.pinned else 'unpinned'} {stored.memory.id}  ", stored.memory, out)


def show_restore(answer: RestoreAnswer, out: Output) -> None:
    out.line(f"{answer.stored.memory.id}  {answer.how}")


def show_confirm(answer: ConfirmAnswer, out: Output) -> None:
    for stored in answer.memories:
        show_headline(f"confirmed {stored.memory.id}  ", stored.memory, out)
    for id in answer.forgotten:
        out.line(f"forgot {id}")
    if answer.device:
        out.line(f"what the device {answer.device} writes is used from now on")
    if answer.project:
        out.line(f"this folder is now known as the project {answer.project}")
    if answer.agent:
        out.line(f"in this project the agent is now {answer.agent}")


def show_feedback(answer: FeedbackAnswer, out: Output) -> None:
    from limpet.operations.feedback import EFFECT

    said = "not wanted again" if answer.says == "never" else answer.says
    out.line(f"{answer.stored.memory.id} is marked as {said}: {EFFECT[answer.says]}")

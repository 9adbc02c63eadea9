"""Format a friction report as one HTML page, with charts as SVG, and without scripts or external resources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from limpet.clock import to_local
from limpet.insight.friction.adherence import Counts, RuleAdherence
from limpet.insight.friction.measures import ConversationMeasures
from limpet.insight.friction.report import FrictionReport, Period, compare_reports
from limpet.insight.friction.signals import Quality, SignalSource
from limpet.text.excerpt import clip

PAGE = "friction.html"
_MOST_SPANS = 60
_MOST_ROWS = 25
_LONGEST_RULE = 160
_ORDER = (Quality.BAD, Quality.FRICTION, Quality.ROUGH, Quality.OK)

_STYLE = """
:root { color-scheme: light dark; --text: #1f2328; --soft: #59636e; --line: #d1d9e0; --back: #ffffff; --card: #f6f8fa;
  --bad: #c93c37; --friction: #d4761c; --rough: #c9a227; --ok: #4c956c; --user: #8250df; --other: #6e7781; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9198a1; --line: #3d444d; --back: #0d1117;
  --card: #151b23; --bad: #f47067; --friction: #f0883e; --rough: #d9b93d; --ok: #57ab5a; --user: #b083f0;
  --other: #8b949e; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; color: var(--text); background: var(--back);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2.25rem 0 .75rem; }
p { margin: .35rem 0; } .soft { color: var(--soft); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 1.5rem 0 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; }
.tile b { display: block; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tile.BAD b { color: var(--bad); } .tile.FRICTION b { color: var(--friction); } .tile.ROUGH b { color: var(--rough); }
.tile.OK b { color: var(--ok); }
.scroll { overflow-x: auto; }
svg { display: block; width: 100%; height: auto; } svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
svg .name { fill: var(--text); } svg line { stroke: var(--line); }
.BAD rect, rect.BAD { fill: var(--bad); } rect.FRICTION { fill: var(--friction); } rect.ROUGH { fill: var(--rough); }
rect.OK { fill: var(--ok); } rect.user { fill: var(--user); } rect.other { fill: var(--other); }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td:first-child { white-space: nowrap; } .rules td:first-child { white-space: normal; min-width: 16rem; }
.key { display: inline-block; width: .7rem; height: .7rem; border-radius: .15rem; margin: 0 .35rem 0 1rem; }
.key:first-child { margin-left: 0; }
""".strip()


def write_page(
    report: FrictionReport, *, compared: FrictionReport | None = None, rules: Sequence[RuleAdherence] = ()
) -> str:
    """Return a report as an HTML page; all texts from sessions are escaped.

    `compared` is the report on an earlier period, and `rules` is the adherence to the user's rules.
    """
    verdict = report.verdict
    parts = [
        f"<h1>Friction: {escape(verdict.status)}</h1>",
        f'<p class="soft">{escape("; ".join(verdict.reasons))}</p>',
        f'<p class="soft">{escape(_describe_scope(report))}</p>',
        _draw_tiles(report),
        "<h2>Conversations by day</h2>",
        _draw_trend(report.find_trend(_MOST_SPANS)),
        "<h2>What was noticed</h2>",
        _draw_signals(report),
    ]
    if compared is not None:
        parts += ["<h2>Compared with an earlier period</h2>", _write_comparison(report, compared)]
    if rules:
        parts += ["<h2>Standing rules</h2>", _write_rules(rules)]
    parts += ["<h2>The hardest conversations</h2>", _write_hardest(report)]
    objections = [(each, found) for each in report.conversations for found in each.evidence]
    if objections:
        rows = [(each.name, found.event.signal.value, found.event.details) for each, found in objections[-_MOST_ROWS:]]
        parts += ["<h2>What the user objected to</h2>", _write_table(("conversation", "signal", "words"), rows)]
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>Friction: {escape(verdict.status)}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n"
    )
    return f"{head}<body>\n" + "\n".join(parts) + "\n</body>\n</html>\n"


def _describe_scope(report: FrictionReport) -> str:
    days = [to_local(each.begins).date() for each in report.conversations]
    period = f"{min(days)} to {max(days)}" if days else "no conversations"
    projects = sorted({each.project for each in report.conversations})
    named = projects[0] if len(projects) == 1 else f"{len(projects)} projects"
    apart = f"; {len(report.scripted)} that a program had are counted apart" if report.scripted else ""
    return f"{named}, {period}{apart}. Written {to_local(report.made_at):%Y-%m-%d %H:%M}."


def _draw_tiles(report: FrictionReport) -> str:
    tiles = [f'<div class="tile"><b>{len(report.conversations)}</b>conversations</div>']
    for quality in _ORDER:
        count, meaning = report.qualities[quality], escape(quality.meaning)
        tiles.append(f'<div class="tile {quality}" title="{meaning}"><b>{count}</b>{quality}</div>')
    return f'<div class="tiles">{"".join(tiles)}</div>'


def _draw_trend(periods: Sequence[Period]) -> str:
    """Return a bar chart as SVG: the number of conversations by period, with the worst quality at the bottom."""
    width, height, left, right, top, bottom = 960.0, 220.0, 34.0, 924.0, 12.0, 26.0
    most = max((period.total for period in periods), default=1)
    room, step = height - top - bottom, (right - left) / max(1, len(periods))
    bar = min(48.0, step * 0.72)
    drawn = [_draw_scale(most, left=left, right=right, top=top, room=room)]
    every = max(1, -(-len(periods) * 80 // int(right - left)))
    for number, period in enumerate(periods):
        middle, base = left + step * (number + 0.5), top + room
        drawn.append("<g>")
        counts = ", ".join(f"{period.qualities[quality]} {quality}" for quality in _ORDER if period.qualities[quality])
        drawn.append(f"<title>{period.label}: {counts}</title>")
        for quality in _ORDER:
            tall = room * period.qualities[quality] / most
            if tall:
                base -= tall
                drawn.append(_draw_rectangle(middle - bar / 2, base, bar, tall, quality))
        drawn.append("</g>")
        if number % every == 0:
            drawn.append(f'<text x="{middle:.1f}" y="{height - 8:.1f}" text-anchor="middle">{period.label}</text>')
    keys = "".join(f'<span class="key" style="background:var(--{name.lower()})"></span>{name}' for name in _ORDER)
    return f'{_wrap(drawn, width, height, "Conversations by day and quality")}<p class="soft">{keys}</p>'


def _draw_scale(most: int, *, left: float, right: float, top: float, room: float) -> str:
    marks = sorted({0, most // 2, most}) if most > 1 else [0, 1]
    drawn = []
    for mark in marks:
        y = top + room * (1 - mark / most)
        drawn.append(f'<line x1="{left:.1f}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        drawn.append(f'<text x="{left - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{mark}</text>')
    return "".join(drawn)


def _draw_rectangle(x: float, y: float, width: float, height: float, name: str) -> str:
    return f'<rect class="{name}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def _draw_signals(report: FrictionReport) -> str:
    """Return a bar chart as SVG: how often each signal occurred. User signals have a different colour."""
    counts = report.signals
    if not counts:
        return '<p class="soft">Nothing was noticed.</p>'
    width, row, left = 960.0, 26.0, 190.0
    most, drawn = max(counts.values()), []
    for number, (signal, count) in enumerate(counts.items()):
        y, long = number * row, max(2.0, (width - left - 60) * count / most)
        kind = "user" if signal.source is SignalSource.USER else "other"
        drawn.append(f"<g><title>{escape(signal.meaning)}</title>")
        drawn.append(f'<text class="name" x="{left - 10:.1f}" y="{y + 17:.1f}" text-anchor="end">{signal}</text>')
        drawn.append(_draw_rectangle(left, y + 5, long, row - 10, kind))
        drawn.append(f'<text x="{left + long + 8:.1f}" y="{y + 17:.1f}">{count}</text></g>')
    keys = (
        '<span class="key" style="background:var(--user)"></span>what the user did'
        '<span class="key" style="background:var(--other)"></span>inferred'
    )
    return f'{_wrap(drawn, width, row * len(counts), "How often each signal occurred")}<p class="soft">{keys}</p>'


def _wrap(drawn: Iterable[str], width: float, height: float, label: str) -> str:
    inner = "".join(drawn)
    return f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(label)}">{inner}</svg>'


def _write_comparison(report: FrictionReport, compared: FrictionReport) -> str:
    return _write_table(("", "this period", "earlier period"), compare_reports(report, compared))


def _write_rules(rules: Sequence[RuleAdherence]) -> str:
    """Return a table of the numbers of conversations in which each rule was followed and broken, before and after."""
    rows = [(clip(each.text, _LONGEST_RULE), *_list_counts(each.before), *_list_counts(each.since)) for each in rules]
    names = ("followed", "broken", "unclear")
    heads = ("rule", *(f"{name} before" for name in names), *(f"{name} since" for name in names))
    table = _write_table(heads, rows[:_MOST_ROWS], numbers=range(1, 7), kind="rules")
    return f'<p class="soft">Number of conversations, before and after the rule was learnt.</p>{table}'


def _list_counts(counts: Counts) -> tuple[str, str, str]:
    return str(counts.followed), str(counts.broken), str(counts.unknown)


def _write_hardest(report: FrictionReport) -> str:
    found = sorted(
        (each for each in report.conversations if each.signals),
        key=lambda each: (_ORDER.index(each.quality), -each.score),
    )[:_MOST_ROWS]
    if not found:
        return '<p class="soft">None: nothing was noticed in any of them.</p>'
    rows = [
        (each.name, each.quality.value, f"{each.score:g}", str(each.turns), str(each.errors), _name_signals(each))
        for each in found
    ]
    return _write_table(("conversation", "quality", "score", "prompts", "errors", "signals"), rows, numbers=(2, 3, 4))


def _name_signals(each: ConversationMeasures) -> str:
    return ", ".join(dict.fromkeys(event.signal.value for event in each.signals))


def _write_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = (), kind: str = ""
) -> str:
    def cells(tag: str, row: Sequence[str]) -> str:
        kinds = (' class="number"' if at in numbers else "" for at in range(len(row)))
        return "".join(f"<{tag}{kind}>{escape(cell)}</{tag}>" for kind, cell in zip(kinds, row, strict=True))

    named = f' class="{kind}"' if kind else ""
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f'<div class="scroll"><table{named}><tr>{cells("th", headings)}</tr>{body}</table></div>'

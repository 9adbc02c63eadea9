"""Show settings as a table."""

from __future__ import annotations

from limpet.cli.terminal import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.config import ConfigAnswer


def show(answer: ConfigAnswer, out: Output) -> None:
    rows = [(each.key, _format_value(each.value), each.origin, each.help) for each in answer.settings]
    out.table(("setting", "value", "from", ""), rows)
    if answer.changed:
        out.hint(f"changed in {answer.home}/config.toml")
    if answer.was_unset:
        out.remark(f"{answer.was_unset} was not set in {answer.home}/config.toml; nothing was changed")


def _format_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

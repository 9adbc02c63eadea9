"""Show what a verb is about to do: before files of other programs are changed, and before memories are erased."""

from __future__ import annotations

import sys

from limpet.cli.terminal import Output, is_terminal
from limpet.cli.views import load_view
from limpet.cli.views.format import plural
from limpet.cli.views.setup import show_changes
from limpet.errors import Refused
from limpet.operations.catalogue import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.runtime import Runtime


def preview_changes(chosen: Verb, runtime: Runtime, values: dict[str, Any], out: Output) -> None:
    """List the changes that `setup` or `uninstall` will make; a dry run lists them itself."""
    if not values.get("dry_run"):
        show_changes(chosen.run(runtime, **{**values, "dry_run": True}), out)


def confirm_purge(chosen: Verb, runtime: Runtime, values: dict[str, Any], out: Output) -> bool:
    """Ask the user before memories are erased; return False if there is nothing to erase or they decline.

    An agent is not asked: the verb itself refuses it.
    """
    if values.get("yes") or values.get("dry_run") or runtime.caller.is_agent:
        return True
    if not is_terminal(sys.stdin):
        raise Refused("to purge memories without a terminal to ask on, add --yes")
    preview = chosen.run(runtime, **{**values, "dry_run": True})
    load_view("purge")(preview, out)
    if not preview.ids:
        return False
    sys.stderr.write(f"Erase {plural(len(preview.ids), 'memory')} for good, from every file? [y/N] ")
    sys.stderr.flush()
    values["yes"] = sys.stdin.readline().strip().lower() in ("y", "yes")
    return bool(values["yes"])

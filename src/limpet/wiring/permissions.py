"""Add the permission rule of an adopted antigen to the settings of the project's host, or remove it."""

from __future__ import annotations

import os

from limpet.curating.antigens import AntigensAnswer
from limpet.errors import NotWirable, Refused, Untouchable
from limpet.hosts.claude_code import deny_rules
from limpet.lean.record import replace
from limpet.model.antigen import (
    AntigenDecision,
)
from limpet.runtime import Runtime
from limpet.runtime.permissions import require_person
from limpet.runtime.project_folder import find_root
from limpet.workspace import replacing


def change_permission(
    runtime: Runtime, answer: AntigensAnswer, code: str | None, *, removes: bool, dry_run: bool
) -> AntigensAnswer:
    """Add the permission rule of an adopted antigen to the project's personal settings, or remove it if `removes`."""
    antigen = answer.rows[0].antigen
    root = find_root(runtime)
    if root is None:
        raise Refused("this folder is no repository; a permission rule is written to the settings of one")
    if antigen.decision is not AntigenDecision.ADOPTED and not removes:
        raise Refused(f"adopt it first: limpet antigens adopt {antigen.id}")
    path, rule = deny_rules.settings_path(root), deny_rules.make_rule(antigen.pattern)
    try:
        if any(map(os.path.islink, (os.path.dirname(path), path))):
            raise Untouchable("is a symlink")
        text = replacing.read(path) or ""
        made = deny_rules.remove_rule(text, rule) if removes else deny_rules.add_rule(text, rule)
        if not dry_run and made != text:
            require_person(runtime, "antigens", code=code, doing="change permissions")
            replacing.write(path, made.encode())
    except (NotWirable, Untouchable) as error:
        raise Refused(f"{path} {error}; it was left as it is") from None
    if made == text:
        outcome = f"nothing changed, the rule {'is not there' if removes else 'is there already'}"
    else:
        outcome = f"{'would be ' if dry_run else ''}{'removed' if removes else 'added'}"
    return replace(answer, path=path, rule=rule, is_written=made != text and not dry_run, outcome=outcome)

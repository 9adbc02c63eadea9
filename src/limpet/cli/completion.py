"""Write completion scripts for shells. They list every command and option, so completion does not start Python."""

from __future__ import annotations

from limpet.cli.commands import COMMANDS, load_command
from limpet.errors import UsageError

_COMMON = ("--json", "--home", "--agent", "--project", "--session", "--help")


def make_script(shell: str) -> str:
    try:
        return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]()
    except KeyError:
        raise UsageError(f"no completion for {shell!r}; choose bash, zsh or fish") from None


def _options(name: str) -> list[str]:
    own = [param.flag for param in load_command(name).params if not param.positional]
    return sorted({*own, *_COMMON})


def _bash() -> str:
    cases = "\n".join(f'    {each.name}) words="{" ".join(_options(each.name))}" ;;' for each in COMMANDS)
    names = " ".join(each.name for each in COMMANDS)
    return f"""_limpet() {{
  local words="{names} --help --version"
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "${{COMP_WORDS[1]}}" in
{cases}
    *) words="" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _limpet limpet"""


def _zsh() -> str:
    cases = "\n".join(f"    {each.name}) compadd -- {' '.join(_options(each.name))} ;;" for each in COMMANDS)
    names = " ".join(each.name for each in COMMANDS)
    return f"""_limpet() {{
  if (( CURRENT == 2 )); then compadd -- {names} --help --version; return; fi
  case "$words[2]" in
{cases}
  esac
  _files
}}
compdef _limpet limpet"""


def _fish() -> str:
    rows = ["complete -c limpet -f"]
    for each in COMMANDS:
        summary = each.summary.replace("'", "\\'")
        rows.append(f"complete -c limpet -n __fish_use_subcommand -a {each.name} -d '{summary}'")
        rows += [
            f"complete -c limpet -n '__fish_seen_subcommand_from {each.name}' -l {option.removeprefix('--')}"
            for option in _options(each.name)
        ]
    return "\n".join(rows)

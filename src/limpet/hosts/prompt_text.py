"""Separate text that a person typed from text that a host adds to a prompt or sends as a prompt."""

from __future__ import annotations

from limpet.hosts import HOSTS, names_of

_NOT_TYPED = tuple(start for host in HOSTS for start in names_of(host).NOT_TYPED)
INJECTED_BLOCKS: tuple[tuple[str, str], ...] = tuple(
    block for host in HOSTS for block in names_of(host).INJECTED_BLOCKS
)
_AFTER_A_SUMMARY = (
    "\nIf you need specific details from before compaction",
    "\nContinue the conversation from where it left off",
    "\nPlease continue the conversation from where we left it off",
)


def is_machine_made(text: str) -> bool:
    """Tell whether a prompt was written by the host and not typed by a person."""
    return text.lstrip().startswith(_NOT_TYPED)


def typed_text(text: str) -> str:
    """Return the part of a prompt that a person typed; an empty string if the host wrote the prompt."""
    # Gemini CLI puts the output of hooks before and after the prompt.
    opening, closing = names_of("gemini").HOOK_CONTEXT
    while opening in text:
        before, _, rest = text.partition(opening)
        _, closed, after = rest.partition(closing)
        if not closed:
            break
        text = before + after
    return "" if is_machine_made(text) else text.strip()


def parse_slash_command(text: str) -> tuple[str, str] | None:
    """Return the name and the arguments of a slash command, as Claude Code records it; None for other prompts."""
    if not text.lstrip().startswith(("<command-name>", "<command-message>")):
        return None
    name = _find_between(text, "command-name").lstrip("/")
    return (name, _find_between(text, "command-args")) if name else None


def parse_revert_command(text: str) -> str:
    """Return the git command with which a person undid changes in Claude Code's shell mode, or an empty string.

    Other shell commands are ignored, because they do not show what the person thinks of the agent's work.
    """
    command = _find_between(text, "bash-input") if text.lstrip().startswith("<bash-input>") else ""
    words = command.split()
    return command if words[:1] == ["git"] and words[1:2] and words[1] in _REVERTING else ""


_REVERTING = ("checkout", "restore", "revert", "reset", "stash")


def parse_summary(text: str) -> str:
    """Return the summary that a host made of a conversation, without the text that the host adds around it."""
    if "<summary>" in text:
        return _find_between(text, "summary") or text.partition("<summary>")[2].strip()
    if text.startswith("This session is being continued"):
        text = text.partition("Summary:\n")[2] or text.partition("\n\n")[2]
        for ending in _AFTER_A_SUMMARY:
            text = text.partition(ending)[0]
    return text.strip()


def _find_between(text: str, tag: str) -> str:
    after = text.partition(f"<{tag}>")[2]
    inner, closing, _ = after.partition(f"</{tag}>")
    return inner.strip() if closing else ""

"""Declare every setting, and load settings from files, environment variables and flags.

The sources of a value are, weakest first: its default, `<home>/config.toml`, `[tool.limpet]` in the project's
`pyproject.toml`, the project's `.limpet.toml`, the variable `LIMPET_SECTION__KEY`, and a flag. An error in the user's
file, variables or flags raises a SettingsError that says what to correct. A project's files come with its repository
and may be hostile. So they can only change settings that are declared with `project=True`. An error in them raises no
exception, because a cloned repository must not be able to disable Limpet's memory.
"""

from __future__ import annotations

import math
import os

from limpet.environment import environment, home_path, make_absolute
from limpet.errors import ProjectFileIgnored, SettingsError, UsageError, describe_error
from limpet.lean import time_limits
from limpet.lean.pattern import lazy
from limpet.lean.record import Field, field, fields, record
from limpet.system import read_regular
from limpet.text.excerpt import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypeVar

    Value = bool | int | float | str
    T = TypeVar("T", bool, int, float, str)

_NOUNS = {"bool": "true or false", "int": "a whole number", "float": "a number", "str": "a text"}
_ID = r"([a-z0-9][a-z0-9_-]*)?"

CONFIG = "config.toml"
FILE_LIMIT = 256 * 1024
NOTICE_LIMIT = 8

# The time that tomllib takes grows with the square of the length of a dotted key: 32 kB of `a.a.a…` take six seconds.
# No setting has more than four names, so a project file with a key of 16 names is not parsed. The time of the pattern
# is linear: its quantifiers are possessive, and a match can only start where a name can start.
_DEEP_KEY = r"""(?<![\w"'\\-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){16}"""


def _setting(
    default: T,
    about: str,
    *,
    project: bool = False,
    low: float = 0,
    high: float = math.inf,
    pattern: str | None = None,
) -> T:
    """Declare a setting with its default and its help text.

    `low` and `high` limit a number, or the length of a text. If `project` is true, a project's files may change the
    setting too.
    """
    metadata = {"help": about, "project": project, "low": low, "high": high, "pattern": pattern}
    declared: T = field(default=default, metadata=metadata)
    return declared


@record
class AgentSettings:
    """Settings that identify the agent that owns the memories."""

    name: str = _setting("Anima", "Name of the agent; only a label.", low=1, high=80)
    id: str = _setting("", "Id of the agent that owns the memories; empty: made from the name.", high=64, pattern=_ID)


@record
class StoreSettings:
    """Settings that control how memories are stored, and how many are kept."""

    backup_hours: float = _setting(1.0, "Hours between two backups of the journal.", high=8760)
    segment_bytes: int = _setting(8_388_608, "Size at which a journal segment is closed.", low=1024, high=1 << 25)
    apply_wait_ms: int = _setting(250, "Milliseconds to wait for the index to be brought up to date.", high=60_000)
    hook_apply_changes: int = _setting(200, "Maximum number of changes that a hook applies to the index.", high=100_000)
    hook_apply_ms: int = _setting(
        time_limits.LOCK_MS, "Maximum milliseconds that a hook spends on the index, or waits for it.", high=10_000
    )
    project_cap: int = _setting(1000, "Full memories kept per project; 0 means no cap.", high=10_000_000)
    agent_cap: int = _setting(10_000, "Full memories kept per agent; 0 means no cap.", high=10_000_000)
    retire_share: float = _setting(0.20, "Share of a scope that a job may retire without asking.", high=1)


@record
class AdmitSettings:
    """Settings that control how a new memory is checked before it is stored."""

    max_bytes: int = _setting(1_000_000, "Length of the longest text of a memory, in bytes.", low=1, high=16_000_000)
    redact: bool = _setting(True, "Remove secrets from a text before anything is stored.")
    classify: bool = _setting(True, "Classify texts as private or public; if off, their sensitivity is unknown.")
    cite: bool = _setting(True, "Keep a hash of the files that a memory names.", project=True)


@record
class RecallSettings:
    """Settings that control how memories are found and scored."""

    limit: int = _setting(5, "Memories in an answer if no limit is given.", low=1, high=100, project=True)
    match_weight: float = _setting(0.55, "Weight of the match in the score of what is told unasked.", high=1)
    asked_match_weight: float = _setting(
        0.85, "Weight of the match when somebody asks; the other weights keep their proportions.", high=1
    )
    half_life_days: float = _setting(
        21.0, "Days after which the recency of a memory is halved.", low=0.1, high=36_500, project=True
    )
    questions: int = _setting(
        200, "Questions that are kept, so that no merge hides their answers; 0 keeps none.", high=1000
    )


@record
class InjectSettings:
    """Settings that control which memories are added to prompts, and how much of them."""

    enabled: bool = _setting(True, "Inject memories into sessions without being asked.")
    start_lines: int = _setting(20, "Maximum number of memories told at the start of a session.", high=200)
    start_tokens: int = _setting(1200, "Tokens that memories at the start of a session may take.", high=20_000)
    line_characters: int = _setting(240, "Characters of one memory at the start of a session.", low=40, high=4000)
    prompt_memories: int = _setting(5, "Maximum number of memories told with a prompt.", high=50)
    prompt_tokens: int = _setting(2000, "Tokens that memories with one prompt may take.", high=20_000)
    session_tokens: int = _setting(6000, "Tokens that memories with prompts may take in one session.", high=1_000_000)
    characters: int = _setting(9500, "Characters of one answer to the host.", low=200, high=9500)
    trial: bool = _setting(True, "Tell what the user stated at the next three starts, until somebody has decided.")
    nudge: bool = _setting(True, "Ask the model, beside a prompt that states something, to store what lasts.")
    seen: bool = _setting(True, "Show the person, at a start and in a status line, what was told and what waits.")
    withhold_stale: bool = _setting(
        False, "Withhold memories that cite a changed file, instead of saying that it changed."
    )
    measure: bool = _setting(False, "Hold back some memories at random, to measure the benefit of memory.")
    held_share: float = _setting(0.10, "Share that is held back while measuring.", high=1)


@record
class UpkeepSettings:
    """Settings that control how memories fade, merge and expire."""

    low_days: int = _setting(
        1, "Active days without use after which a LOW memory is cut to one sentence; 0 means never.", high=99
    )
    medium_days: int = _setting(
        7, "Active days without use after which a MEDIUM memory is cut to a hint; 0 means never.", high=99
    )
    high_days: int = _setting(
        30, "Active days without use after which a HIGH memory is cut to a hint; 0 means never.", high=99
    )
    compress_days: float = _setting(
        7.0, "Age in days from which similar memories are merged; 0 means never.", high=36_500
    )
    summarize_days: float = _setting(
        30.0, "Age in days from which `--summarize-old` merges memories of one kind.", high=36_500
    )
    auto_ttl_days: float = _setting(
        90.0, "Days after its last use at which a captured memory is archived; 0 means never.", high=36_500
    )
    noted_days: int = _setting(
        30, "Active days without use after which a noted memory is archived; 0 means never.", high=99
    )
    receipt_days: float = _setting(
        90.0, "Days that `limpet why` can look back at least; older receipts become totals; 0 keeps all.", high=36_500
    )


@record
class CaptureSettings:
    """Settings that control what is learnt from sessions."""

    enabled: bool = _setting(True, "Learn from what happens in a session.")
    gate: float = _setting(0.30, "Memorability from which a text is noted, from 0 to 1.", high=1)


@record
class HooksSettings:
    """Time limits of hooks. A hook that takes longer gives no answer, and `limpet doctor` counts such hooks."""

    start_ms: int = _setting(time_limits.START_MS, "Milliseconds for a start or a compaction.", low=1, high=4500)
    prompt_ms: int = _setting(time_limits.PROMPT_MS, "Milliseconds for a prompt.", low=1, high=4500)
    tool_ms: int = _setting(time_limits.TOOL_MS, "Milliseconds after a tool call or a turn.", low=1, high=4500)
    end_ms: int = _setting(time_limits.END_MS, "Milliseconds at the end of a session.", low=1, high=9500)


@record
class HttpSettings:
    """Settings that control how `limpet serve` listens, and how long it waits for requests."""

    port: int = _setting(7477, "Port on 127.0.0.1; another one is taken if it is in use; 0 means any.", high=65_535)
    idle_minutes: float = _setting(
        0.0, "Minutes without a request after which the server ends; 0 means never.", high=525_600
    )
    max_bytes: int = _setting(8_388_608, "Length of the longest request, in bytes.", low=1024, high=64_000_000)


@record
class SyncSettings:
    """Settings that control how several machines share their memories."""

    folder: str = _setting("", "The folder that `limpet sync --with` may use when no person runs it.", high=1000)
    name: str = _setting("", "The name of this machine in that folder; empty means its host name.", high=60)


@record
class SignSettings:
    """Settings that control how memories are signed."""

    at_setup: bool = _setting(True, "Make a signing key at setup.")
    keyring: bool = _setting(False, "Keep the signing key in the system's keyring instead of a file.")


@record
class LlmSettings:
    """Settings that control which language model may be used, and how much it may cost. By default, none is used."""

    provider: str = _setting(
        "",
        "Who is asked: claude or codex (the client's own program), anthropic, openai, ollama; empty means nobody.",
        high=40,
    )
    model: str = _setting("", "Name of the model; empty means the client's default.", high=200)
    url: str = _setting("", "Address of the endpoint; empty means the vendor's own.", high=500)
    key_variable: str = _setting("", "Name of the variable that holds the endpoint's key.", high=100)
    daily_tokens: int = _setting(0, "Tokens that may be spent in a day; 0 means none.", high=1_000_000_000)
    session_tokens: int = _setting(
        6000, "Maximum tokens of one request, to curate a session or to extract from stashes.", low=500, high=100_000
    )
    sure: int = _setting(45, "How sure the model must be to keep something, in percent.", low=1, high=99)
    timeout_seconds: float = _setting(120.0, "Seconds to wait for a reply.", low=1, high=3600)


@record
class AppsSettings:
    """Settings that control how memories are made from the conversations of apps."""

    memories: int = _setting(10, "Maximum number of memories of an app.", low=1, high=100)
    characters: int = _setting(200, "Maximum number of characters of a memory of an app.", low=40, high=2000)
    timeout_seconds: float = _setting(30.0, "Seconds to wait for a model.", low=1, high=600)
    model_share: float = _setting(
        0.05, "Tokens that a model may cost for a conversation, as a share of the conversation's own.", high=1_000_000
    )
    daily_energy: int = _setting(
        10_000, "Units of energy a day: 10 to 15 a memory, 20 to 30 a compaction.", high=1_000_000_000
    )


_KINDS: tuple[type[Any], ...] = (
    *(AgentSettings, StoreSettings, AdmitSettings, RecallSettings, InjectSettings, UpkeepSettings),
    *(CaptureSettings, HooksSettings, HttpSettings, SyncSettings, SignSettings, LlmSettings, AppsSettings),
)
_SECTIONS: dict[str, type[Any]] = {kind.__name__.removesuffix("Settings").lower(): kind for kind in _KINDS}


@record
class Settings:
    """The values of all settings by section, and the source of each value.

    `notices` contains messages for the user about entries that were ignored.
    """

    home: str
    agent: AgentSettings
    store: StoreSettings
    admit: AdmitSettings
    recall: RecallSettings
    inject: InjectSettings
    upkeep: UpkeepSettings
    capture: CaptureSettings
    hooks: HooksSettings
    http: HttpSettings
    sync: SyncSettings
    sign: SignSettings
    llm: LlmSettings
    apps: AppsSettings
    notices: tuple[str, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    def origin_of(self, key: str) -> str:
        """Return a description of the source of a setting's value, such as "default" or "flag"."""
        return self.origins.get(get_declared(key).key, "default")

    def value_of(self, key: str) -> Value:
        """Return the value of a setting, given its key, such as "recall.limit"."""
        section, _, name = get_declared(key).key.partition(".")
        value: Value = getattr(getattr(self, section), name)
        return value


@record
class SettingInfo:
    """The declaration of a setting."""

    key: str
    type_name: str
    default: Value
    help: str
    project_allowed: bool
    low: float
    high: float
    pattern: str | None

    @property
    def variable(self) -> str:
        """Return the name of the environment variable that sets this setting."""
        return "LIMPET_" + self.key.upper().replace(".", "__")

    @property
    def expected(self) -> str:
        """Return a description of the allowed values, for error messages and the reference."""
        noun = _NOUNS[self.type_name]
        if self.pattern is not None:
            return f"{noun} of a-z, 0-9, - and _, at most {self.high:g} long"
        if self.type_name == "bool":
            return noun
        unit = " printable characters" if self.type_name == "str" else ""
        return f"{noun} {'of' if unit else 'from'} {self.low:g} to {self.high:g}{unit}"


def _find_declared(key: str) -> SettingInfo | None:
    section, _, name = key.partition(".")
    kind = _SECTIONS.get(section)
    found = None if kind is None else next((each for each in fields(kind) if each.name == name), None)
    return None if found is None else _make_info(section, found)


def _make_info(section: str, each: Field) -> SettingInfo:
    default: Any = each.default
    return SettingInfo(
        key=f"{section}.{each.name}",
        type_name=type(default).__name__,
        default=default,
        help=each.metadata["help"],
        project_allowed=each.metadata["project"],
        low=each.metadata["low"],
        high=each.metadata["high"],
        pattern=each.metadata["pattern"],
    )


_DEFAULTS: dict[str, Any] = {section: kind() for section, kind in _SECTIONS.items()}
"""Each section with its default values. They are created once and shared, because most sections are never changed."""


def describe() -> list[SettingInfo]:
    """Return the declarations of all settings, in the order of declaration."""
    return [_make_info(section, each) for section, kind in _SECTIONS.items() for each in fields(kind)]


def load(
    *,
    home: str | None = None,
    project_dir: str | None = None,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Settings:
    """Load all settings from the user's file, the project's files, environment variables and flags.

    `flags` maps keys such as "recall.limit" to values. A later source overrides an earlier one. Raise SettingsError if
    a value is not valid, except in a project's file.
    """
    env = environment(environ)
    place = home_path(env) if home is None else make_absolute(home, env)
    gathered = _SettingValues()
    _gather_user(gathered, os.path.join(place, CONFIG))
    if project_dir is not None:
        _gather_project(gathered, project_dir)
    _gather_environment(gathered, env)
    for key, value in (flags or {}).items():
        gathered.take(get_declared(key), value, "flag", as_text=isinstance(value, str))
    sections = {section: _SECTIONS[section](**given) for section, given in gathered.values.items()}
    return Settings(home=place, notices=tuple(gathered.notices), origins=gathered.origins, **_DEFAULTS | sections)


class _SettingValues:
    """The values found so far by section, the source of each value, and notices about ignored entries."""

    def __init__(self) -> None:
        self.values: dict[str, dict[str, Value]] = {}
        self.origins: dict[str, str] = {}
        self.notices: list[str] = []

    def take(self, info: SettingInfo, value: object, origin: str, *, as_text: bool = False) -> None:
        section, _, name = info.key.partition(".")
        self.values.setdefault(section, {})[name] = check_value(info, value, origin, as_text=as_text)
        self.origins[info.key] = origin


def _gather_user(gathered: _SettingValues, path: str) -> None:
    origin = f"user file {strip_controls(path)}"
    refused: list[str] = []
    for key, info, value in _iterate_entries(read_user_file(path)):
        if info is not None:
            gathered.take(info, value, origin)
        elif key in _SECTIONS:
            raise SettingsError(f"{key!r} is {quote(value)} in {origin}, but it is a section: write [{key}]")
        else:
            refused.append(key)
    _note_refused(gathered, refused, origin)


def _note_refused(gathered: _SettingValues, refused: list[str], origin: str) -> None:
    # A hostile file can hold ten thousand keys, and each notice needs a search for the intended key.
    gathered.notices += [_describe_refusal(key, origin) for key in refused[:NOTICE_LIMIT]]
    if len(refused) > NOTICE_LIMIT:
        gathered.notices.append(f"{len(refused) - NOTICE_LIMIT} more settings in {origin} are ignored")


def _gather_project(gathered: _SettingValues, project_dir: str) -> None:
    for name in ("pyproject.toml", ".limpet.toml"):
        path = os.path.join(project_dir, name)
        origin = f"project file {strip_controls(path)}"
        try:
            table = _read_project_table(path, project_dir, embedded=name == "pyproject.toml")
        except ProjectFileIgnored as why:
            gathered.notices.append(f"{origin} is ignored: {why}")
            continue
        refused: list[str] = []
        for key, info, value in _iterate_entries(table):
            if info is None or not info.project_allowed:
                refused.append(key)
                continue
            try:
                gathered.take(info, value, origin)
            except SettingsError as error:
                gathered.notices.append(f"{error}; it is ignored")
        _note_refused(gathered, refused, origin)


_REMOVED = {
    "recall": "recency_weight strength_weight trust_weight when_weight meaning_share enough_coverage enough_cosine"
    " enough_both told_weight",
    "inject": "window_tokens window_share",
    "upkeep": "compress_alike compress_least slice_ms",
    "capture": "window keywords shift checkpoint_every",
    "admit": "near_duplicates",
    "insight": "hot expire_days shadow_days overruled escalate",
}
"""The names of settings that earlier versions had, by section."""


def _describe_refusal(key: str, origin: str) -> str:
    if origin.startswith("project") and _find_declared(key) is not None:
        return f"{key!r} in {origin} is ignored: a project may not set it, only your own {CONFIG}"
    section, _, name = key.partition(".")
    if name in _REMOVED.get(section, "").split():
        return f"{key!r} in {origin} is ignored: it is no longer a setting; delete it"
    return f"unknown setting {quote(key)} in {origin} is ignored{_suggest(key)}"


def _read_project_table(path: str, project_dir: str, *, embedded: bool) -> dict[str, object]:
    try:
        if not os.path.lexists(path):
            return {}
        real = os.path.realpath(path)
        if not real.startswith(os.path.join(os.path.realpath(project_dir), "")):
            raise ProjectFileIgnored("it is a symlink that leaves the project")
        data = read_regular(real, FILE_LIMIT)
    except (OSError, ValueError) as error:
        raise ProjectFileIgnored(f"it cannot be read ({describe_error(error)})") from error
    if embedded and b"limpet" not in data:
        return {}
    if len(data) > FILE_LIMIT:
        raise ProjectFileIgnored(f"it is larger than {FILE_LIMIT // 1024} kB")
    try:
        table: object = _parse_toml(data, path, wary=True)
    except SettingsError as error:
        raise ProjectFileIgnored(str(error)) from error
    for step in ("tool", "limpet") if embedded else ():
        table = table.get(step, {}) if isinstance(table, dict) else {}
    if not isinstance(table, dict):
        raise ProjectFileIgnored(f"'tool.limpet' is {quote(table)}, not a section")
    return table


def _gather_environment(gathered: _SettingValues, env: Mapping[str, str]) -> None:
    for name in sorted(
        name for name in env if name.startswith("LIMPET_") and name not in ("LIMPET_HOME", "LIMPET_DEBUG")
    ):
        key = name.removeprefix("LIMPET_").lower().replace("__", ".", 1)
        info = _find_declared(key)
        if info is not None and info.variable == name:
            # In a shell an empty variable usually means "not set".
            if env[name]:
                gathered.take(info, env[name], f"environment {name}", as_text=True)
        elif "__" in name:
            hint = next((f"; did you mean {get_declared(k).variable}?" for k in _find_similar(key)), "")
            gathered.notices.append(f"unknown variable {quote(name)} in the environment is ignored{hint}")
        else:
            known = (info.variable for info in describe())
            meant = next((each for each in known if each.replace("__", "_") == name), None)
            if meant is not None:
                gathered.notices.append(f"variable {name} is ignored; did you mean {meant}?")


def _iterate_entries(table: dict[str, object]) -> Iterator[tuple[str, SettingInfo | None, object]]:
    """Yield each key in a settings file with its declaration and its value.

    The declaration is None for an unknown key.
    """
    for section, body in table.items():
        if isinstance(body, dict):
            for name, value in body.items():
                key = f"{section}.{name}"
                yield key, _find_declared(key), value
        else:
            yield section, None, body


def check_value(info: SettingInfo, value: object, origin: str, *, as_text: bool = False) -> Value:
    try:
        parsed = _parse_text(info.type_name, value) if as_text and isinstance(value, str) else value
        kind = type(parsed)
        if info.type_name == "float" and kind is int and isinstance(parsed, int):
            parsed = float(parsed)
        elif kind.__name__ != info.type_name:
            raise ValueError
        assert isinstance(parsed, bool | int | float | str)
        if not _is_allowed(info, parsed):
            raise ValueError
    except (ValueError, OverflowError):
        raise SettingsError(f"{info.key!r} is {quote(value)} in {origin}; expected {info.expected}") from None
    return parsed


def _parse_text(type_name: str, text: str) -> Value:
    match type_name:
        case "bool":
            word = text.strip().lower()
            if word in ("true", "yes", "on", "1"):
                return True
            if word in ("false", "no", "off", "0"):
                return False
            raise ValueError
        case "int":
            return int(text)
        case "float":
            return float(text)
        case _:
            return text.strip()


def _is_allowed(info: SettingInfo, value: Value) -> bool:
    if isinstance(value, bool):
        return True
    if isinstance(value, str):
        if not value.isprintable() or value != value.strip():
            return False
        if info.pattern is not None and not lazy(info.pattern).fullmatch(value):
            return False
        size: float = len(value)
    else:
        size = value
    return math.isfinite(size) and info.low <= size <= info.high


def get_declared(key: str) -> SettingInfo:
    info = _find_declared(key)
    if info is None:
        raise UsageError(f"there is no setting {quote(key)}{_suggest(key) or '; `limpet config` lists them'}")
    return info


def _find_similar(key: str) -> list[str]:
    import difflib

    keys = [info.key for info in describe()]
    near = difflib.get_close_matches(key[:80], keys, n=1, cutoff=0.7)
    # A correct name in a wrong section, or in none, is clearly meant, although the texts are not similar.
    return near or [known for known in keys if known.partition(".")[2] == key.rpartition(".")[2]][:1]


def _suggest(key: str) -> str:
    return next((f"; did you mean {near!r}?" for near in _find_similar(key)), "")


def read_user_file(path: str) -> dict[str, object]:
    """Return the contents of the user's settings file, or an empty dict if there is none.

    Raise SettingsError if it cannot be read or parsed.
    """
    try:
        data = read_regular(path, FILE_LIMIT)
    except FileNotFoundError:
        return {}
    except NotADirectoryError:
        raise SettingsError(
            f"{strip_controls(os.path.dirname(path))} is not a folder; set LIMPET_HOME to one"
        ) from None
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"cannot read {strip_controls(path)} ({describe_error(error)}); fix its permissions or move it away"
        ) from error
    if len(data) > FILE_LIMIT:
        raise SettingsError(
            f"{strip_controls(path)} is larger than {FILE_LIMIT // 1024} kB; that is not a settings file"
        )
    return _parse_toml(data, path)


def _parse_toml(data: bytes, path: str, *, wary: bool = False) -> dict[str, object]:
    import tomllib

    try:
        # Windows editors write a byte order mark first, which TOML does not allow.
        text = data.decode("utf-8-sig")
        if wary and lazy(_DEEP_KEY).search(text):
            raise SettingsError(f"{strip_controls(path)} has a key with too many dots")
        return tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SettingsError(
            f"{strip_controls(path)}, line {line}: this is not UTF-8; save the file as UTF-8"
        ) from error
    except (ValueError, RecursionError) as error:
        # Python 3.11 to 3.13 give the line only within the message.
        found = lazy(r" \(at (?:line (\d+), column \d+|end of document)\)").search(str(error))
        line = int(found[1]) if found and found[1] else text.count("\n") + 1
        said = str(error)[: found.start()] if found else "nested too deeply, or a number too long"
        raise SettingsError(f"{strip_controls(path)}, line {line}: {strip_controls(said)}; fix the line") from error


def strip_controls(text: str) -> str:
    """Return a path or message with control characters replaced by question marks, so that it is safe to print."""
    return "".join(c if c.isprintable() else "?" for c in text)

"""A verb is written once and appears everywhere under the same name, with the same parameters."""

from __future__ import annotations

import inspect
import pkgutil
import shlex
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from scripts import api

from limpet import operations
from limpet.api import Limpet
from limpet.cli.parser import build_parser
from limpet.curating.writing import build_draft
from limpet.errors import UsageError
from limpet.forms.views import load_view
from limpet.lean.record import fields
from limpet.model.memory import Draft, Kind
from limpet.model.query import Query
from limpet.operations.catalogue import CATALOGUE, GROUPS, Param, find_summary, load_verb, parse_moment
from limpet.operations.parameters import build_query

NAMES = [each.name for each in CATALOGUE]
METHODS = {"import": "import_"}


def test_names_are_unique_and_groups_are_known() -> None:
    assert len(NAMES) == len(set(NAMES))
    assert {each.group for each in CATALOGUE} == set(GROUPS)


def test_nine_verbs_come_first() -> None:
    first = [each.name for each in CATALOGUE if each.group == "first"]
    assert first == ["setup", "remember", "recall", "list", "inbox", "forget", "why", "backfill", "doctor"]


@pytest.mark.parametrize("name", NAMES)
def test_every_verb_says_what_it_does_in_one_sentence(name: str) -> None:
    summary = find_summary(name).summary
    assert summary.endswith(".") and summary[0].isupper() and len(summary) <= 70


@pytest.mark.parametrize("name", NAMES)
def test_every_verb_has_a_renderer(name: str) -> None:
    assert callable(load_view(name))


@pytest.mark.parametrize("name", NAMES)
def test_every_verb_is_a_method_that_takes_its_parameters(name: str) -> None:
    chosen = load_verb(name)
    if chosen.opens_own_store:
        return
    signature = inspect.signature(getattr(Limpet, METHODS.get(name, name)))
    taken = dict(signature.parameters)
    taken.pop("self")
    assert set(taken) == {param.name for param in chosen.params}
    assert signature.return_annotation == inspect.signature(chosen.run).return_annotation
    for param in chosen.params:
        method = taken[param.name]
        assert method.annotation in (annotation := api_annotation(param), f"{annotation} | None")
        assert (method.default is inspect.Parameter.empty) == (param.required or (param.many and param.positional))
        assert (method.kind is inspect.Parameter.KEYWORD_ONLY) == (not param.positional)


def api_annotation(param: Param) -> str:
    """Return the type that a program may pass for a parameter."""
    kinds = {"integer": "int", "number": "float", "flag": "bool", "moment": "datetime | str"}
    one = kinds.get(param.kind, "str")
    if isinstance(param.choices, type):
        one = f"{param.choices.__name__} | str"
    return f"Sequence[{one}]" if param.many and not param.positional else one


@pytest.mark.parametrize("name", NAMES)
def test_a_verb_runs_with_the_defaults_and_types_that_it_declares(name: str) -> None:
    chosen = load_verb(name)
    taken = inspect.signature(chosen.run).parameters
    kinds = {"integer": "int", "number": "float", "flag": "bool", "moment": "datetime"}
    for param in chosen.params:
        if param.name not in taken:  # one of many fields or filters that are passed on
            continue
        own = taken[param.name]
        one = param.choices.__name__ if isinstance(param.choices, type) else kinds.get(param.kind, "str")
        one = f"Sequence[{one}]" if param.many else one
        assert own.annotation in (one, f"{one} | None")
        unset: object = False if param.kind == "flag" else () if param.many and param.positional else param.default
        assert own.default == (inspect.Parameter.empty if param.required else unset)


PASSED_ON: dict[str, tuple[Any, Callable[..., Any]]] = {
    **dict.fromkeys(("remember", "correct"), (Draft, build_draft)),
    **dict.fromkeys(("recall", "list", "timeline"), (Query, build_query)),
}


@pytest.mark.parametrize("name", PASSED_ON)
def test_what_a_verb_passes_on_is_known_where_it_arrives(name: str) -> None:
    kind, function = PASSED_ON[name]
    known = {*inspect.signature(function).parameters, *(each.name for each in fields(kind))}
    own = inspect.signature(load_verb(name).run).parameters
    assert {param.name for param in load_verb(name).params} <= known | set(own)


MODEL_TYPES = ("Outcome", "Page[Hit]", "Page[Stored]", "Stored", "Round")


@pytest.mark.parametrize("name", [name for name in NAMES if not load_verb(name).opens_own_store])
def test_an_answer_is_a_type_of_the_model_or_named_after_its_verb(name: str) -> None:
    answer = inspect.signature(load_verb(name).run).return_annotation
    named_after = "setup" if name == "uninstall" else name
    assert answer in MODEL_TYPES or answer == f"{named_after.capitalize()}Answer"


def test_the_folder_holds_verbs_and_little_else() -> None:
    modules = {module.name for module in pkgutil.iter_modules(operations.__path__)}
    verbs = {METHODS.get(name, name) for name in NAMES}
    assert modules - verbs == {"catalogue", "demo_session", "parameters"}
    assert verbs <= modules


def test_the_python_api_is_up_to_date() -> None:
    assert api.render(api.PATH.read_text(encoding="utf-8")) == api.PATH.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_has_a_sentence_of_help_and_is_taken_by_the_verb(name: str) -> None:
    chosen = load_verb(name)
    taken = inspect.signature(chosen.run).parameters
    open_ended = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in taken.values())
    for param in chosen.params:
        assert (param.help.endswith(".") and param.help[0].isupper()) or param.help.startswith(("query", "SUBJECT"))
        assert param.kind in ("text", "integer", "number", "flag", "moment", "choice")
        assert (param.kind == "choice") == bool(param.allowed_values)
        assert param.name in taken or open_ended
        assert param.name.isidentifier() and param.name == param.name.lower()
    required = [each for each in taken.values() if each.default is inspect.Parameter.empty]
    names = {param.name for param in chosen.params}
    ours = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    assert {each.name for each in required if each.kind not in ours} - {"runtime"} <= names


@pytest.mark.parametrize("name", NAMES)
def test_short_options_are_not_given_twice(name: str) -> None:
    short = [param.short for param in load_verb(name).params if param.short]
    assert len(short) == len(set(short))
    assert "h" not in short


@pytest.mark.parametrize("name", NAMES)
def test_every_verb_has_examples_that_parse(name: str) -> None:
    chosen = load_verb(name)
    assert chosen.examples
    for example in chosen.examples:
        words = shlex.split(example.rpartition("| ")[2])
        assert words[:2] == ["limpet", name]
        parsed = vars(build_parser(find_summary(name), chosen).parse_args(words[2:]))
        for param in chosen.params:
            if param.required:
                assert parsed[param.name]


def test_words_become_enums_and_dates_become_moments() -> None:
    remember = load_verb("remember")
    assert remember.get_param("kind").accept("learnings").value == "LEARNINGS"
    for kind in Kind:
        assert remember.get_param("kind").accept(kind.code.lower()) is kind, "the short names that are printed"
    assert [load_verb("list").get_param("impact").accept(code) for code in ("crit", "MED")] == ["CRITICAL", "MEDIUM"]
    assert remember.get_param("tags").accept("one") == ("one",)
    assert remember.get_param("tags").accept(["one", "two"]) == ("one", "two")
    assert remember.get_param("title").accept(None) is None
    assert load_verb("list").get_param("since").accept("2026-03-01T12:00:00Z") == datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert load_verb("list").get_param("since").accept(datetime(2026, 3, 1)) == datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "FOO"),
        ("kind", 5),
        ("kind", "x" * 10_000),
        ("importance", "much"),
        ("importance", True),
        ("pinned", "yes"),
        ("title", 5),
        ("tags", [1]),
        ("tags", 5),
        ("tags", {"one": 1}),
        ("title", [[["deep"]]] * 900),
        ("nothing", 1),
        ("concepts", ["gotcha", "x"]),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_its_name(name: str, value: object) -> None:
    with pytest.raises(UsageError) as caught:
        load_verb("remember").get_param(name).accept(value)
    assert name in str(caught.value) and len(str(caught.value)) < 400


@pytest.mark.parametrize("value", [1 << 63, -(10**40)])
def test_a_number_that_no_database_holds_is_refused(value: int) -> None:
    with pytest.raises(UsageError, match="out of range"):
        load_verb("list").get_param("offset").accept(value)


@pytest.mark.parametrize(
    "text",
    ["", "someday", "2026-13-01", "32", "0001-01-01", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"],
)
def test_a_text_that_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="since is"):
        parse_moment("since", text)


def test_free_text_is_a_text_and_required_where_it_is_positional_but_for_a_move() -> None:
    free = [(name, param) for name in NAMES for param in load_verb(name).params if param.free_text]
    assert free and all(param.kind == "text" for _, param in free)
    assert [name for name, param in free if param.required is not param.positional] == ["correct"]


def test_a_date_can_be_given_in_words_wherever_a_date_is_taken() -> None:
    dates = [param for name in NAMES for param in load_verb(name).params if param.kind == "moment"]
    assert {param.name for param in dates} >= {"since", "until", "at", "valid_from"}
    midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    for param in dates:
        assert midnight - timedelta(days=2) < param.accept("yesterday") < midnight, param.name

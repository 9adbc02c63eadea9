"""Write the class `Limpet` in src/limpet/api.py from the catalogue; `--check` tells whether it is up to date.

Each verb becomes a method whose signature and docstring come from the verb's declared parameters, so that an editor
completes every field and a type checker knows every answer. What stands above the mark is written by hand.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from limpet.lean.enumeration import Enum
from limpet.operations.catalogue import CATALOGUE, Param, Verb, VerbSummary, load_verb
from limpet.settings import describe

PATH = Path(__file__).resolve().parent.parent / "src" / "limpet" / "api.py"
MARK = "# Written by scripts/api.py from the catalogue; change the verbs and run `make docs`.\n"
WIDTH = 120

CLASS = '''class Limpet(Connection):
    """Long-term memory, opened at a home for an agent in a project; the verbs are its methods.

    Use it as a context manager, or call `close`. A field that has choices takes the word or the enum:
    `kind="LEARNINGS"` or `kind=Kind.LEARNINGS`. What a program stores has the origin `agent`, and no program can claim
    a more trusted one. Threads may share an instance: their calls run one after the other.
    """
'''
TYPES = {"text": "str", "integer": "int", "number": "float", "flag": "bool", "moment": "datetime | str"}
IMPORTS = {"Sequence": "collections.abc", "datetime": "datetime"}


def main(argv: list[str]) -> int:
    if argv not in ([], ["--check"]):
        sys.stderr.write("usage: python scripts/api.py [--check]\n")
        return 2
    current = PATH.read_text(encoding="utf-8")
    wanted = render(current)
    if wanted == current:
        return 0
    if argv:
        sys.stderr.write("out of date: src/limpet/api.py; run: make docs\n")
        return 1
    PATH.write_text(wanted, encoding="utf-8")
    return 0


def render(current: str) -> str:
    """Return the module with everything below the mark written anew."""
    by_hand, mark, _ = current.partition(MARK)
    if not mark:
        raise SystemExit(f"src/limpet/api.py has lost its mark; add this line below what is written by hand: {MARK}")
    chosen = [(entry, load_verb(entry.name)) for entry in CATALOGUE]
    methods = "\n".join(render_method(entry, each) for entry, each in chosen if not each.opens_own_store)
    return f"{by_hand}{mark}\n{render_imports(chosen)}\n\n{CLASS}\n{methods}"


def render_imports(chosen: list[tuple[VerbSummary, Verb]]) -> str:
    """Return the imports of all types in the signatures; only a type checker runs them."""
    found = dict(IMPORTS)
    for _, each in chosen:
        if each.opens_own_store:
            continue
        for name in re.findall(r"\w+", return_type(each)):
            found[name] = module_of(name, sys.modules[each.run.__module__])
        for param in each.params:
            if isinstance(param.choices, type):
                found[param.choices.__name__] = param.choices.__module__
    modules: dict[str, list[str]] = {}
    for name, module in sorted(found.items()):
        modules.setdefault(module, []).append(name)
    standard = [module for module in sorted(modules) if not module.startswith("limpet.")]
    ours = [module for module in sorted(modules) if module.startswith("limpet.")]
    groups = [
        [f"    from {module} import {', '.join(modules[module])}" for module in group] for group in (standard, ours)
    ]
    return "if TYPE_CHECKING:\n" + "\n\n".join("\n".join(lines) for lines in groups) + "\n"


def module_of(name: str, used_in: ModuleType) -> str:
    """Return the module that a name used in another module comes from."""
    for node in ast.walk(ast.parse(inspect.getsource(used_in))):
        if isinstance(node, ast.ImportFrom) and name in {each.name for each in node.names}:
            return node.module or ""
    return used_in.__name__


def return_type(chosen: Verb) -> str:
    """Return the annotation of what `run` returns."""
    return str(inspect.signature(chosen.run).return_annotation)


def render_method(entry: VerbSummary, chosen: Verb) -> str:
    """Return one verb as a method."""
    name = "import_" if entry.name == "import" else entry.name
    answer = return_type(chosen)
    signature = "".join(f"        {each},\n" for each in parameters(chosen))
    values = "".join(f"            {param.name}={param.name},\n" for param in chosen.params)
    start = f"    def {name}(\n        self,\n{signature}    ) -> {answer}:\n"
    call = f'self._call(\n            "{entry.name}",\n{values}        )'
    if not chosen.params:
        start, call = f"    def {name}(self) -> {answer}:\n", f'self._call("{entry.name}")'
    return f"{start}{docstring(entry, chosen)}        answer: {answer} = {call}\n        return answer\n"


def parameters(chosen: Verb) -> Iterator[str]:
    """Yield the parameters of a method: positional ones first, all others by keyword only."""
    positional = [param for param in chosen.params if param.positional]
    for param in positional:
        yield f"*{param.name}: {annotation(param)}" if param.many else declare(param)
    if len(positional) < len(chosen.params) and not any(param.many for param in positional):
        yield "*"
    yield from (declare(param) for param in chosen.params if not param.positional)


def declare(param: Param) -> str:
    """Return a parameter with its type and default."""
    if param.required:
        return f"{param.name}: {annotation(param)}"
    default = default_of(param)
    optional = " | None" if default is None else ""
    shown = f'"{default}"' if isinstance(default, str) else repr(default)
    return f"{param.name}: {annotation(param)}{optional} = {shown}"


def annotation(param: Param) -> str:
    """Return the type of a value, without None."""
    if isinstance(param.choices, type) and issubclass(param.choices, Enum):
        one = f"{param.choices.__name__} | str"
    else:
        one = TYPES.get(param.kind, "str")
    return f"Sequence[{one}]" if param.many and not param.positional else one


def default_of(param: Param) -> object:
    """Return the default that a method shows."""
    if param.setting:
        return next(info.default for info in describe() if info.key == param.setting)
    return False if param.kind == "flag" else param.default


def docstring(entry: VerbSummary, chosen: Verb) -> str:
    """Return the docstring of a method: what the verb does, and what each parameter means."""
    if not chosen.params and not chosen.details:
        return f'        """{entry.summary}"""\n'
    parts = [entry.summary]
    if chosen.details:
        parts += ["", fill(chosen.details, "        ").strip()]
    if chosen.params:
        parts += [
            "",
            "Args:",
            *(fill(describe_param(param), "            ", hanging="    ") for param in chosen.params),
        ]
    first, *others = parts
    lines = [f'        """{first}']
    lines += ["" if not each else each if each.startswith(" ") else f"        {each}" for each in others]
    return "\n".join([*lines, '        """']) + "\n"


def describe_param(param: Param) -> str:
    allowed = f" One of {', '.join(param.allowed_values)}." if param.allowed_values else ""
    return f"{param.name}: {param.help}{allowed}"


def fill(text: str, indent: str, *, hanging: str = "") -> str:
    return textwrap.fill(
        text,
        width=WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

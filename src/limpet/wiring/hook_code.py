"""Compile the modules of the bundle, from which hooks load their code, without the parts that hooks do not need.

These parts are docstrings, assertions, the code under `if TYPE_CHECKING`, the annotations of functions and of global
variables, and the empty methods of protocols. The annotations in classes stay, because they are the fields of records.
The decorator of a record is replaced with a metaclass: a decorator would make a second class from the finished one, and
a metaclass makes only one.
"""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

_RECORDS = ("record", "mutable")


def compile_for_hooks(text: bytes | str, path: str) -> CodeType:
    """Compile the source of a module of Limpet for the bundle."""
    made = ast.fix_missing_locations(_Reducer().visit(ast.parse(text, path)))
    return compile(made, path, "exec", dont_inherit=True, optimize=2)


class _Reducer(ast.NodeTransformer):
    """A transformer of syntax trees that removes the parts that hooks do not need."""

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        is_for_types = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return (node.orelse or [ast.Pass()]) if is_for_types else node

    def visit_Module(self, node: ast.Module) -> ast.AST:
        self.generic_visit(node)
        node.body = [_drop_annotation(each) for each in node.body]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.returns = None
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        match node.decorator_list:
            case [ast.Name(id=name)] if name in _RECORDS:
                node.keywords.append(ast.keyword("metaclass", ast.Name(name, ast.Load())))
                node.decorator_list = []
        if any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases):
            node.body = [each for each in node.body if not _is_stub(each)] or [ast.Pass()]
        return node


def _drop_annotation(node: ast.stmt) -> ast.stmt:
    """Return an assignment without its annotation, and any other statement unchanged."""
    if not isinstance(node, ast.AnnAssign):
        return node
    if node.value is None:
        return ast.copy_location(ast.Pass(), node)
    return ast.copy_location(ast.Assign([node.target], node.value), node)


def _is_stub(node: ast.stmt) -> bool:
    """Tell whether a statement is a method without code, which only declares its signature."""
    if not isinstance(node, ast.FunctionDef):
        return False
    return all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in node.body)

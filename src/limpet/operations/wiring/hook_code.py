"""Compile a module for the bundle, without what only a type checker or a reader of the source needs.

The result behaves as the source does. Left out are docstrings and assertions, what is under `if TYPE_CHECKING`, the
annotations of functions and of variables of a module, and the empty methods of protocols. The annotations of a class
stay, because they are the fields of a record. A record becomes one class instead of two: its decorator is used as its
metaclass, which gets the body before a class is made of it.
"""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

_RECORDS = ("record", "mutable")


def compile_for_hooks(text: bytes | str, path: str) -> CodeType:
    """Return the code of a module of Limpet for the bundle."""
    made = ast.fix_missing_locations(_Reducer().visit(ast.parse(text, path)))
    return compile(made, path, "exec", dont_inherit=True, optimize=2)


class _Reducer(ast.NodeTransformer):
    """A transformer of syntax trees that removes what no hook needs."""

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
    """Return an annotated assignment as a plain one."""
    if not isinstance(node, ast.AnnAssign):
        return node
    if node.value is None:
        return ast.copy_location(ast.Pass(), node)
    return ast.copy_location(ast.Assign([node.target], node.value), node)


def _is_stub(node: ast.stmt) -> bool:
    """Tell whether a statement is a method without code, which only declares its parameters and result."""
    if not isinstance(node, ast.FunctionDef):
        return False
    return all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in node.body)

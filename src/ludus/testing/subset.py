"""The kernel subset, read from the source: what a rule may not hold, with file and line."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from .breach import fail
from .source import Source

NODES = {
    ast.List: "a list", ast.Dict: "a dictionary", ast.Set: "a set", ast.ListComp: "a list", ast.SetComp: "a set",
    ast.DictComp: "a dictionary", ast.GeneratorExp: "a generator", ast.JoinedStr: "a string", ast.Lambda: "a lambda",
    ast.Try: "try", ast.TryStar: "try", ast.Raise: "raise", ast.Assert: "assert", ast.With: "with", ast.Yield: "yield",
    ast.YieldFrom: "yield", ast.Global: "global", ast.Nonlocal: "nonlocal", ast.Import: "an import",
    ast.ImportFrom: "an import",
    ast.ClassDef: "a class", ast.FunctionDef: "a function of its own", ast.AsyncFunctionDef: "a function of its own",
    ast.Await: "await", ast.Starred: "a starred list", ast.Delete: "del", ast.Match: "match",
}  # fmt: skip
CALLS = {
    "print", "input", "open", "list", "dict", "set", "frozenset", "str", "repr", "format", "bytes", "bytearray", "sorted",
    "map", "filter", "isinstance", "getattr", "setattr", "hasattr", "eval", "exec", "iter", "next", "vars", "globals", "locals",
    "type", "super", "id", "hash", "any", "all", "sum",
}  # fmt: skip
METHODS = {
    "copy", "astype", "reshape", "flatten", "ravel", "tolist", "nonzero", "argsort", "sort", "append", "extend", "insert",
    "pop", "remove", "items", "keys", "values", "get", "add",
    "update", "join", "split", "format", "tobytes", "view", "transpose",
}  # fmt: skip
# Of NumPy a rule may use the types of single numbers.
NUMBERS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)} | {"float32", "float64", "intp"}
MODULES = {"math"}
Fields = Mapping[str, np.dtype[Any]]  # by the name of a parameter: what rows of that name hold


def check_subset(source: Source, fields: Fields | None = None) -> None:
    """Hold every rule of a file to the subset; `fields` are known once the file has been run."""
    for name in sorted(source.marked, key=lambda name: source.functions[name].lineno):
        _Rule(source, name, fields or {}).check()


class _Rule(ast.NodeVisitor):
    def __init__(self, source: Source, name: str, fields: Fields) -> None:
        self.source, self.name, self.node = source, name, source.functions[name]
        self.arguments = {argument.arg for argument in self.node.args.args}
        self.fields = {key: dtype for key, dtype in fields.items() if key in self.arguments}
        stored = (n.id for n in ast.walk(self.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        self.local = self.arguments | set(stored)
        self.fields = {key: dtype for key, dtype in self.fields.items() if key not in set(stored)}

    def check(self) -> None:
        arguments = self.node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            self.refuse(self.node, "takes * arguments: a rule has a fixed number of them")
        for default in arguments.defaults:
            self.visit(default)
        for statement in self.node.body:
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):  # the docstring
                self.visit(statement)

    def refuse(self, node: Any, words: str) -> NoReturn:
        fail(f"{self.source.path.name} line {node.lineno}, in {self.name}: {words}")

    def generic_visit(self, node: ast.AST) -> None:
        if type(node) in NODES:
            self.refuse(node, f"{NODES[type(node)]} is not in the kernel subset")
        super().generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str | bytes | complex):
            self.refuse(node, f"a string ({node.value!r}) is not in the kernel subset")

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in self.local:
            return
        if node.id not in self.source.names:
            self.refuse(node, f"the name {node.id} is not defined")
        value = self.source.values.get(node.id)
        if type(value) in NODES:
            self.refuse(node, f"{node.id} is {NODES[type(value)]}; constants are numbers, tuples and arrays")
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            self.refuse(node, f"{node.id} is a string; constants are numbers, tuples and arrays")
        if node.id in ("SPEC", "State", "View"):
            self.refuse(node, f"a kernel cannot look into {node.id}; make a constant of what is needed")

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id not in self.local:
            name, module = node.func.id, self.source.imports.get(node.func.id, "")
            if name in CALLS and name not in self.source.functions and not module:
                self.refuse(node, f"{name}() is not in the kernel subset")
            if module and not module.startswith((".", "ludus")) and module.split(".")[0] not in MODULES:
                self.refuse(node, f"{name} comes from {module}: rules call rules, and chance comes from draw(rng, n) alone")
        if isinstance(node.func, ast.Attribute):
            self._check_method(node, node.func)
        self.generic_visit(node)

    def _check_method(self, node: ast.Call, function: ast.Attribute) -> None:
        path = ast.unparse(function)
        first = path.split(".")[0]
        module = self.source.imports.get(first, "")
        if first in self.source.modules and first not in self.local:
            if module == "numpy" and function.attr in NUMBERS:
                return
            if module == "numpy" and not path.startswith(f"{first}.random"):
                self.refuse(node, f"{path}() is not in the kernel subset: rules allocate nothing and loop over cells")
            if module.split(".")[0] not in MODULES:
                self.refuse(node, f"{path}() is not in the kernel subset; chance comes from draw(rng, n) alone")
        elif function.attr in METHODS:
            self.refuse(node, f".{function.attr}() is not in the kernel subset: rules allocate nothing and loop over cells")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.value.id in self.fields:
            names = self.fields[node.value.id].names or ()
            if node.attr not in names:
                self.refuse(node, f"{node.value.id} has no field {node.attr}")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._check_target(node, target, node.value)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._check_target(node, node.target, node.value)
        if _has_slice(node.target) or self._is_whole(node.target):
            self.refuse(node, f"calculates with the whole array {ast.unparse(node.target)}: loop over its cells")
        self.generic_visit(node)

    def _check_target(self, node: ast.AST, target: ast.expr, value: ast.expr) -> None:
        """Refuse what writes to a module's tables, and copies of whole arrays."""
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, other in zip(target.elts, value.elts, strict=True):
                self._check_target(node, one, other)
            return
        root = target
        while isinstance(root, ast.Subscript | ast.Attribute):
            root = root.value
        if root is not target and isinstance(root, ast.Name) and root.id not in self.local:
            self.refuse(node, f"writes to {root.id} of the module: rules keep nothing between calls")
        if _has_slice(target) and (_has_slice(value) or self._is_whole(value)):
            self.refuse(node, f"{ast.unparse(target)} = {ast.unparse(value)} copies a whole array: loop over its cells")
        if self._is_whole(target):
            self.refuse(node, f"{ast.unparse(target)} is an array: loop over its cells, or fill it with [:] = a number")

    def _is_whole(self, node: ast.expr) -> bool:
        """Whether an expression is a field of a row that is an array."""
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or node.value.id not in self.fields:
            return False
        dtype = self.fields[node.value.id]
        return node.attr in (dtype.names or ()) and dtype[node.attr].subdtype is not None


def _has_slice(node: ast.expr) -> bool:
    return isinstance(node, ast.Subscript) and any(isinstance(part, ast.Slice) for part in ast.walk(node.slice))

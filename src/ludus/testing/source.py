"""Read an author's files before anything of them runs: which functions are rules, what they call, which names they use."""

from __future__ import annotations

import ast
import builtins
from pathlib import Path

from .breach import fail

VERBS = {
    "new": "s, rng",
    "legal": "s, mask",
    "apply": "s, action, rng",
    "observe": "s, seat, view",
    "encode": "view, planes",
    "result": "s, outcome, points",
    "sample": "view, s, rng",
    "twin": "s, t",
    "default": "s",
    "sound": "s",
    "clear_last": "s",
}
# By file: rules that fill in what others look at, and what they are given.
FILLING = {
    "scene": {"show": "view, frame", "show_all": "s, frame"},
    "features": {"features": "view, out", "glance": "s, seat, out"},
}
LOOKED_AT = ("rules", "bots", "scene", "features")
NEEDED = ("new", "legal", "apply", "encode", "result")


class Source:
    """One file: its functions, those marked @rule, its imports and the names that it binds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.tree = ast.parse(path.read_bytes(), str(path))
        except SyntaxError as error:
            fail(f"{path.name} line {error.lineno}: {error.msg}")
        except ValueError as error:  # zero bytes
            fail(f"{path.name}: {error}")
        body = self.tree.body
        self.functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
        self.marked = {name for name, node in self.functions.items() if any(_ends(d, "rule") for d in node.decorator_list)}
        self.replaced = {  # compiled from another body than the one that Python runs
            name for name, node in self.functions.items() if any(_ends(d, "compiled_as") for d in node.decorator_list)
        }
        self.imports: dict[str, str] = {}  # name here: module it comes from, with a dot if it stands in the folder
        self.modules: set[str] = set()  # names of imported modules
        self.values: dict[str, ast.expr] = {}  # what module-level names are bound to
        self.names: set[str] = set(self.functions)
        self._read()

    def _read(self) -> None:
        for node in _outside_functions(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.imports[(alias.asname or alias.name).split(".")[0]] = alias.name
                    self.modules.add((alias.asname or alias.name).split(".")[0])
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = "." * node.level + (node.module or alias.name)
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self.values[target.id] = node.value
            elif isinstance(node, ast.ClassDef):
                self.names.add(node.name)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.names.add(node.id)
        self.names |= set(self.imports) | set(dir(builtins)) | {"__name__", "__file__"}


def read_sources(folder: Path) -> dict[str, Source]:
    """Return the files whose functions may be compiled: those of LOOKED_AT and what they import beside them."""
    left, found = [name for name in LOOKED_AT if (folder / f"{name}.py").is_file()], {}
    if "rules" not in left:
        fail(f"{folder} has no rules.py")
    while left:
        name = left.pop(0)
        if name not in found:
            source = found[name] = Source(folder / f"{name}.py")
            left += [m[1:] for m in source.imports.values() if m.startswith(".") and (folder / f"{m[1:]}.py").is_file()]
    return found


def check_verbs(rules: Source) -> None:
    """Hold the verbs to their names, their marks and the number of what they are given."""
    for verb in NEEDED:
        if verb not in rules.functions and verb not in rules.imports:
            fail(f"rules.py has no function {verb}({VERBS[verb]})")
    for name in ("State", "SPEC"):
        if name not in rules.names:
            fail(f"rules.py has no {name}")
    _check_arguments(rules, VERBS)
    for one, other in (("observe", "View"), ("View", "observe"), ("observe", "sample"), ("sample", "observe")):
        if one in rules.names and other not in rules.names:
            fail(
                f"rules.py has {one} but no {other}: a game that hides something has"
                " View, observe and sample, another none of them"
            )


def check_filling(source: Source, rules: dict[str, str]) -> None:
    """Hold the rules that fill frames or features to their marks and the number of what they are given."""
    _check_arguments(source, rules)


def _check_arguments(source: Source, known: dict[str, str]) -> None:
    for verb, wanted in known.items():
        node, place = source.functions.get(verb), source.path.name
        if node is None:
            continue
        given = [argument.arg for argument in node.args.args]
        if len(given) != len(wanted.split(", ")) or node.args.vararg or node.args.kwonlyargs or node.args.kwarg:
            fail(f"{place} line {node.lineno}: {verb} takes ({wanted}), not ({ast.unparse(node.args)})")
        if verb not in source.marked:
            fail(f"{place} line {node.lineno}: {verb} is not marked @rule")


def rule_calls(sources: dict[str, Source]) -> dict[tuple[str, str], list[tuple[str, str, ast.Call]]]:
    """Map each rule to the functions of the folder that it calls; one that is not marked is a breach."""
    calls: dict[tuple[str, str], list[tuple[str, str, ast.Call]]] = {}
    for file, source in sources.items():
        for name in source.marked:
            calls[file, name] = found = []
            for node in ast.walk(source.functions[name]):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    home = _home(sources, file, node.func.id)
                    if home is not None:
                        if home[1] not in sources[home[0]].marked | sources[home[0]].replaced:
                            fail(
                                f"{source.path.name} line {node.lineno}, in {name}: {node.func.id} is not marked @rule"
                                f" ({home[0]}.py line {sources[home[0]].functions[home[1]].lineno})"
                            )
                        found.append((*home, node))
    return calls


def check_recursion(sources: dict[str, Source], calls: dict[tuple[str, str], list[tuple[str, str, ast.Call]]]) -> None:
    """Refuse rules that call themselves, also by way of others."""
    done: set[tuple[str, str]] = set()

    def follow(key: tuple[str, str], path: tuple[tuple[str, str], ...]) -> None:
        for file, name, node in calls.get(key, ()):
            if (file, name) in (*path, key):
                place = f"{sources[key[0]].path.name} line {node.lineno}, in {key[1]}"
                fail(f"{place}: calls {name}, which leads back to {key[1]}: rules know no recursion")
            if (file, name) not in done:
                follow((file, name), (*path, key))
        done.add(key)

    for key in calls:
        follow(key, ())


def _home(sources: dict[str, Source], file: str, name: str) -> tuple[str, str] | None:
    """Return the file and name of a function that is called, if it stands in the folder."""
    source = sources[file]
    if name in source.functions:
        return file, name
    module = source.imports.get(name, "")
    if module.startswith(".") and module[1:] in sources and name in sources[module[1:]].functions:
        return module[1:], name
    return None


def _ends(node: ast.expr, name: str) -> bool:
    node = node.func if isinstance(node, ast.Call) else node
    return (isinstance(node, ast.Name) and node.id == name) or (isinstance(node, ast.Attribute) and node.attr == name)


def _outside_functions(tree: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    left = list(ast.iter_child_nodes(tree))
    while left:
        node = left.pop()
        found.append(node)
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            left += ast.iter_child_nodes(node)
    return found

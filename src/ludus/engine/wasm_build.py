"""Emit a game's kernels as WebAssembly: Numba makes LLVM code of the rules, LLVM makes WebAssembly of it, `wasm-ld` links it.

It runs in a process of its own, `python -m ludus.engine.wasm_build` (see `build`): Numba's settings and LLVM's options are
those of a whole process, and what comes from Numba's cache has no LLVM code with it. Numba must not optimise, and must not
know this machine's processor: LLVM does that here, for WebAssembly, so that every machine makes the same bytes.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ludus.core import LudusError, MissingExtra, one_line
from ludus.games import Game, add_folder, load, names

from .kernels import Kernel
from .sources import ROOT

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+simd128,+sign-ext,+nontrapping-fptoint,+mutable-globals"
STACK = 262_144  # bytes
SETTINGS = {
    "NUMBA_OPT": "0", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_JIT": "0", "NUMBA_DEBUGINFO": "0",
    "PYTHONHASHSEED": "0",
}  # fmt: skip
# What a page, or a batch, asks for; searches run where there are threads. Features are there where a game has some.
KERNELS = frozenset({
    "new", "seed", "legal", "legal_ids", "clear_own_masks", "own_legal", "rule_legal", "check_actions", "from_own", "to_own",
    "play_one", "step", "forget_ended", "result", "sound", "digest", "observe", "sample", "clear_planes", "encode",
    "features", "clear_frames", "show", "show_all", "show_view", "bot_choice", "bot_game", "answer",
    "renew", "random_steps", "random_encoded", "random_features", "random_game", "seat_step", "final_encode", "final_features",
})  # fmt: skip
HOST = (r' ?"target-(?:cpu|features)"="[^"]*"', r' ?"probe-stack"="[^"]*"', r'target (?:triple|datalayout) = ".*"\n')


def exported(game: Game, kernels: dict[str, Kernel]) -> list[str]:
    """List the kernels that a module has: those that a page or a batch asks for, as far as the game has them."""
    missing = set() if game.verbs.sample else {"sample"}
    return [name for name in kernels if name in KERNELS - missing]


def check_linker() -> None:
    """Say in a sentence what is missing, before a minute is spent."""
    if find_spec("ziglang") is None:
        raise MissingExtra("ziglang, which links WebAssembly,", "web")


def build(game: Game) -> bytes:
    """Return the module of a game in its structural sizes; this takes about a minute."""
    check_linker()
    with tempfile.TemporaryDirectory(prefix="ludus-") as folder:
        target = Path(folder) / "module.wasm"
        paths = [str(ROOT.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        settings = {**os.environ, **SETTINGS, "LUDUS_CACHE_DIR": folder, "PYTHONPATH": os.pathsep.join(paths)}
        about = json.dumps({"name": game.name, "folder": str(game.folder), "sizes": dict(game.sizes), "target": str(target)})
        command = [sys.executable, "-m", "ludus.engine.wasm_build", about]
        done = subprocess.run(command, env=settings, capture_output=True, text=True)
        if done.returncode or not target.is_file():
            why = (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()[-1]
            raise LudusError(f"{game.spec.title} cannot be built as WebAssembly: {one_line(why, 300)}")
        return target.read_bytes()


def main(written: str) -> None:
    """Build what the JSON text asks for."""
    about = json.loads(written)
    if about["name"] not in names():
        add_folder(Path(about["folder"]))
    target = Path(about["target"])
    try:
        game = load(about["name"], **about["sizes"])
        emitted, kernels = emit(game)
        target.with_suffix(".o").write_bytes(emitted)
        link(target.with_suffix(".o"), target, kernels)
    except LudusError as error:
        sys.exit(str(error))


def emit(game: Game) -> tuple[bytes, list[str]]:
    """Return the object code of a game's kernels, and their names."""
    import llvmlite.binding as llvm

    llvm.set_option("ludus", "-non-global-value-max-name-size=1000000")  # else Numba's long labels cannot be read back
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    from .compiled import code_of, kernels_of

    module, kernels = None, exported(game, kernels_of(game))
    text = ""
    for name in kernels:
        code = code_of(game, name)
        inner = code.fndesc.llvm_func_name
        part = _needed(llvm, code.library, inner)
        if module is None:
            module = part
        else:
            module.link_in(part)
        text += _door(name, inner)
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    whole = llvm.parse_assembly(_portable(str(module), str(machine.target_data)) + text)
    whole.verify()
    for thing in [*whole.functions, *whole.global_variables]:
        if not thing.is_declaration and thing.name not in kernels:
            thing.linkage = "internal"
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(whole, builder)
    return machine.emit_object(whole), kernels


def link(source: Path, target: Path, kernels: list[str]) -> None:
    """Link object code to a module that imports nothing."""
    command = [sys.executable, "-m", "ziglang", "wasm-ld", "--no-entry", "--strip-all", "--gc-sections", "--export=__heap_base"]
    command += [f"-zstack-size={STACK}", "--stack-first", *(f"--export={name}" for name in kernels)]
    done = subprocess.run([*command, "-o", str(target), str(source)], capture_output=True, text=True)
    if done.returncode:
        raise LudusError(f"wasm-ld: {one_line(done.stderr, 300)}")


def _needed(llvm: Any, library: Any, kernel: str) -> Any:
    """Return the LLVM code of a kernel and of what it calls: rules that several kernels call must be one when linked."""
    module = llvm.parse_bitcode(library._final_module.as_bitcode())
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name == kernel else "linkonce_odr"
    for variable in module.global_variables:  # tables of a function, under names that others have, too
        if not variable.is_declaration:
            variable.linkage = "internal"
    host = llvm.Target.from_default_triple().create_target_machine()
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(host, llvm.create_pipeline_tuning_options(speed_level=0)))
    return module


def _portable(text: str, layout: str) -> str:
    """Return LLVM code without what belongs to the host's processor."""
    for pattern in HOST:
        text = re.sub(pattern, "", text)
    return f'target datalayout = "{layout}"\ntarget triple = "{TRIPLE}"\n{text}'


def _door(name: str, kernel: str) -> str:
    """Return LLVM code of an export of plain 32-bit numbers: first game, game after the last, address of the table."""
    return f"""
define void @{name}(i32 %first, i32 %last, i32 %table) {{
  %result = alloca ptr
  %error = alloca ptr
  %a = zext i32 %first to i64
  %b = zext i32 %last to i64
  %c = zext i32 %table to i64
  %status = call i32 @"{kernel}"(ptr %result, ptr %error, i64 %a, i64 %b, i64 %c)
  ret void
}}
"""


if __name__ == "__main__":
    main(sys.argv[1])

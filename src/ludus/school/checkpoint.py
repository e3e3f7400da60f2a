"""Checkpoints: safetensors with a JSON head that says what the network is for, `.pt` for the names of other programs, ONNX.

The head stands inside the file, where nothing can part them, and once more beside it for people (`NAME.json`).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from ludus.core import BadRecord, BadValue, LudusError, MissingExtra, one_line
from ludus.games import Game

from .files import whole_file, write_text

FORMAT = 1
KEY = "ludus"  # of the head, in the metadata of safetensors and ONNX
OPSET = 17
HALF, WORTH_HALVING = "_half", 1024  # the ending of names of weights in 16 bits, and how many numbers are worth it


class About(msgspec.Struct, frozen=True):
    """What a checkpoint says of itself."""

    game: str
    rules: int  # version
    options: dict[str, int]
    shown: tuple[int, ...]  # shape of what the network looks at
    actions: int
    seats: int
    sizes: dict[str, Any]  # of the network: net.Sizes
    counters: dict[str, int]  # steps, positions, games, …: how far training has come
    heat: float = 0.0  # how it plays: 0 = what it likes best, 1 = by chance, as likely as it says
    format: int = FORMAT


def about_net(game: Game, net: Any, counters: Mapping[str, int], heat: float = 0.0) -> About:
    """Return what the checkpoint of a network says."""
    from .net import shown_shape

    shown = shown_shape(game, net.sizes.input)
    options, seats = dict(game.options), len(game.spec.seats)
    return About(
        game.name, game.spec.version, options, shown, game.spec.actions, seats, asdict(net.sizes), dict(counters), heat
    )  # fmt: skip


def save_net(
    path: Path, game: Game, net: Any, counters: Mapping[str, int], optimizer: Any = None, heat: float = 0.0
) -> None:  # fmt: skip
    """Write a checkpoint: `.pt` with the optimizer for programs that know no other, else safetensors."""
    about = about_net(game, net, counters, heat)
    head = msgspec.json.encode(about).decode()
    weights = {name: tensor.detach().cpu().contiguous() for name, tensor in net.state_dict().items()}
    if path.suffix == ".pt":
        import torch

        kept = {"model_state_dict": weights, "optimizer_state_dict": optimizer.state_dict() if optimizer else {}, KEY: head}
        with whole_file(path) as part:
            torch.save(kept, part)
        return
    from safetensors.torch import save_file

    write_text(path.with_suffix(".json"), msgspec.json.format(head) + "\n")
    with whole_file(path) as part:
        save_file(weights, part, {KEY: head})


def load_net(path: str | Path, game: Game | None = None) -> tuple[Any, About]:
    """Return the network of a checkpoint, ready to be asked, and what it says of itself; refuse what does not fit a game."""
    try:
        import torch
    except ImportError:
        raise MissingExtra("torch, which runs checkpoints that are not exported,", "school") from None
    from .net import Net, Sizes

    read = {".pt": _read_pt, ".onnx": _read_onnx}.get(Path(path).suffix, _read_safetensors)
    weights, head = read(Path(path))
    about = read_head(head, path)
    game = fitting(about, game, path)
    with torch.random.fork_rng():
        net = Net(game, Sizes(**about.sizes))
    try:
        net.load_state_dict(weights)
    except RuntimeError:
        raise BadRecord(f"{one_line(str(path))} holds other weights than a network of its sizes has") from None
    return net.eval(), about


def read_head(head: str | None, path: str | Path) -> About:
    """Read what a checkpoint says of itself."""
    name = one_line(str(path))
    if head is None:
        raise BadRecord(f"{name} does not say what it is for: it is no checkpoint of Ludus")
    try:
        about = msgspec.json.decode(head, type=About)
    except msgspec.MsgspecError as error:
        raise BadRecord(f"{name} has a head that cannot be read: {one_line(str(error))}") from None
    if about.format > FORMAT:
        raise BadRecord(f"{name} is of format {about.format}, and this Ludus reads up to {FORMAT}: get a newer one")
    return about


def fitting(about: About, game: Game | None, path: str | Path) -> Game:
    """Return the game that a checkpoint is for; one that is given must be as the network knows it."""
    from ludus.games import load

    if game is None:
        game = load(about.game, **about.options)
    name, spec = one_line(str(path)), game.spec
    if about.game != game.name:
        raise BadValue(f"{name} is a network for {about.game}, not for {game.name}")
    if about.rules != spec.version:
        raise BadValue(f"{name} learned version {about.rules} of the rules of {spec.title}, and this is version {spec.version}")
    cells = math.prod(spec.planes) if about.sizes.get("input") == "both" else 0
    shape = tuple(spec.planes) if about.sizes.get("input") == "planes" else (len(spec.features) + cells,)
    if (about.shown, about.actions, about.seats) != (shape, spec.actions, len(spec.seats)):
        sizes = [f"{key}={about.options.get(key)}" for key, value in game.sizes if about.options.get(key) != value]
        raise BadValue(f"{name} is for boards of other sizes: {', '.join(sizes) or f'{about.shown} and not {shape}'}")
    return game


def export_onnx(net: Any, about: About, game: Game, path: Path, half: bool = False) -> None:
    """Write a network as ONNX, with what it says of itself in the metadata; any number of positions at once.

    With `half` its weights are kept in 16 bits, in a file of half the size; it counts in 32 bits all the same.
    """
    try:
        import onnx
        import torch
    except ImportError:
        raise MissingExtra("onnx, or torch, which export networks,", "school") from None
    dtype = torch.float32 if about.sizes["input"] != "planes" else getattr(torch, _TORCH_TYPES[game.spec.plane_type])
    example = torch.zeros((2, *about.shown), dtype=dtype)
    axes = {name: {0: "positions"} for name in ("shown", "logits", "values")}
    with whole_file(path) as part, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter that needs no further package calls itself old
        torch.onnx.export(
            net.eval(), (example,), str(part), input_names=["shown"], output_names=["logits", "values"],
            dynamic_axes=axes, opset_version=OPSET, dynamo=False,
        )  # fmt: skip
        model = onnx.load(str(part))
        if half:
            _halve(model)
        onnx.helper.set_model_props(model, {KEY: msgspec.json.encode(about).decode()})
        onnx.save(model, str(part))


def _halve(model: Any) -> None:
    """Keep large weights in 16 bits, and let the network make numbers of 32 bits of them when it is loaded."""
    import numpy as np
    import onnx

    for weight in model.graph.initializer:
        numbers = onnx.numpy_helper.to_array(weight)
        if numbers.dtype == np.float32 and numbers.size >= WORTH_HALVING:
            cast = onnx.helper.make_node("Cast", [weight.name + HALF], [weight.name], to=onnx.TensorProto.FLOAT)
            weight.CopyFrom(onnx.numpy_helper.from_array(numbers.astype(np.float16), weight.name + HALF))
            model.graph.node.insert(0, cast)


_TORCH_TYPES = {"u1": "uint8", "i1": "int8", "f4": "float32", "i2": "int16", "i4": "int32"}


def _read_safetensors(path: Path) -> tuple[dict[str, Any], str | None]:
    from safetensors import safe_open

    try:
        with safe_open(str(path), "pt") as file:
            head = (file.metadata() or {}).get(KEY)
            return {name: file.get_tensor(name) for name in file.keys()}, head  # noqa: SIM118  (it is no dictionary)
    except Exception as error:  # whatever the bytes of somebody's file do to its reader
        raise _unreadable(path, error) from None


def _read_pt(path: Path) -> tuple[dict[str, Any], str | None]:
    """Read weights and nothing else: such a file may hold anything, and code in it is never run."""
    import torch

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of formats that are refused anyway
            kept = torch.load(path, map_location="cpu", weights_only=True)
        return kept["model_state_dict"], kept.get(KEY)
    except Exception as error:  # whatever the bytes of somebody's file do to its reader
        raise _unreadable(path, error) from None


def _read_onnx(path: Path) -> tuple[dict[str, Any], str | None]:
    """Read the weights of an exported network, which keep their names."""
    try:
        import onnx
        import torch
    except ImportError:
        raise MissingExtra("onnx, which reads exported networks,", "school") from None
    try:
        model = onnx.load(str(path))
        found = {one.name.removesuffix(HALF): onnx.numpy_helper.to_array(one) for one in model.graph.initializer}
    except Exception as error:  # its parser's errors are of another package
        raise _unreadable(path, error) from None
    weights = {name: torch.from_numpy(numbers.copy()).float() for name, numbers in found.items()}
    return weights, {prop.key: prop.value for prop in model.metadata_props}.get(KEY)


def _unreadable(path: Path, error: Exception) -> LudusError:
    if not path.is_file():
        return LudusError(f"there is no checkpoint {one_line(str(path))}")
    return BadRecord(f"{one_line(str(path))} cannot be read as a checkpoint: {one_line(str(error), 100)}")

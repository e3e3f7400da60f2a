"""One small residual network for every game: built from the game's planes, policy by action, value by seat.

A rectangle is seen by convolutions of 3 × 3; a board that the game names as a graph by convolutions over its neighbours, each
direction with weights of its own; features go through plain layers. Logits are in the own ids of the seat that looks, and know
nothing of the mask; values begin with that seat.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from ludus.core import BadValue, Graph, UnknownName
from ludus.games import Game

from .gumbel import INPUTS

NARROW, WIDE = 8, 256  # of fast convolutions: planes that are left of them, numbers that are made of these
MIXED = 12  # planes that are made of all, before they are centred
EIGHT = 8  # channels that a GPU multiplies at once
KINDS = ("residual", "layers", "convolutions", "cells", "places", "centred")


@dataclass(frozen=True)
class Sizes:
    """How large a network is, and what it looks at."""

    channels: int = 64
    blocks: int = 6
    input: str = "planes"  # or "features": fewer numbers, much faster on a CPU, where a game has them; or "both", in one row
    # or "layers" (each sees everything), "convolutions" (fast ones, without norms), "cells" (logits cell by cell)
    kind: str = "residual"

    def __post_init__(self) -> None:
        if self.input not in INPUTS:
            raise UnknownName("input", self.input, INPUTS)
        if self.kind not in KINDS:
            raise UnknownName("kind of network", self.kind, KINDS)
        if not 1 <= self.channels <= 4096 or not 0 <= self.blocks <= 200:
            raise BadValue(f"a network has 1 to 4096 channels and 0 to 200 blocks, not {self.channels} and {self.blocks}")


class Net(nn.Module):
    """The network of one game."""

    def __init__(self, game: Game, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        spec = game.spec
        graph: Graph | None = game.says("graph", "GRAPH")
        if sizes.kind == "cells":
            if sizes.input != "planes":
                raise BadValue("a network of cells looks at planes")
            trunk: nn.Module = OnCells(spec.planes[0], spec.plane_high, sizes)
            head: nn.Module = CellHead(spec.planes, sizes.channels, spec.actions)
            pooled = 2 * sizes.channels
        elif sizes.kind == "places":
            if sizes.input != "planes":
                raise BadValue("a network of places looks at planes")
            trunk = OnPlaces(spec.planes, spec.plane_high, sizes)
            pooled = trunk.width
            head = nn.Linear(pooled, spec.actions)
            nn.init.orthogonal_(head.weight, 0.01)
        elif sizes.kind == "centred":
            if sizes.input != "both" or not (marks := game.says("learning", "CENTRE")):
                raise BadValue("a centred network looks at both, in games whose learning.py names planes that mark a CENTRE")
            trunk = Centred(len(spec.features), spec.planes, spec.plane_high, marks, sizes)
            pooled, head = sizes.channels, nn.Linear(sizes.channels, spec.actions)
            nn.init.orthogonal_(head.weight, 0.01)
        elif sizes.kind != "residual":
            count = 0 if sizes.input == "planes" else shown_shape(game, sizes.input)[0]
            fast = Fast(count, spec.planes, spec.plane_high, sizes)
            pooled, last = fast.width, nn.Linear(fast.width, spec.actions)
            nn.init.orthogonal_(last.weight, 0.01)  # at first every action is as likely as any other
            trunk, head = fast, last
        elif sizes.input != "planes":
            trunk = Plain(shown_shape(game, sizes.input)[0], sizes)
            head = nn.Linear(sizes.channels, spec.actions)
            pooled = sizes.channels
        elif graph is not None:
            trunk, head = OnGraph(spec.planes[0], graph, sizes), GraphHead(graph, sizes.channels)
            pooled = 2 * sizes.channels
        else:
            trunk, head = OnGrid(spec.planes[0], spec.plane_high, sizes), GridHead(spec.planes, sizes.channels, spec.actions)
            pooled = 2 * sizes.channels
        self.trunk, self.policy = trunk, head
        self.value = nn.Sequential(nn.Linear(pooled, 64), nn.ReLU(), nn.Linear(64, len(spec.seats)), nn.Tanh())

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [n, actions] in own ids and values [n, seats] from the looking seat on."""
        x = self.trunk(planes)
        pooled = x if x.dim() == 2 else torch.cat([x.flatten(2).mean(2), x.flatten(2).amax(2)], 1)
        return self.policy(x), self.value(pooled)


class Block(nn.Module):
    """Two layers whose result is added to what came in."""

    def __init__(self, first: nn.Module, second: nn.Module) -> None:
        super().__init__()
        self.first, self.second = first, second

    def forward(self, x: Tensor) -> Tensor:
        """Add what two layers find."""
        return functional.relu(x + self.second(functional.relu(self.first(x))))


class OnGrid(nn.Module):
    """Planes of a rectangle, which may be bytes up to `high`."""

    def __init__(self, planes: int, high: float, sizes: Sizes) -> None:
        super().__init__()
        self.high, width = float(high), sizes.channels
        self.stem = _conv(planes, width)
        self.blocks = nn.Sequential(*(Block(_conv(width, width), _conv(width, width)) for _ in range(sizes.blocks)))

    def forward(self, planes: Tensor) -> Tensor:
        """Return what the board says [n, channels, y, x]."""
        x: Tensor = self.blocks(functional.relu(self.stem(planes.float() / self.high)))
        return x


class OnGraph(nn.Module):
    """Planes [n, channel, 1, cell] of a graph; one channel holds numbers of the whole board."""

    def __init__(self, planes: int, graph: Graph, sizes: Sizes) -> None:
        super().__init__()
        width, (self.whole, self.count) = sizes.channels, graph.whole
        none = len(graph.neighbours)
        around = [[cell, *(to if to >= 0 else none for to in beside)] for cell, beside in enumerate(graph.neighbours)]
        self.register_buffer("around", torch.tensor(around).flatten(), persistent=False)  # each cell, then its neighbours
        self.stem = Around(planes - 1, width, len(around[0]))
        self.board = nn.Linear(self.count, width)
        self.blocks = nn.ModuleList(
            nn.ModuleList([Around(width, width, len(around[0])), Around(width, width, len(around[0]))])
            for _ in range(sizes.blocks)
        )

    def forward(self, planes: Tensor) -> Tensor:
        """Return what the board says [n, channels, cell]."""
        planes, around = planes.float().flatten(2), self.around
        cells = torch.cat([planes[:, : self.whole], planes[:, self.whole + 1 :]], 1).transpose(1, 2)
        board = self.board(planes[:, self.whole, : self.count])
        x = functional.relu(self.stem(cells, around) + board.unsqueeze(1))  # [n, cell, channels]
        pair: Any
        for pair in self.blocks:
            x = functional.relu(x + pair[1](functional.relu(pair[0](x, around)), around))
        return x.transpose(1, 2)


class Around(nn.Module):
    """A convolution over a cell and its neighbours, each direction with weights of its own."""

    def __init__(self, planes: int, width: int, seen: int) -> None:
        super().__init__()
        self.seen, self.mix, self.norm = seen, nn.Linear(seen * planes, width, bias=False), nn.BatchNorm1d(width)

    def forward(self, x: Tensor, around: Tensor) -> Tensor:
        """Gather the neighbours of each cell [n, cell, planes], then mix."""
        n, cells, planes = x.shape
        seen = functional.pad(x, (0, 0, 0, 1)).index_select(1, around)  # a cell of zeros where there is no neighbour
        found: Tensor = self.norm(self.mix(seen.reshape(n * cells, self.seen * planes)))
        return found.reshape(n, cells, -1)


class Plain(nn.Module):
    """Features [n, count]."""

    def __init__(self, count: int, sizes: Sizes) -> None:
        super().__init__()
        width = sizes.channels
        self.stem = _linear(count, width)
        self.blocks = nn.Sequential(*(Block(_linear(width, width), _linear(width, width)) for _ in range(sizes.blocks)))

    def forward(self, features: Tensor) -> Tensor:
        """Return what the features say [n, channels]."""
        x: Tensor = self.blocks(functional.relu(self.stem(features.float())))
        return x


class Fast(nn.Module):
    """Plain layers over features, or over planes as one row of numbers; or convolutions of 3 × 3 and one layer.

    Convolutions are as a GPU is fast with: planes of ones make up the next multiple of eight and stand for what else each layer
    would add, and the edge of a board that is large enough is left out, layer by layer.
    """

    def __init__(self, features: int, planes: tuple[int, int, int], high: float, sizes: Sizes) -> None:
        super().__init__()
        self.high = 1.0 if features else float(high)
        parts: list[nn.Module] = []
        count, self.width = features or planes[0] * planes[1] * planes[2], sizes.channels
        self.ones = 0
        if sizes.kind == "convolutions" and not features:
            self.ones = EIGHT - planes[0] % EIGHT
            edge = 0 if min(planes[1:]) > 2 * sizes.blocks + 2 else 1
            shrunk = 2 * sizes.blocks * (1 - edge)
            width = planes[0] + self.ones
            for _ in range(sizes.blocks):
                parts += [nn.Conv2d(width, sizes.channels, 3, padding=edge, bias=False), nn.ReLU(inplace=True)]
                width = sizes.channels
            parts.append(nn.Conv2d(width, NARROW, 1))
            count, self.width, layers = NARROW * (planes[1] - shrunk) * (planes[2] - shrunk), WIDE, 1
        else:
            layers = max(1, sizes.blocks)
        parts.append(nn.Flatten())
        for k in range(layers):
            parts += [nn.Linear(self.width if k else count, self.width), nn.ReLU()]
        self.layers = nn.Sequential(*parts)

    def forward(self, shown: Tensor) -> Tensor:
        """Return what the position says [n, width]."""
        if shown.dim() == 2:
            x: Tensor = self.layers(shown.float())
            return x
        half = torch.is_autocast_enabled(shown.device.type)
        dtype = torch.get_autocast_dtype(shown.device.type) if half else torch.float32
        if self.ones:
            shown = functional.pad(shown, (0, 0, 0, 0, 0, self.ones), value=self.high)
        # One copy makes numbers of bytes and puts them by cell, then by channel, as convolutions on a GPU want them.
        row = shown.to(dtype, memory_format=torch.channels_last if self.ones else torch.contiguous_format)
        x = self.layers(row if self.high == 1 else row / self.high)
        return x


class OnCells(nn.Module):
    """Convolutions over a rectangle, each of which also knows what there is of everything on the whole of it.

    Bytes are seen by their logarithms from both ends, so that small numbers tell, and how far large ones are below the highest
    (how long ago something was learned); besides by their sums over the board, in which a bar of ones is a number.
    """

    def __init__(self, planes: int, high: float, sizes: Sizes) -> None:
        super().__init__()
        self.ones, self.high, width = EIGHT - 3 * planes % EIGHT, float(high), sizes.channels
        self.stem = nn.Conv2d(3 * planes + self.ones, width, 3, padding=1)
        self.near = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1) for _ in range(sizes.blocks))
        self.far = nn.ModuleList(nn.Linear(2 * width, width) for _ in range(sizes.blocks))

    def forward(self, planes: Tensor) -> Tensor:
        """Return what the board says [n, channels, y, x]."""
        seen = planes.to(torch.float32, memory_format=torch.channels_last)
        sums = seen.sum((2, 3), keepdim=True).expand_as(seen)
        told = torch.log1p(torch.cat([seen, self.high - seen, sums], 1)) / math.log1p(self.high)
        x = functional.relu(self.stem(functional.pad(told, (0, 0, 0, 0, 0, self.ones), value=1.0)))
        for near, far in zip(self.near, self.far, strict=True):
            x = functional.relu(x + near(x) + far(overall(x))[:, :, None, None])
        return x


class OnPlaces(nn.Module):
    """Convolutions over a rectangle, read out where each plane marks something; then plain layers over that and all planes."""

    def __init__(self, planes: tuple[int, int, int], high: float, sizes: Sizes) -> None:
        super().__init__()
        self.ones, self.high, channels = EIGHT - planes[0] % EIGHT, float(high), sizes.channels
        self.width = EIGHT * channels
        self.stem = nn.Conv2d(planes[0] + self.ones, channels, 3, padding=1)
        self.near = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(sizes.blocks))
        count = planes[0] * (channels + planes[1] * planes[2])
        parts: list[nn.Module] = []
        for k in range(3):
            parts += [nn.Linear(self.width if k else count, self.width), nn.ReLU()]
        self.layers = nn.Sequential(*parts)

    def forward(self, planes: Tensor) -> Tensor:
        """Return what the position says [n, width]."""
        half = torch.is_autocast_enabled(planes.device.type)
        dtype = torch.get_autocast_dtype(planes.device.type) if half else torch.float32
        filled = functional.pad(planes, (0, 0, 0, 0, 0, self.ones), value=self.high)
        seen = filled.to(dtype, memory_format=torch.channels_last)
        seen = seen if self.high == 1 else seen / self.high
        x = functional.relu(self.stem(seen))
        for near in self.near:
            x = functional.relu(x + near(x))
        marks = seen[:, : planes.shape[1]].flatten(2)
        read = marks @ x.flatten(2).transpose(1, 2)  # [n, plane, channel]
        found: Tensor = self.layers(torch.cat([read.flatten(1), marks.flatten(1)], 1))
        return found


class Centred(nn.Module):
    """Features, and planes as seen from the place that some of them mark: that of the unit which is asked.

    Where another thing is as seen from there is then one number of a row, and plain layers learn what to do about it.
    """

    def __init__(self, features: int, planes: tuple[int, int, int], high: float, marks: Sequence[int], sizes: Sizes) -> None:
        super().__init__()
        self.features, self.planes, self.high, self.marks = features, planes, float(high), slice(marks[0], marks[-1] + 1)
        self.mix = nn.Conv2d(planes[0], MIXED, 1)
        count = features + MIXED * (2 * planes[1] - 1) * (2 * planes[2] - 1)
        parts: list[nn.Module] = []
        for k in range(max(1, sizes.blocks)):
            parts += [nn.Linear(sizes.channels if k else count, sizes.channels), nn.ReLU()]
        self.layers = nn.Sequential(*parts)

    def forward(self, shown: Tensor) -> Tensor:
        """Return what the position says [n, channels]."""
        _, height, width = self.planes
        planes = shown[:, self.features :].float().reshape(-1, *self.planes)
        place = planes[:, self.marks].sum(1).flatten(1).argmax(1)
        mixed = functional.relu(self.mix(torch.log1p(planes * self.high)))
        down = _shift(place // width, height, mixed)  # products with zeros and ones: a GPU is slow with a gather's way back
        along = _shift(place % width, width, mixed)
        seen = down @ mixed @ along.transpose(2, 3)
        found: Tensor = self.layers(torch.cat([shown[:, : self.features].to(seen.dtype), seen.flatten(1)], 1))
        return found


def _shift(place: Tensor, length: int, like: Tensor) -> Tensor:
    """Return matrices [n, 1, 2 × length − 1, length] that move a line so that its place is in the middle."""
    source = place[:, None] + torch.arange(1 - length, length, device=place.device)
    return (source[:, None, :, None] == torch.arange(length, device=place.device)).to(like.dtype)


class CellHead(nn.Module):
    """Logits cell by cell, for games whose ids count the cells of a rectangle, kind by kind of action."""

    def __init__(self, planes: tuple[int, int, int], width: int, actions: int) -> None:
        super().__init__()
        kinds, self.actions = -(-actions // (planes[1] * planes[2])), actions
        self.cells, self.whole = nn.Conv2d(width, kinds, 1), nn.Linear(2 * width, kinds)
        nn.init.orthogonal_(self.cells.weight.flatten(1), 0.01)
        nn.init.orthogonal_(self.whole.weight, 0.01)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits [n, actions]."""
        logits: Tensor = self.cells(x) + self.whole(overall(x))[:, :, None, None]
        return logits.flatten(1)[:, : self.actions]


def overall(x: Tensor) -> Tensor:
    """Return mean and maximum over the board [n, 2 × channels]."""
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


class GridHead(nn.Module):
    """Logits of every action from a few planes of the whole rectangle."""

    def __init__(self, planes: tuple[int, int, int], width: int, actions: int, narrow: int = 8) -> None:
        super().__init__()
        self.narrow = nn.Sequential(nn.Conv2d(width, narrow, 1, bias=False), nn.BatchNorm2d(narrow), nn.ReLU())
        self.out = nn.Linear(narrow * planes[1] * planes[2], actions)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits [n, actions]."""
        logits: Tensor = self.out(self.narrow(x).flatten(1))
        return logits


class GraphHead(nn.Module):
    """Logits cell by cell, of which the graph says which action each one is."""

    def __init__(self, graph: Graph, width: int) -> None:
        super().__init__()
        cells = len(graph.neighbours) * graph.channels
        self.cells = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, graph.channels))
        self.board = nn.Linear(2 * width, max(1, max(graph.head) + 1 - cells))
        self.register_buffer("head", torch.tensor(graph.head), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits [n, actions]."""
        cells = self.cells(x.transpose(1, 2)).flatten(1)  # [n, cell × channel]
        board = self.board(torch.cat([x.mean(2), x.amax(2)], 1))
        head: Any = self.head
        return torch.cat([cells, board], 1).index_select(1, head)


def losses(logits: Tensor, values: Tensor, mask: Tensor, policy: Tensor, outcome: Tensor) -> tuple[Tensor, Tensor]:
    """Return the policy's cross-entropy under the mask, and the mean squared error of the values."""
    logits, values = logits.float(), values.float()  # a GPU may have counted in half precision
    masked = logits.masked_fill(~mask, torch.finfo(logits.dtype).min)
    log = functional.log_softmax(masked, 1)
    return -(policy * log.masked_fill(~mask, 0.0)).sum(1).mean(), functional.mse_loss(values, outcome)


def shown_shape(game: Game, shown: str) -> tuple[int, ...]:
    """Return the shape of what a network is shown of a game: planes, features, or both in one row."""
    if shown == "planes":
        return tuple(game.spec.planes)
    count = len(game.spec.features)
    if not count:
        raise BadValue(f"{game.spec.title} has no features; its networks look at planes")
    return (count + (math.prod(game.spec.planes) if shown == "both" else 0),)


def _conv(planes: int, width: int) -> nn.Module:
    return nn.Sequential(nn.Conv2d(planes, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))


def _linear(count: int, width: int) -> nn.Module:
    return nn.Sequential(nn.Linear(count, width, bias=False), nn.BatchNorm1d(width))

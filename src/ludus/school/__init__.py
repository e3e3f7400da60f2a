"""The school: search, networks, training data, trainers. What is heavy is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ludus.core import MissingExtra

if TYPE_CHECKING:
    from .az import Arguments, train
    from .bots import NetworkBot, SearchBot, open_bot
    from .champion import Champion, champion_file, open_policy
    from .checkpoint import About, about_net, export_onnx, load_net, save_net
    from .data import GameRow, Shard, finish_folder, shard_name
    from .fit import learn, make_optimizer, mean_losses
    from .gumbel import GumbelSearch, Network
    from .loader import Batch, Loader, find_shards
    from .net import Net, Sizes
    from .network import OnnxNetwork, TorchNetwork, open_network, speed
    from .play import Chance, play_games
    from .ppo import LearnArguments, learn_by_play, table_against
    from .ranks import settle
    from .recipes import suited
    from .records import shards_from
    from .runs import Newest, Run
    from .search import Custom, PlayoutSearch, customs
    from .selfplay import Made, Plan, make_plan, play_plan
    from .versus import evaluate, play_rounds, round_scores

__all__ = [
    "About", "Arguments", "Batch", "Champion", "Chance", "Custom", "GameRow", "GumbelSearch", "LearnArguments", "Loader",
    "Made", "Net", "Network", "NetworkBot", "Newest", "OnnxNetwork", "Plan", "PlayoutSearch", "Run", "SearchBot", "Shard",
    "Sizes", "TorchNetwork", "about_net", "champion_file", "customs", "evaluate", "export_onnx", "find_shards",
    "finish_folder", "learn", "learn_by_play", "load_net", "make_optimizer", "make_plan", "mean_losses", "open_bot",
    "open_network", "open_policy", "play_games", "play_plan", "play_rounds", "round_scores", "save_net", "settle",
    "shard_name", "shards_from", "speed", "suited", "table_against", "train",
]  # fmt: skip

_HOMES = {
    "az": ("Arguments", "train"),
    "bots": ("NetworkBot", "SearchBot", "open_bot"),
    "checkpoint": ("About", "about_net", "export_onnx", "load_net", "save_net"),
    "champion": ("Champion", "champion_file", "open_policy"),
    "data": ("GameRow", "Shard", "finish_folder", "shard_name"),
    "fit": ("learn", "make_optimizer", "mean_losses"),
    "gumbel": ("GumbelSearch", "Network"),
    "loader": ("Batch", "Loader", "find_shards"),
    "net": ("Net", "Sizes"),
    "network": ("OnnxNetwork", "TorchNetwork", "open_network", "speed"),
    "play": ("Chance", "play_games"),
    "ppo": ("LearnArguments", "learn_by_play", "table_against"),
    "ranks": ("settle",),
    "recipes": ("suited",),
    "records": ("shards_from",),
    "runs": ("Newest", "Run"),
    "search": ("Custom", "PlayoutSearch", "customs"),
    "selfplay": ("Made", "Plan", "make_plan", "play_plan"),
    "versus": ("evaluate", "play_rounds", "round_scores"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
_EXTRAS = ("torch", "pyarrow", "onnx", "onnxruntime", "safetensors")  # what parts of the school need


def __getattr__(name: str) -> Any:
    """Load the file that has a name when it is asked for."""
    if name not in _HOME:
        raise AttributeError(f"module 'ludus.school' has no attribute {name!r}")
    try:
        return getattr(import_module(f".{_HOME[name]}", __name__), name)
    except ModuleNotFoundError as error:
        if error.name in _EXTRAS:
            raise MissingExtra(f"{error.name}, which the school needs,", "school") from None
        raise

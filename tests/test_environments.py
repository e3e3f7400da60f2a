"""What all environments share: arguments, kinds of observations, masks, meanings of actions, and pages that tell of them."""

import re
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from ludus.adapters import env_ids, register
from ludus.adapters import pettingzoo as zoo
from ludus.adapters.arguments import ARGUMENTS, DOORS, arguments_table
from ludus.adapters.env_page import env_page
from ludus.adapters.lens import KINDS, OBSERVATIONS, Lens
from ludus.adapters.returns import HEAD, returns_table
from ludus.core import BadValue, LudusError, UnknownName
from ludus.games import Game, load, names

register()
every_game = pytest.mark.parametrize("name", names())
PAGES = Path(__file__).parent.parent / "docs" / "environments"


def make(door: str, name: str, **settings: Any) -> Any:
    """Open an environment by one of its doors."""
    if door.startswith("gym"):
        return getattr(gym, door.removeprefix("gym."))(env_ids(name)[0], **settings)
    return getattr(zoo, door.removeprefix("pettingzoo."))(name, **settings)


def doors(name: str) -> list[str]:
    return [door for door in DOORS if door != "pettingzoo.parallel_env" or load(name).spec.simultaneous]


@every_game
@pytest.mark.parametrize("obs", OBSERVATIONS)
def test_every_kind_of_observation_is_in_its_space_behind_every_door(name: str, obs: str) -> None:
    has_dictionary = load(name).says("original", "observation_space") is not None
    for door in doors(name):
        if obs.endswith("dict") and not has_dictionary:
            with pytest.raises(BadValue, match="planes"):
                make(door, name, obs=obs, device="pure")
            continue
        env = make(door, name, obs=obs, device="pure", seed=3)
        seen, space, mask = first_sight(env, door)
        assert seen in space
        if obs.startswith("masked"):
            assert seen.keys() == {"observation", "action_mask"}
            assert np.array_equal(seen["action_mask"], mask)
            assert mask.any()


def first_sight(env: Any, door: str) -> tuple[Any, Any, Any]:
    """Return what is seen first, its space, and the mask in the infos."""
    if door.startswith("gym"):
        seen, info = env.reset()
        return seen, env.observation_space, info["action_mask"]
    told = env.reset()
    agent = env.agents[0]
    if told is not None:
        return told[0][agent], env.observation_space(agent), told[1][agent]["action_mask"]
    agent = env.agent_selection
    return env.last()[0], env.observation_space(agent), env.infos[agent]["action_mask"]


@every_game
def test_float_planes_are_the_same_numbers(name: str) -> None:
    for door in doors(name):
        plain, floats = (make(door, name, device="pure", seed=3, dtype=dtype) for dtype in (None, "f4"))
        (one, *_), (other, space, _) = first_sight(plain, door), first_sight(floats, door)
        assert other.dtype == np.float32
        assert np.array_equal(one, other)
        assert other in space
    with pytest.raises(BadValue, match="float32"):
        make("gym.make", name, dtype="complex")
    with pytest.raises(BadValue, match="float32"):
        make("gym.make", name, dtype="a lot")
    if load(name).says("original", "observation_space") is not None:
        with pytest.raises(BadValue, match="dtype goes with planes"):
            make("gym.make", name, obs="dict", dtype="f4")


@every_game
def test_what_cannot_be_is_a_type_error_in_one_sentence(name: str) -> None:
    for door in doors(name):
        with pytest.raises(TypeError, match="frameskip") as told:
            make(door, name, frameskip=4)
        assert isinstance(told.value, LudusError)
        assert "unexpected keyword argument 'frameskip'" in str(told.value)
        assert "\n" not in str(told.value)
        for argument, about in ARGUMENTS.items():
            if door in about.cannot and argument != "num_envs":  # that one is Gymnasium's own
                with pytest.raises(TypeError, match=re.escape(about.cannot[door])):
                    make(door, name, **{argument: 1})
        with pytest.raises(UnknownName, match="masked"):
            make(door, name, obs="smells")
        with pytest.raises(UnknownName, match="outcome"):
            make(door, name, reward="fame")
        with pytest.raises(LudusError, match="cpu"):
            make(door, name, device="abacus")


def test_every_argument_is_one_of_the_constructors(tiny: Game) -> None:
    """The table, the messages and the signatures cannot drift apart."""
    from inspect import signature

    from ludus.adapters.gymnasium import SeatEnv
    from ludus.adapters.parallel import SimultaneousEnv
    from ludus.adapters.pettingzoo import Env
    from ludus.adapters.vector import SeatVectorEnv

    for door, kind in zip(DOORS, (SeatEnv, SeatVectorEnv, Env, SimultaneousEnv), strict=True):
        taken = set(signature(kind).parameters) - {"game", "options"}
        assert taken == {name for name, about in ARGUMENTS.items() if door not in about.cannot}
        for name, about in ARGUMENTS.items():
            if name in taken:
                assert about.about


@every_game
def test_actions_mean_what_they_do(name: str) -> None:
    """A name at an own id is that of the action which the rules play for it."""
    game = load(name)
    for seat, own in enumerate(game.spec.seats):
        meanings = make("gym.make", name, seat=own, device="pure").unwrapped.action_meanings
        assert meanings == [game.action_name(int(action)) for action in game.own_ids[seat]]
        assert make("pettingzoo.env", name, device="pure").action_meanings(own) == meanings
    assert make("gym.make_vec", name, device="pure").action_meanings == Lens(game).action_meanings(0)


@every_game
def test_pages_are_what_the_code_says(name: str) -> None:
    """All but the measured returns, which a slow test measures again."""
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    table = re.search(re.escape(HEAD) + r"(\|.*\n)+", page)
    assert table
    assert page == env_page(name, table[0]), (
        f"write it again: python -m ludus.adapters.env_page {name} > docs/environments/{name}.md"
    )
    game = load(name)
    assert len(game.says("text", "PLANES")) == game.spec.planes[0]
    assert (PAGES.parent / "pictures" / f"{name}.gif").is_file()


@pytest.mark.slow
@every_game
def test_returns_on_pages_are_measured(name: str) -> None:
    assert returns_table(load(name)) in (PAGES / f"{name}.md").read_text(encoding="utf-8")


def test_the_page_on_environments_has_the_table_of_arguments_and_runs() -> None:
    page = PAGES.with_suffix(".md").read_text(encoding="utf-8")
    assert arguments_table() in page, "write it again: python -m ludus.adapters.arguments"
    scope: dict[str, Any] = {}
    assert len(blocks(page)) >= 7
    for block in blocks(page):
        exec(block, scope)
    for kind in KINDS:
        assert f'"{kind}"' in page


def blocks(page: str) -> list[str]:
    """Return the Python of a page, piece by piece."""
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


def test_the_page_on_learning_runs_piece_by_piece(capsys: pytest.CaptureFixture[str]) -> None:
    pieces = blocks((PAGES.parent / "learning.md").read_text(encoding="utf-8"))
    assert len(pieces) >= 4
    for piece in pieces:
        exec(piece, {})
        assert capsys.readouterr().out


@every_game
def test_what_the_page_of_a_game_shows_first_runs(name: str) -> None:
    (piece,) = blocks((PAGES / f"{name}.md").read_text(encoding="utf-8"))
    scope: dict[str, Any] = {}
    exec(piece, scope)
    assert scope["env"].action_space.n == scope["envs"].single_action_space.n
    assert scope["envs"].num_envs == 1024

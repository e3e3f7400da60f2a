"""PPO: how decisions are judged, whatever the order of seats; runs that go on as if they had not been killed."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from ludus.engine import Batch  # noqa: E402
from ludus.games import load, names  # noqa: E402
from ludus.school import Net, Sizes  # noqa: E402
from ludus.school.past import MOST_KEPT, MOST_MET, PastSelves  # noqa: E402
from ludus.school.ppo import LearnArguments, Played, judged, learn_by_play  # noqa: E402
from ludus.school.seating import seat_of  # noqa: E402

STEPS, GAMES, SEATS, DISCOUNT, TRACE = 9, 4, 3, 0.9, 0.8


def some_play(seed: int) -> tuple[Played, tuple[Any, Any, Any]]:
    """Return play by chance: any seat may decide at any time, several times in a row, and games end."""
    chance = torch.Generator().manual_seed(seed)

    def numbers(*shape: int) -> Any:
        return torch.randn(shape, generator=chance)

    seat = torch.randint(SEATS, (STEPS + 1, GAMES), generator=chance)
    done = torch.rand((STEPS, GAMES), generator=chance) < 0.2
    nothing = torch.zeros(STEPS, GAMES)
    reward, values = numbers(STEPS + 1, GAMES), numbers(STEPS + 1, GAMES, SEATS)
    paid = numbers(STEPS, GAMES, SEATS)
    played = Played(nothing, nothing, nothing, nothing, values[:-1], seat[:-1], reward[:-1], done, paid, nothing)
    return played, (seat[-1], reward[-1], values[-1])


def advantage_by_hand(played: Played, last: tuple[Any, Any, Any], game: int, step: int) -> float | None:
    """Return the advantage of one decision, by looking for the seat's next one; None where there is none."""
    seat, value = int(played.seat[step, game]), float(played.values[step, game, 0])
    for later in range(step, STEPS):
        if played.done[later, game]:
            return float(played.paid[later, game, seat]) - value
        if later + 1 == STEPS:
            if int(last[0][game]) != seat:
                return None
            return float(last[1][game]) + DISCOUNT * float(last[2][game, 0]) - value
        if int(played.seat[later + 1, game]) == seat:
            next_value = float(played.values[later + 1, game, 0])
            beyond = advantage_by_hand(played, last, game, later + 1)
            got = float(played.reward[later + 1, game])
            return None if beyond is None else got + DISCOUNT * (next_value + TRACE * beyond) - value
    raise AssertionError


@pytest.mark.parametrize("seed", range(5))
def test_a_decision_is_judged_by_what_its_own_seat_gets(seed: int) -> None:
    played, last = some_play(seed)
    gains, targets, known = judged(played, last, DISCOUNT, TRACE)
    seen = 0
    for step in range(STEPS):
        for game in range(GAMES):
            due = advantage_by_hand(played, last, game, step)
            if due is None:
                continue
            seen += 1
            assert bool(known[step, game, 0])
            assert float(gains[step, game]) == pytest.approx(due, abs=1e-5)
            assert float(targets[step, game, 0]) == pytest.approx(due + float(played.values[step, game, 0]), abs=1e-5)
    assert seen > STEPS * GAMES // 3


class Killed(Exception):
    """Ends a run as a kill would: nothing is saved."""


@pytest.mark.parametrize("bots", ["random:2,self:1", "random:1,past:2"])
def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(tmp_path: Path, bots: str) -> None:
    def run(name: str, lines: int = 1000) -> Any:
        def say(line: str) -> None:
            said.append(line)
            if len(said) == lines:
                raise Killed

        said: list[str] = []
        game = names()[0]
        arguments = LearnArguments(
            game, seat="any", bots=bots, teacher="random", lessons=0.5, games=8, steps=4, spread=4,
            decisions=8 * 4 * 6, save_every=2, evaluate_every=1, evaluated=4, channels=16, against="random",
        )  # fmt: skip
        learn_by_play(arguments, tmp_path / name, say)
        return torch.load(tmp_path / name / "learner.pt", weights_only=True)

    whole = run("whole")
    with pytest.raises(Killed):
        run("killed", 5)
    gone_on = run("killed")
    assert sorted(gone_on["past"]) == ([2, 4] if "past" in bots else []), "what was met before the last save"
    assert gone_on["updates"] == whole["updates"] == 6
    for name, weights in whole["net"].items():
        assert torch.equal(weights, gone_on["net"][name]), name


def test_past_selves_are_kept_from_the_whole_run_and_play_as_they_did() -> None:
    game, past = load(names()[0]), PastSelves(seed=3, save_every=10)
    nets = {updates: Net(game, Sizes(8, 1, "features", "layers")) for updates in range(10, 410, 10)}
    for updates, net in nets.items():
        past.add(updates, net)
        past.add(updates, nets[10])  # a run that goes on comes to the same save again
    assert len(past.kept) == MOST_KEPT
    assert min(past.kept) < 200 < max(past.kept), "old ones as well as new ones"
    met = past.met(400, nets[10], "features")
    assert len(met) == MOST_MET
    shown = torch.randn(64, len(game.spec.features))
    mask = torch.zeros(64, game.spec.actions)
    mask[:, :2] = 1
    for self_then, updates in zip(met, Random("meet 3 400").sample(sorted(past.kept), MOST_MET), strict=True):
        logits = nets[updates](shown)[0]
        assert torch.equal(self_then.net(shown)[0], logits)
        assert set(self_then(shown, mask, None).tolist()) == {0, 1}, "drawn, and legal"


def test_past_selves_are_opponents_by_name() -> None:
    game = load(names()[0])
    for words in ("past", "random:1,past:3", f"{game.spec.seats[-1]}=past"):
        asked: list[int] = []

        def policy(obs: Any, mask: Any, seat: Any, asked: list[int] = asked) -> Any:
            asked.append(len(obs))
            return mask.argmax(axis=1)

        seat = seat_of(Batch(game, 6, 1, "pure"), game.spec.seats[0], words, "features", "outcome", [policy])
        for _ in range(4):
            seat.step((seat.mask if asked else seat.reset().mask).argmax(axis=1))
        assert asked, words
    alone = seat_of(Batch(game, 6, 1, "pure"), "any", "past", "features", "outcome")
    assert len(set(alone.reset().seat.tolist())) == 1, "before there are any it is the learner who is asked for all seats"

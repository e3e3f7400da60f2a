"""Lessons in Chase: layouts solved on torch's arrays as perfect play solves them, shown as the rules show positions."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludus.engine import Batch, Tools  # noqa: E402
from ludus.games import load  # noqa: E402
from ludus.school import open_network, table_against  # noqa: E402
from ludus.school.ppo import LearnArguments, learn_by_play  # noqa: E402

SIZE, GAMES, LAYOUTS, NEVER = 8, 96, 3, 255


@pytest.fixture
def lessons() -> Any:
    torch.manual_seed(1)
    return lessons_of(GAMES, LAYOUTS)


def lessons_of(games: int, layouts: int) -> Any:
    game = load("chase", size=SIZE)
    return game.part("lessons").Lessons(torch, "cpu", games, game.options, layouts)


def test_layouts_are_solved_as_perfect_play_solves_them(lessons: Any) -> None:
    game = load("chase", size=SIZE)
    for walls, table in zip(lessons.walls, lessons.tables, strict=True):
        is_wall = walls.view(SIZE + 1, SIZE + 1)[:SIZE, :SIZE].numpy()
        rows = (is_wall << np.arange(SIZE)).sum(1).astype(np.int64)
        moves = game.part("perfect").solve_layout(rows, Tools(game).compiled).astype(int)
        seat = np.arange(3)[:, None, None, None]
        due = np.where(seat == 0, (moves - 1) // 3 + 1, (seat + moves - 1) // 3)
        due = np.where((moves == 0) | (moves == NEVER), moves, due)
        found = table.view(3, *[SIZE + 1] * 6)[:, :SIZE, :SIZE, :SIZE, :SIZE, :SIZE, :SIZE].reshape(due.shape).numpy()
        closed = np.pad(is_wall, 1, constant_values=True)
        is_shut = closed[:-2, 1:-1] & closed[2:, 1:-1] & closed[1:-1, :-2] & closed[1:-1, 2:]  # nobody can get there
        free = ~(is_wall | is_shut).flatten()
        chosen = np.ix_([True] * 3, free, free, free)
        assert (found[chosen] == due[chosen]).all()
        assert due[chosen].max() > 10


def as_rows(lessons: Any) -> Any:
    """Return the positions of lessons as the rules know them."""
    game = load("chase", size=SIZE)
    rows = game.empty(GAMES)
    wide = SIZE + 1
    rows.x[:], rows.y[:] = (lessons.cells % wide).numpy(), (lessons.cells // wide).numpy()
    rows.seat[:], rows.turn[:] = lessons.seat.numpy(), (lessons.turn + lessons.clock).numpy()
    walls = lessons.walls[lessons.layout].view(GAMES, wide, wide)[:, :SIZE, :SIZE].numpy()
    rows.wall[:] = (walls << np.arange(SIZE)).sum(2)
    rows.last_seat[:] = rows.last_action[:] = -1
    return rows


def test_positions_are_shown_and_legal_as_the_rules_say(lessons: Any) -> None:
    batch = Batch(load("chase", size=SIZE), GAMES, device="cpu")
    for _ in range(20):
        turned = lessons.symmetry.clone()
        lessons.symmetry[:] = 0
        mask, worse, values = lessons.judged()
        batch.load(as_rows(lessons))
        assert (np.array(batch.encode()) == lessons.shown().numpy()).all()
        assert (np.array(batch.legal()) == mask.numpy()).all()
        assert ((worse == 0).any(1) & (worse[~mask] == 999).all()).all()
        assert (values.abs() <= 1).all()
        lessons.symmetry[:] = turned
        own = lessons.judged()
        assert (own[0].sum(1) == mask.sum(1)).all()  # the same position, seen from another side
        assert (own[1].sort(1).values == worse.sort(1).values).all()
        lessons.step(own[1].argmin(1), own[1])


def test_a_turned_board_shows_the_same_ways(lessons: Any) -> None:
    """What is open in the picture, beside who looks, is what is legal there."""
    planes, (mask, _, _) = lessons.shown().numpy(), lessons.judged()
    assert len(set(lessons.symmetry.tolist())) == 8
    closed = np.pad(planes[:, 0], ((0, 0), (1, 1), (1, 1)), constant_values=1)
    for game in range(GAMES):
        y, x = np.argwhere(planes[game, 4])[0] + 1
        beside = [closed[game, y - 1, x], closed[game, y + 1, x], closed[game, y, x - 1], closed[game, y, x + 1]]
        assert mask[game, :4].tolist() == [wall == 0 for wall in beside]


def test_perfect_play_takes_as_long_as_the_table_says(lessons: Any) -> None:
    """Only the mover's best actions are played, so each game ends in the turn that its start was worth."""
    lessons.kinds, lessons.longest = (0, 1), 300
    lessons.begin(torch.arange(GAMES))
    position = (lessons.cells * lessons.strides).sum(1)
    due = lessons.tables[lessons.layout, position]
    ended = torch.zeros(GAMES, dtype=torch.long)
    while (ended == 0).any():
        worse = lessons.judged()[1]
        turn = lessons.step(worse.argmin(1), worse)
        ended = torch.where(ended == 0, turn, ended)
    assert (ended == due).all()


def test_a_student_that_was_killed_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    given = {"options": {"size": SIZE}, "teacher": "solution", "input": "planes", "kind": "places", "channels": 8, "blocks": 1}
    given |= {
        "games": 8,
        "steps": 3,
        "minibatches": 2,
        "save_every": 2,
        "evaluate_every": 3,
        "evaluated": 4,
        "against": "random",
    }
    arguments = LearnArguments("chase", **given, decisions=8 * 3 * 6)
    said: list[str] = []

    def killed(line: str) -> None:
        raise KeyboardInterrupt

    learn_by_play(arguments, tmp_path / "one", said.append)
    with pytest.raises(KeyboardInterrupt):
        learn_by_play(arguments, tmp_path / "two", killed)
    learn_by_play(arguments, tmp_path / "two", said.append)
    one, two = (torch.load(tmp_path / name / "learner.pt", weights_only=True)["net"] for name in ("one", "two"))
    assert all(torch.equal(one[name], two[name]) for name in one)
    assert set(table_against(tmp_path / "one", ["random"], 8)) == {"runner vs random", "chaser1+chaser2 vs random"}


@pytest.mark.slow
def test_a_student_learns(tmp_path: Path) -> None:
    """Some hundred updates tell most best moves from others, on layouts that it has not seen."""
    given = {"options": {"size": SIZE}, "teacher": "solution", "input": "planes", "kind": "places", "channels": 8, "blocks": 1}
    given |= {"games": 16, "steps": 16, "epochs": 2, "save_every": 1000, "evaluate_every": 1000, "evaluated": 4}
    learn_by_play(LearnArguments("chase", **given, decisions=16 * 16 * 200, against="random"), tmp_path, lambda line: None)
    network = open_network(tmp_path / "best.onnx", load("chase", size=SIZE))
    torch.manual_seed(2)
    lessons = lessons_of(512, 4)
    right = []
    for _ in range(12):
        mask, worse, _ = lessons.judged()
        logits, _ = network(lessons.shown().numpy())
        liked = torch.from_numpy(logits).masked_fill(~mask, -1e9).argmax(1, keepdim=True)
        right.append(float((worse.gather(1, liked) == 0).float().mean()))
        lessons.step(worse.argmin(1), worse)
    assert np.mean(right) > 0.75


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="torch sees no GPU")
def test_a_gpu_solves_and_teaches_the_same(tmp_path: Path) -> None:
    lessons = lessons_of(GAMES, LAYOUTS)
    solved = load("chase", size=SIZE).part("lessons").solved
    for walls, table in zip(lessons.walls, lessons.tables, strict=True):
        assert torch.equal(solved(torch, walls.cuda()).cpu(), table)
    given = {"options": {"size": SIZE}, "teacher": "solution", "input": "planes", "kind": "places", "channels": 8, "blocks": 1}
    given |= {"games": 64, "steps": 3, "save_every": 2, "evaluate_every": 3, "evaluated": 4, "device": "cuda"}
    said: list[str] = []
    learn_by_play(LearnArguments("chase", **given, decisions=64 * 3 * 6, against="random"), tmp_path, said.append)
    assert "1,152 decisions" in said[-1]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="torch sees no GPU")
def test_games_on_the_cpu_and_the_network_on_a_gpu(tmp_path: Path) -> None:
    given = {"bots": "greedy:1,self:1", "seat": "any", "teacher": "greedy", "games": 32, "steps": 4, "evaluated": 4}
    said: list[str] = []
    arguments = LearnArguments("chase", **given, device="cuda", games_on="cpu", decisions=1024, evaluate_every=4)
    learn_by_play(arguments, tmp_path, said.append)
    assert "1,024 decisions" in said[-1]

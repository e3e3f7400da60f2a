"""The referee: whatever an agent does becomes a decision or a fault of one line, and the game goes on."""

import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from ludus.agents import Stop, make_agent
from ludus.arena import Referee
from ludus.core import Agent, Answer, BadValue, Fault, LudusError, Record, Result, Start, UnknownName
from ludus.engine import Table
from ludus.games import Game


@pytest.fixture(autouse=True)
def handler_is_put_back(own_handler: None) -> Iterator[None]:
    """A referee puts back what it finds."""
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Scripted(Agent):
    """Do what a function says; remember all that was told."""

    name = "scripted"

    def __init__(self, act: Callable[[Any, list[int]], Any]) -> None:
        self._act, self.asked, self.told, self.results = act, 0, [], []  # type: ignore[var-annotated]

    def start(self, start: Start) -> None:
        self.began = start

    def act(self, view: Any, legal: list[int]) -> Any:
        self.asked += 1
        return self._act(view, legal)

    def after(self, view: Any) -> None:
        self.told.append(view)

    def end(self, result: Result) -> None:
        self.results.append(result)


def referee(game: Game, *acts: Any, on_fault: str | None = None, seed: int = 1) -> Referee:
    """Let functions, bots and agents play; bots fill the seats that are left."""
    agents = [Scripted(act) if callable(act) and not isinstance(act, Agent) else make_agent(game, act) for act in acts]
    agents += [make_agent(game, "random") for _ in range(len(game.spec.seats) - len(agents))]
    return Referee(Table(game, seed, "pure"), agents, on_fault)


def lowest(view: Any, legal: list[int]) -> int:
    return legal[0]


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("nothing to say")


class Liar(int):
    """A number that says of itself whatever is asked for."""

    def __repr__(self) -> str:
        raise SystemExit

    def __ge__(self, other: object) -> bool:
        return True

    __le__ = __lt__ = __gt__ = __eq__ = __ge__
    __hash__ = int.__hash__

    def __index__(self) -> int:
        raise KeyboardInterrupt

    __int__ = __index__


class FalseArray:
    """Something that looks like a number of NumPy's."""

    dtype = "i4"

    def __index__(self) -> int:
        raise GeneratorExit

    def __repr__(self) -> str:
        return "\x1b[2J" * 10**6


def raising(error: BaseException) -> Callable[..., Any]:
    def act(view: Any, legal: list[int]) -> Any:
        raise error

    return act


HOSTILE: dict[str, Callable[..., Any]] = {
    "huge": lambda view, legal: 10**5000,
    "negative": lambda view, legal: -(10**5000),
    "nothing": lambda view, legal: None,
    "no decisions": lambda view, legal: [],
    "text": lambda view, legal: "\x1b]0;title\x07" * 10_000,
    "truth": lambda view, legal: True,
    "float": lambda view, legal: float("nan"),
    "object": lambda view, legal: object(),
    "liar": lambda view, legal: Liar(10**9),
    "liar in a list": lambda view, legal: [Liar(10**9)],
    "false array": lambda view, legal: FalseArray(),
    "array": lambda view, legal: np.full((2, 2), 99),
    "nested": lambda view, legal: [[[0]]],
    "bad remarks": lambda view, legal: Answer([0], 5),  # type: ignore[arg-type]
    "error": raising(ValueError("\x1b[31mred\nlines" * 1000)),
    "mute error": raising(Mute()),
    "base": raising(BaseException("x" * 10**6)),
    "exit": raising(SystemExit(3)),
    "generator exit": raising(GeneratorExit()),
    "stop": raising(Stop("please")),
    "interrupt": raising(KeyboardInterrupt()),
    "ludus error": raising(LudusError("y" * 10**6)),
    "changes what it is given": lambda view, legal: (
        legal.clear(),
        view.bytes.__setitem__(slice(None), bytes(len(view.bytes))),
    ),
}


def check_faults(record: Record, seat: int) -> None:
    """Every fault is a line that a terminal can show."""
    assert record.faults
    for fault in record.faults:
        assert fault.seat == seat
        assert fault.kind in ("crash", "illegal", "rubbish", "order", "memory")
        assert 0 < len(fault.text) <= 200
        assert fault.text.isprintable()


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_answers_are_faults_and_the_game_goes_on(tiny: Game, what: str) -> None:
    record = referee(tiny, "random", HOSTILE[what]).finish()
    check_faults(record, 1)
    rubbish = {"nothing", "no decisions", "text", "truth", "float", "object", "nested", "array", "changes what it is given"}
    assert (record.faults[0].kind == "rubbish") == (what in rubbish)
    assert record.result.status == 1
    assert sum(abs(outcome) for outcome in record.result.outcome) == 3


@pytest.mark.parametrize("call", ["start", "ask", "answer", "after", "end"])
@pytest.mark.parametrize("error", [SystemExit(), KeyboardInterrupt(), Mute(), GeneratorExit(), MemoryError()], ids=repr)
def test_every_call_is_guarded(tiny: Game, call: str, error: BaseException) -> None:
    def raises(self: Agent, *arguments: Any) -> None:
        raise error

    agent = type("Hostile", (Scripted,), {call: raises})(lowest)
    record = referee(tiny, agent).finish()
    check_faults(record, 0)
    assert record.faults[0].kind in ("crash", "memory")
    assert record.result.status == 1


def test_names_are_lines_as_well(tiny: Game) -> None:
    agent = Scripted(lowest)
    agent.name = "\x1b[2J\n" * 1000 + "x"
    (name, *_) = referee(tiny, agent).names
    assert name.isprintable()
    assert len(name) <= 60


def test_agents_own_what_they_are_given(tiny: Game) -> None:
    """Views and lists that they keep stay as they were, and nothing that they write there reaches the game."""
    agent = Scripted(lowest)
    record = referee(tiny, agent, lambda view, legal: legal[-1]).finish()
    assert record.faults == ()
    totals = [view.total for view in agent.told]
    assert totals == sorted(set(totals))
    with pytest.raises(TypeError):
        agent.began.game.options["goal"] = 1
    assert (agent.began.seat, agent.began.names[0], agent.began.view.me) == (0, "scripted", 0)
    assert agent.results == [record.result]


def test_an_answer_may_be_a_whole_turn_judged_decision_by_decision(tiny: Game) -> None:
    """The same addend twice is not allowed: the second one is refused when its time has come."""
    agent = Scripted(lambda view, legal: [legal[0], legal[0]])
    record = referee(tiny, agent).finish()
    turns = len(
        {k for k, (seat, _) in enumerate(record.decisions) if seat == 0 and (k == 0 or record.decisions[k - 1][0] != 0)}
    )
    assert agent.asked == turns
    assert record.faults
    assert {fault.kind for fault in record.faults} == {"illegal"}
    for fault in record.faults:  # the first decision of its turn was played
        assert record.decisions[fault.decision - 1][0] == 0
        assert record.decisions[fault.decision][0] == 0


def test_a_turn_that_is_named_whole_is_asked_for_once(tiny: Game) -> None:
    def two(view: Any, legal: list[int]) -> tuple[int, int]:
        return legal[0], legal[-1] if legal[-1] != legal[0] else 0

    agent = Scripted(two)
    for decision in (play := referee(tiny, agent)).play():
        if decision.seat == 2:
            break
    assert agent.asked == 1
    assert play.decisions == 5
    assert len(agent.told) == 2


def test_decisions_too_many_are_not_played_in_the_next_turn(tiny: Game) -> None:
    agent = Scripted(lambda view, legal: [legal[0], legal[1], *[legal[2]] * 48])
    asked_before = 0
    for decision in referee(tiny, agent).play():
        if decision.seat == 2 and agent.asked > asked_before:
            assert agent.asked == asked_before + 1
            asked_before = agent.asked
        if asked_before == 2:
            return
    raise AssertionError("the game was too short")


def test_decisions_too_few_are_asked_for(tiny: Game) -> None:
    agent = Scripted(lambda view, legal: [legal[0]])
    record = referee(tiny, agent).finish()
    assert agent.asked == sum(seat == 0 for seat, _ in record.decisions)


def test_remarks_are_faults_that_change_nothing(tiny: Game) -> None:
    record = referee(tiny, lambda view, legal: Answer([legal[0]], ["\x1b[1mno such unit\n" * 100])).finish()
    check_faults(record, 0)
    assert {fault.kind for fault in record.faults} == {"order"}


def test_the_default_stands_in_for_the_rest_of_a_turn(tiny: Game) -> None:
    agent = Scripted(raising(ValueError("no")))
    record = referee(tiny, agent).finish()
    played = [action for seat, action in record.decisions if seat == 0]
    assert set(played) <= {0, 1}
    assert agent.asked == -(-len(played) // 2)
    assert len(record.faults) == agent.asked


@pytest.mark.parametrize(("seat", "due"), [(0, (-1, 1, 1)), (1, (1, -1, -1)), (2, (1, -1, -1))])
def test_a_forfeit_loses_for_the_whole_side(tiny: Game, seat: int, due: tuple[float, ...]) -> None:
    acts: list[Any] = ["random"] * 3
    acts[seat] = raising(ValueError("I give up"))
    record = referee(tiny, *acts, on_fault="forfeit").finish()
    assert record.forfeit == seat
    assert record.result.outcome == due
    assert len(record.faults) == 1
    assert isinstance(record.faults[0], Fault)


def test_remarks_do_not_forfeit(tiny: Game) -> None:
    record = referee(tiny, lambda view, legal: Answer([legal[0]], ["hm"]), on_fault="forfeit").finish()
    assert record.forfeit is None
    assert record.faults


def test_seats_policies_and_agents_are_checked(tiny: Game) -> None:
    table, agent = Table(tiny, 1, "pure"), Scripted(lowest)
    others = [make_agent(tiny, "random") for _ in range(3)]
    with pytest.raises(BadValue, match="one agent cannot sit on two seats"):
        Referee(table, [agent, others[0], agent])
    with pytest.raises(BadValue, match="has 3 seats"):
        Referee(table, others[:2])
    with pytest.raises(UnknownName, match="there is: replace, forfeit"):
        Referee(table, others, "cry")


def test_ctrl_c_is_the_users(tiny: Game) -> None:
    """A signal that comes while an agent thinks ends the match, as one that an agent makes up does not."""

    def interrupted(view: Any, legal: list[int]) -> int:
        signal.raise_signal(signal.SIGINT)
        return legal[0]

    with pytest.raises(KeyboardInterrupt):
        referee(tiny, interrupted).finish()


def test_in_a_thread_nobody_presses_ctrl_c(tiny: Game) -> None:
    found: list[Record] = []
    thread = threading.Thread(target=lambda: found.append(referee(tiny, HOSTILE["interrupt"]).finish()))
    thread.start()
    thread.join()
    check_faults(found[0], 0)


def test_a_record_is_enough_to_run_the_game_again(tiny: Game) -> None:
    start = Table(tiny, 5, "pure").s.copy()
    start.total = 4
    record = Referee(Table(tiny, 9, "pure", position=start), [make_agent(tiny, "random") for _ in range(3)]).finish()
    assert (record.game, record.rules, record.seed, record.options) == ("tiny", 1, 9, {"goal": 30})
    table, digests, turn = Table(record.game, record.seed, "pure", position=record.position, **record.options), [], 0
    for seat, action in record.decisions:
        assert table.seat == seat
        table.apply(action)
        if table.turn != turn or table.over:
            digests.append(table.digest())
            turn = table.turn
    assert tuple(digests) == record.digests
    assert table.result() == record.result

"""TorchRL: GymEnv, GymWrapper over the vector environment, PettingZooWrapper; masks arrive in the tensordict."""

import warnings
from typing import Any

import pytest
from counted import EASY, EASY_ID, SEAT, TOGETHER, CountedAec, CountedMany, make, snippet

with warnings.catch_warnings():  # of their own imports
    warnings.simplefilter("ignore")
    torch = pytest.importorskip("torch")
    pytest.importorskip("torchrl", reason="get it with: make test-libraries")
    import gymnasium as gym
    from tensordict.nn import TensorDictModule
    from torchrl.envs import ActionMask, GymEnv, GymWrapper, PettingZooWrapper, TransformedEnv
    from torchrl.envs.utils import check_env_specs
    from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE

from ludus.adapters import pettingzoo as zoo

pytestmark = [
    pytest.mark.libraries,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::FutureWarning"),
]


def test_gym_env_finds_the_id_and_random_play_keeps_to_the_mask() -> None:
    env = TransformedEnv(GymEnv(EASY_ID, seat=SEAT, obs="masked features", categorical_action_encoding=True), ActionMask())
    check_env_specs(env)
    played = env.rollout(200, break_when_any_done=False)
    marked = played["action_mask"].gather(1, played["action"][:, None])
    assert played["action_mask"].any(1).all()
    assert marked.all()


def test_gym_wrapper_counts_nothing_illegal() -> None:
    counted = make()
    env = TransformedEnv(GymWrapper(counted, categorical_action_encoding=True), ActionMask())
    env.rollout(200, break_when_any_done=False)
    assert counted.steps >= 200
    assert counted.illegal == 0


@pytest.mark.parametrize(("mode", "obs"), [("SameStep", "features"), ("Disabled", "masked features")])
def test_the_vector_environment_is_taken_as_it_is(mode: str, obs: str) -> None:
    """What follows is never what was before: the library keeps what it is given without a copy.

    In SAME_STEP it cannot read final observations that are dictionaries; it finds the mask among the infos, but in the step
    after an end still has the old one.
    """
    many = CountedMany(gym.make_vec(EASY_ID, num_envs=8, seat=SEAT, obs=obs, autoreset_mode=mode))
    env = TransformedEnv(GymWrapper(many, categorical_action_encoding=True), ActionMask())
    many.steps = many.illegal = 0  # it has looked around already
    played = env.rollout(100, break_when_any_done=False)
    before, following = played["observation"], played["next", "observation"]
    changed = (before != following).any(-1)
    assert changed.float().mean() > 0.9
    goes_on = ~played["next", "done"][:, :-1, 0]
    assert torch.equal(following[:, :-1][goes_on], before[:, 1:][goes_on])
    assert played["action_mask"].gather(2, played["action"][..., None]).all()
    assert many.steps >= 800
    assert many.illegal <= (int(played["next", "done"].sum()) if mode == "SameStep" else 0)


def test_ppo_trains_over_the_vector_environment() -> None:
    many = CountedMany(gym.make_vec(EASY_ID, num_envs=16, seat=SEAT, obs="masked features", autoreset_mode="Disabled"))
    env = GymWrapper(many, categorical_action_encoding=True)
    numbers, actions = many.single_observation_space["observation"].shape[0], int(many.single_action_space.n)
    body = torch.nn.Sequential(torch.nn.Linear(numbers, 64), torch.nn.Tanh(), torch.nn.Linear(64, actions))
    actor = ProbabilisticActor(
        TensorDictModule(body, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(torch.nn.Sequential(torch.nn.Linear(numbers, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)))
    env = TransformedEnv(env, AsTruth())
    gains, loss_of = GAE(gamma=0.99, lmbda=0.95, value_network=critic), ClipPPOLoss(actor, critic)
    optimiser = torch.optim.Adam(loss_of.parameters(), 1e-3)
    before = [p.detach().clone() for p in actor.parameters()]
    for _ in range(2):
        with torch.no_grad():
            data = env.rollout(32, actor, break_when_any_done=False)
        gains(data)
        losses = loss_of(data.reshape(-1))
        total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
        optimiser.zero_grad()
        total.backward()
        optimiser.step()
        assert torch.isfinite(total)
    assert many.illegal == 0
    assert any((a != b).any() for a, b in zip(before, actor.parameters(), strict=True))


def AsTruth() -> Any:  # noqa: N802
    """Return the transform that makes truth values of the mask: the masked distribution wants them."""
    from torchrl.envs import DTypeCastTransform

    return DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])


@pytest.mark.parametrize("obs", ["features", "masked features"])
def test_pettingzoo_wrapper_over_agents_in_turn(obs: str) -> None:
    env = PettingZooWrapper(CountedAec(EASY, obs=obs, seed=1), use_mask=True, categorical_actions=True)
    played = env.rollout(150, break_when_any_done=True)
    groups = env.group_map.keys()
    assert all((group, "action_mask") in played.keys(True) for group in groups)
    assert CountedAec.steps >= 20
    assert CountedAec.illegal == 0


def test_pettingzoo_wrapper_over_agents_at_once() -> None:
    env = PettingZooWrapper(
        zoo.parallel_env(TOGETHER, obs="features", decisions=1, seed=1, max_turns=10), categorical_actions=True
    )
    played = env.rollout(12)
    assert played.shape[0] >= 10


def test_what_the_page_shows_runs() -> None:
    scope: dict[str, Any] = {}
    exec(snippet("TorchRL", ("num_envs=256", "num_envs=8")), scope)
    played = scope["played"]
    assert played["action_mask"].gather(2, played["action"][..., None]).all()


def test_next_step_is_refused_by_the_library() -> None:
    with pytest.raises(Exception, match=r"(?i)reset"):
        GymWrapper(gym.make_vec(EASY_ID, num_envs=2, seat=SEAT, obs="features", autoreset_mode="NextStep")).rollout(60)

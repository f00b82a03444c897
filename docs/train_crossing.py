"""A weight for each action, learnt from results (REINFORCE), beats chance. It needs extra `rl`."""

import sys

import numpy as np

from apennine.adapters.pettingzoo import env

GAMES, STEP = int(sys.argv[1]) if len(sys.argv) > 1 else 1500, 0.3
table = env("crossing")
random = np.random.default_rng(1)
weights = {side: np.zeros(table.action_space(side).n) for side in table.possible_agents}


def play(learner: str, seed: int) -> tuple[float, list]:
    """One game against chance: the reward, and the gradient of each choice."""
    table.reset(seed=seed)
    steps = []
    while not any(table.terminations.values()):
        agent, mask = table.agent_selection, table.last()[0]["action_mask"]
        legal = np.flatnonzero(mask)
        liking = np.exp(weights[agent][legal] * (agent == learner))
        chances = liking / liking.sum()
        pick = int(random.choice(len(legal), p=chances))
        if agent == learner:
            steps.append((legal, np.eye(len(legal))[pick] - chances))
        table.step(int(legal[pick]))
    return table.rewards[learner], steps


for side in weights:
    before, usual = np.mean([play(side, 10**6 + n)[0] > 0 for n in range(100)]), 0.0
    for game in range(GAMES):
        reward, steps = play(side, game)
        for legal, gradient in steps:
            weights[side][legal] += STEP * (reward - usual) * gradient / len(steps) ** 0.5
        usual += 0.02 * (reward - usual)
    after = np.mean([play(side, 2 * 10**6 + n)[0] > 0 for n in range(200)])
    sys.stdout.write(f"{side}: wins {before:.0%} of 100 games before, {after:.0%} of 200 after\n")

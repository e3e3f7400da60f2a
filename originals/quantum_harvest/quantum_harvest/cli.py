"""The command `quantum-harvest`: play, replay, info, version."""

from __future__ import annotations

import argparse
import sys

from quantum_harvest import __version__, agent_v_agent_script, run_replay_visualizer

ABOUT = f"""Quantum Harvest {__version__}, played by Ludus
  author of this version   the Ludus contributors
  licence                  MIT
  rules                    ludus rules quantum_harvest
  play two agent files     quantum-harvest play --agent1 a.py --agent2 b.py
  look at a replay         quantum-harvest replay game_logs/FILE.json.gz
  bots that come with it   ludus play quantum_harvest commander raider"""


def main(arguments: list[str] | None = None) -> int:
    """Run a command; without one, show the help."""
    parser = argparse.ArgumentParser(prog="quantum-harvest", description="Two agents, many units, one map.")
    commands = parser.add_subparsers(dest="command")
    agent_v_agent_script.add_flags(commands.add_parser("play", help="play one game between two agent files"))
    replay = commands.add_parser("replay", help="show a replay file turn by turn")
    replay.add_argument("file", nargs="?", help="a .json.gz or .json file of game_logs/")
    replay.add_argument("--turn-delay", type=float, default=0.0, help="seconds between turns")
    commands.add_parser("info", help="version, licence, how to use it")
    commands.add_parser("version", help="the version alone")
    words = parser.parse_args(arguments)
    if words.command == "play":
        return agent_v_agent_script.play(words)
    if words.command == "replay":
        return run_replay_visualizer.show(words.file, words.turn_delay)
    if words.command == "info":
        print(ABOUT)
    elif words.command == "version":
        print(__version__)
    else:
        parser.print_help()
    return 0


if __name__ == "__main__":
    sys.exit(main())

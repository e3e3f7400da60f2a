"""Five rounds of: generate games with the best model so far, train on them, evaluate; the best model is promoted each time."""

import argparse
import shutil
import sys
from pathlib import Path

from self_play.training_pipeline import BEST, main


def loop(arguments: list[str] | None = None) -> int:
    """Run the loop; a step that fails ends it."""
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--iterations", type=int, default=5)
    flags.add_argument("--games", type=int, default=1024)
    flags.add_argument("--epochs", type=int, default=50)
    words = flags.parse_args(arguments)
    for iteration in range(words.iterations):
        folder = Path("shards") / f"iter_{iteration}"
        if status := main(["generate", "--games", str(words.games), "--data-dir", str(folder)]):
            return status
        if status := main(["train", "--epochs", str(words.epochs), "--batch-size", "256", "--data-dir", str(folder)]):
            return status
        shutil.copyfile(BEST, BEST.with_name("candidate_model.pt"))
        if status := main(["evaluate", "--model", str(BEST.with_name("candidate_model.pt"))]):
            return status
    return 0


if __name__ == "__main__":
    sys.exit(loop())

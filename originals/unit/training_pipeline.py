"""The training pipeline of Unit as a script: see self_play/training_pipeline.py."""

import sys

from self_play.training_pipeline import main

if __name__ == "__main__":
    sys.exit(main())

"""`python -m quantum_harvest`: the same as the command `quantum-harvest`."""

import sys

from quantum_harvest.cli import main

sys.exit(main())

"""``python -m tasks.kinds.literature.samples FOLDER`` writes the sample papers there."""

import sys
from pathlib import Path

from . import build

if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
    sys.exit("usage: python -m tasks.kinds.literature.samples FOLDER")
for sample in build(Path(sys.argv[1])):
    print(f"{sample.outcome:10} {sample.error_code:9} {sample.name}")

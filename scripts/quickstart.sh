#!/usr/bin/env bash
# From a fresh Debian 12 to the first result: installs what is missing, builds the program, reduces an array by all
# methods. Can be run again.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

get_dependencies build

say "Building (preset release)"
configure release -DCROSSLANE_BUILD_TESTS=OFF -DCROSSLANE_BUILD_EXAMPLES=OFF
build "$repository/build/release" crosslane

cd "$repository"
sample=build/sample.npy
say "Writing a sample: 2048 x 2048 float32 of a sine, $sample"
python3 - "$sample" <<'PYTHON'
import array, math, struct, sys

rows = columns = 2048
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
header = header.ljust(128 - 10 - 1) + "\n"  # 10 bytes before it; the data begins at a multiple of 64
period = array.array("f", (math.sin(2 * math.pi * i / columns) + 0.5 for i in range(columns)))
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("latin1"))
    file.write(period.tobytes() * rows)
PYTHON

program=build/release/bin/crosslane
say "crosslane reduce $sample --method all"
"$program" reduce "$sample" --method all

cat <<TEXT

Done. Next:
  $program devices --verify          what is here, and does it keep its promises?
  $program reduce YOUR.npy --op max  an array of yours, written by numpy.save
  scripts/test.sh                                       build and run every test
TEXT

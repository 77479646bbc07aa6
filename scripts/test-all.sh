#!/usr/bin/env bash
# The long run: every test with its longest sweeps, every test that needs no driver under sanitizers, and some fuzzing.
# Takes hours.
#   scripts/test-all.sh [seconds of fuzzing]     default: 600
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$repository/scripts/install-packages.sh" browser
CROSSLANE_LONG_TESTS=1 "$repository/scripts/test.sh" dev  # read by tests/support/sweep.hpp
for sanitizers in address,undefined thread; do
  "$repository/scripts/sanitize.sh" "$sanitizers"
done
"$repository/scripts/fuzz.sh" "${1:-600}"

#!/usr/bin/env bash
# The long run: every test with its longest sweeps, every test that needs no driver under sanitizers, Direct3D 12 by vkd3d,
# the build for Windows as far as linking, and some fuzzing.
# Takes hours.
#   scripts/test-all.sh [seconds of fuzzing]     default: 600
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$repository/scripts/install-packages.sh" browser
CROSSLANE_LONG_TESTS=1 "$repository/scripts/test.sh" dev  # read by tests/support/sweep.hpp
for sanitizers in address,undefined thread; do
  "$repository/scripts/sanitize.sh" "$sanitizers"
done
d3d12=0
CROSSLANE_LONG_TESTS=1 "$repository/scripts/test-d3d12.sh" || d3d12=$?
((d3d12 == 0 || d3d12 == 77)) || die "Direct3D 12 failed, see above"
"$repository/scripts/build-windows.sh"
"$repository/scripts/fuzz.sh" "${1:-600}"
((d3d12 == 0)) || say "All passed, but NOT TESTED: Direct3D 12, for the reason above"

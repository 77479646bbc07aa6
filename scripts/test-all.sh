#!/usr/bin/env bash
# The long run: every test with its longest sweeps, in every preset, sanitizers included. Takes hours.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$repository/scripts/install-packages.sh" browser
export CROSSLANE_LONG_TESTS=1  # read by tests/support/sweep.hpp
for preset in release dev asan ubsan tsan; do
  "$repository/scripts/test.sh" "$preset"
done

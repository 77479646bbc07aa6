#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test. Can be run again.
#   scripts/test.sh [preset [arguments of ctest]…]     default: dev
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset=${1:-dev}
get_dependencies build test

say "Building (preset $preset)"
configure "$preset" -DCROSSLANE_BUILD_TESTS=ON -DCROSSLANE_BUILD_EXAMPLES=ON
build "$repository/build/$preset"

say "Testing"
ctest --test-dir "$repository/build/$preset" --output-on-failure --parallel "$(nproc)" "${@:2}"

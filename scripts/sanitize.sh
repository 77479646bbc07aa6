#!/usr/bin/env bash
# Builds tests with sanitizers and runs those that need no driver and are not the sweeps on the machine.
#   scripts/sanitize.sh address,undefined [targets]…     default: every test
#   scripts/sanitize.sh thread [targets]…                default: the tests of what runs in parallel
# Kernels come from build/dev, where they are. What was not built has no tests; those of the installation and of SARIF need more than
# their own program.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

sanitizers=${1:?which sanitizers?}
targets=("${@:2}")
if [[ $sanitizers == thread && ${#targets[@]} -eq 0 ]]; then
  # One compiler may be used by several threads, the wave machine runs groups on all, and the checker its runs.
  targets=(compile_test machine_launch_test sanitize_test)
fi
get_dependencies build test

say "Sanitizers: $sanitizers"
folder=$repository/build/sanitize-${sanitizers//,/-}
kernels=()
if [[ -e $repository/build/dev/kernels ]]; then
  kernels=("-DCROSSLANE_KERNELS_FROM=$repository/build/dev")
fi
configure asan -B "$folder" "-DCROSSLANE_SANITIZE=$sanitizers" -DCROSSLANE_BUILD_TESTS=ON -DCROSSLANE_BUILD_EXAMPLES=OFF \
  "${kernels[@]}" "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1"
build "$folder" "${targets[@]}"
ctest --test-dir "$folder" --output-on-failure --parallel "$(nproc)" --no-tests=error \
  --label-exclude 'driver|machine|^long$' --exclude-regex '_NOT_BUILT$|^(install|sarif_schema_test)$'

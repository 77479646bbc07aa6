#!/usr/bin/env bash
# Builds the fuzzer of the loader and runs it on modules changed at random; needs Clang.
#   scripts/fuzz.sh [seconds [arguments of libFuzzer]…]     default: 3600
# What it learns stays in build/fuzz/corpus; what it finds lies in build/fuzz/found. A find, once mended, becomes a file
# of tests/cases/malformed/.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

get_dependencies build fuzz

folder=$repository/build/fuzz
say "Building"
cmake -S "$repository" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++ \
  -DCROSSLANE_BUILD_FUZZERS=ON -DCROSSLANE_BUILD_CLI=OFF -DCROSSLANE_BUILD_TESTS=OFF -DCROSSLANE_BUILD_EXAMPLES=OFF \
  -DCROSSLANE_WARNINGS_AS_ERRORS=OFF > /dev/null
build "$folder" fuzz-load crosslane-kernels

say "Fuzzing"
mkdir -p "$folder/corpus" "$folder/found"
"$folder/bin/fuzz-load" -max_total_time="${1:-3600}" -max_len=32768 -len_control=0 -timeout=60 -rss_limit_mb=2500 \
  -artifact_prefix="$folder/found/" "${@:2}" \
  "$folder/corpus" "$folder/kernels/crosslane-kernels" "$repository/tests/cases/malformed"

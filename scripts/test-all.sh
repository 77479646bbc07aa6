#!/usr/bin/env bash
# The long run: every test in every preset, sanitizers included. Takes an hour or more.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

for preset in release dev asan ubsan tsan; do
  "$repository/scripts/test.sh" "$preset"
done

#!/usr/bin/env bash
# Formats all tracked C++ files; with --check it changes nothing and fails where a file would change.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

arguments=(-i)
case ${1:-} in
  '') ;;
  --check) arguments=(--dry-run --Werror) ;;
  *) die "unknown argument '$1': use --check or nothing" ;;
esac
command -v clang-format > /dev/null || die "clang-format is missing: run scripts/install-packages.sh check"
cd "$repository"
git ls-files -z -- '*.cpp' '*.hpp' | xargs -0 --no-run-if-empty clang-format "${arguments[@]}"

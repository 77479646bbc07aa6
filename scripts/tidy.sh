#!/usr/bin/env bash
# Runs clang-tidy on what changed against origin/main (else against the commit before, else on everything).
#   scripts/tidy.sh [files]…
# Needs the build folder of the preset dev. Stops after CROSSLANE_TIDY_SECONDS (600) and says what it left out.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v clang-tidy > /dev/null || die "clang-tidy is missing: run scripts/install-packages.sh check"
cd "$repository"
database=build/dev/compile_commands.json
[[ -f $database ]] || die "$database is missing: run scripts/test.sh first"

changed_files() {
  local base
  if base=$(git merge-base HEAD origin/main 2> /dev/null) && [[ $base != "$(git rev-parse HEAD)" ]]; then :
  elif ! base=$(git rev-parse --quiet --verify HEAD~1); then
    git ls-files -- '*.cpp'
    return
  fi
  git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.hpp'
}

# A header is looked at through the sources that include it directly.
sources_of() {
  local file
  while read -r file; do
    if [[ $file == *.hpp ]]; then
      git grep --files-with-matches --fixed-strings "\"${file#@(src|include|tests)/}\"" -- '*.cpp' || true
    else
      echo "$file"
    fi
  done
}

shopt -s extglob
if (($#)); then
  files=$(printf '%s\n' "$@")
else
  files=$(changed_files)
fi
mapfile -t sources < <(sources_of <<< "$files" | sort --unique)
# Only what the build compiles has flags to be read with.
mapfile -t sources < <(for source in "${sources[@]}"; do
  if [[ -n $source ]] && grep --quiet --fixed-strings "\"file\": \"$repository/$source\"" "$database"; then
    echo "$source"
  fi
done)
if ((${#sources[@]} == 0)); then
  echo "Nothing to look at."
  exit 0
fi

echo "clang-tidy on ${#sources[@]} files"
deadline=$(($(date +%s) + ${CROSSLANE_TIDY_SECONDS:-600}))
left_out=$(mktemp)
trap 'rm -f "$left_out"' EXIT
# The arguments are expanded by the inner shell.
# shellcheck disable=SC2016
printf '%s\0' "${sources[@]}" | xargs -0 --max-args=1 --max-procs="$(nproc)" bash -c '
  if (($(date +%s) >= $1)); then
    echo "$3" >> "$2"
  elif ! output=$(clang-tidy --quiet -p build/dev "$3" 2>&1); then
    printf "%s\n" "$output"
    exit 1
  fi' bash "$deadline" "$left_out" || die "clang-tidy found something, see above"
if [[ -s $left_out ]]; then
  echo "Time is up. Not looked at, try scripts/tidy.sh FILE…:"
  cat "$left_out"
fi

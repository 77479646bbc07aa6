# Sourced by the other scripts: where the repository is, and steps that more than one of them takes.
# shellcheck shell=bash

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export CCACHE_DIR=${CCACHE_DIR:-$repository/.cache/ccache}

say() { printf '\n== %s\n' "$*"; }

die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# Packages and fetched tools that a build needs: get_dependencies <sets of install-packages.sh>…
get_dependencies() {
  say "Packages and tools"
  "$repository/scripts/install-packages.sh" "$@"
  "$repository/scripts/fetch-dxc.sh"
  "$repository/scripts/fetch-spirv-tools.sh"
  if [[ " $* " == *" test "* ]]; then
    "$repository/scripts/fetch-sarif-schema.sh"
  fi
}

# configure <preset> [further arguments of cmake]…
configure() {
  local arguments=()
  if command -v ccache > /dev/null; then
    arguments+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  cmake -S "$repository" --preset "$1" --log-level=WARNING "${arguments[@]}" "${@:2}" > /dev/null
}

# build <folder> [targets]…: quiet unless it fails.
build() {
  local log
  log=$(mktemp)
  if ! cmake --build "$1" ${2:+--target "${@:2}"} > "$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    die "the build in $1 failed, see above"
  fi
  rm -f "$log"
}

# configure_d3d12: build/d3d12, with Direct3D 12. What the preset dev has compiled for Vulkan, if it was built, is taken from there.
configure_d3d12() {
  local dev=$repository/build/dev kernels=()
  if grep --quiet '^CROSSLANE_BUILD_TESTS:BOOL=ON' "$dev/CMakeCache.txt" 2> /dev/null; then
    build "$dev" all-kernels
    kernels=("-DCROSSLANE_KERNELS_FROM=$dev")
  fi
  configure dev -B "$repository/build/d3d12" -DCROSSLANE_D3D12=ON -DCROSSLANE_BUILD_TESTS=ON -DCROSSLANE_BUILD_EXAMPLES=ON \
    "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O2 -DNDEBUG" "${kernels[@]}"
}

#!/usr/bin/env bash
# Runs Crosslane on Direct3D 12 without Windows: vkd3d over Mesa's software driver, both from Debian testing, whose files go
# into .cache/debian-testing (about a minute, once). The build is this system's own. Needs root, for chroot.
#   scripts/test-d3d12.sh            # everything, at waves of 4 and 8 lanes
#   scripts/test-d3d12.sh shell      # a shell there, for trying things
# CROSSLANE_DEBIAN_MIRROR: where Debian is fetched from; as /etc/apt says if not given.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repository"

((EUID == 0)) || die "run as root: the tests run in a folder with Debian testing, by chroot"
"$repository/scripts/install-packages.sh" d3d12

testing=$repository/.cache/debian-testing
packages=libvkd3d-utils1,libvkd3d1,mesa-vulkan-drivers,libvulkan1

mirror() {
  if [[ -n ${CROSSLANE_DEBIAN_MIRROR:-} ]]; then
    echo "$CROSSLANE_DEBIAN_MIRROR"
    return
  fi
  local found
  found=$(sed -n -E 's/^(URIs: *|deb +(\[[^]]*\] +)?)(https?:[^ ]*\/debian\/?)( .*)?$/\3/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null | head -n 1)
  echo "${found:-http://deb.debian.org/debian}"
}

# Whole or not at all: a folder that is there was finished.
fetch_testing() {
  [[ ! -f $testing/complete ]] || return 0
  say "Debian testing, with vkd3d and Mesa"
  rm -rf "$testing"
  mkdir -p "$testing.part" "$repository/.cache/debs"
  rm -rf "$testing.part"
  debootstrap --variant=minbase --cache-dir="$repository/.cache/debs" --include="$packages" testing "$testing.part" \
    "$(mirror)" > "$repository/.cache/debootstrap.log" 2>&1 \
    || die "debootstrap failed, see .cache/debootstrap.log; CROSSLANE_DEBIAN_MIRROR names another source"
  rm -rf "$testing.part"/var/cache/apt/archives/*.deb
  touch "$testing.part/complete"
  mv "$testing.part" "$testing"
}

programs=(crosslane example-reduce-d3d12 algorithms-test scan_test compaction_test fft_test hlsl_library_test run_cases_test
  device_test d3d12_test)

make_programs() {
  say "Building with Direct3D 12"
  local kernels=()
  if [[ -f build/dev/kernels/crosslane-kernels/table.cpp ]]; then
    kernels=("-DCROSSLANE_KERNELS_FROM=$repository/build/dev")
  fi
  configure dev -B build/d3d12 -DCROSSLANE_D3D12=ON -DCROSSLANE_BUILD_TESTS=ON -DCROSSLANE_BUILD_EXAMPLES=ON \
    "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O2 -DNDEBUG" "${kernels[@]}"
  build build/d3d12 "${programs[@]}"
  # This system's libraries that Debian testing has in other versions, or not; not those of the C library.
  rm -rf build/d3d12/borrowed
  mkdir -p build/d3d12/borrowed
  local program
  for program in "${programs[@]}"; do
    ldd "build/d3d12/bin/$program" | sed -n -E 's/.*=> (\/[^ ]*) .*/\1/p'
  done | sort -u | grep -E '/lib(fmt|tbb|yaml-cpp|hwy|fftw3l|gtest|gmock)[^/]*$' | xargs cp --target-directory=build/d3d12/borrowed
}

# Runs a command there, at waves of so many lanes: there <lanes> <command>… The repository lies at its own path.
there() {
  local lanes=$1
  shift
  # The mounts end with the command.
  # shellcheck disable=SC2016
  unshare --mount bash -c '
    set -e
    testing=$1 repository=$2
    shift 2
    mkdir -p "$testing$repository"
    mount --bind "$repository" "$testing$repository"
    mount --bind /dev "$testing/dev"
    mount -t proc proc "$testing/proc"
    exec chroot "$testing" /bin/sh -c "cd $repository && exec \"\$@\"" sh "$@"' \
    bash "$testing" "$repository" env \
    "LP_NATIVE_VECTOR_WIDTH=$((lanes * 32))" MESA_SHADER_CACHE_DISABLE=true VKD3D_DEBUG=none VKD3D_SHADER_DEBUG=none \
    "LD_LIBRARY_PATH=$repository/build/d3d12/borrowed" XDG_CACHE_HOME=/tmp/cache HOME=/root \
    CROSSLANE_TEST_DEVICE=d3d12:0 "CROSSLANE_EXPECTED_WAVE_SIZE=$lanes" "$@"
}

# What vkd3d 2.1 or this driver cannot do, by the names of the tests; docs/d3d12.md has the list with the reasons.
groupshared64='*/3.*:*/4.*:*/5.*:Float*/1.*:*double_*'      # groupshared memory of 64-bit elements
types16='*16*:*Six*:Structs/ReadLane.ReadsAllMembersOfTheLane/5' # shader model 6.2

# test_at <lanes> <program> <tests to leave out>
test_at() {
  there "$1" "build/d3d12/bin/$2" --gtest_brief=1 "--gtest_filter=-$3" > "build/d3d12/$2.$1.log" 2>&1 \
    || { tail -n 60 "build/d3d12/$2.$1.log" >&2; die "$2 failed at $1 lanes per wave on Direct3D 12"; }
  printf '   %s at %s lanes: %s; left out: %s\n' "$2" "$1" \
    "$(sed -n 's/^\[  PASSED  \] //p' "build/d3d12/$2.$1.log")" "${3:-nothing}"
}

# The promises that are broken here are known, and no others may be.
verify_at() {
  local log=build/d3d12/verify.$1.log broken
  there "$1" build/d3d12/bin/crosslane devices --verify > "$log" 2>&1 || true
  broken=$(awk '/^d3d12:0, /{here = 1; next} /^machine, /{here = 0} here && $3 == "BROKEN" {printf "%s ", $1}' "$log")
  grep --quiet '^d3d12:0, ' "$log" || { cat "$log" >&2; die "there is no device d3d12:0"; }
  [[ $broken == "early-return reconvergence " ]] \
    || die "devices --verify at $1 lanes: broken are '$broken', not 'early-return reconvergence '; see $log"
  printf '   devices --verify at %s lanes: all promises kept but %s\n' "$1" "$broken"
}

test_waves() {
  verify_at "$1"
  there "$1" build/d3d12/bin/example-reduce-d3d12 > "build/d3d12/example.$1.log" || die "example-reduce-d3d12 failed"
  printf '   example-reduce-d3d12 at %s lanes: %s\n' "$1" "$(cat "build/d3d12/example.$1.log")"
  test_at "$1" d3d12_test ''
  test_at "$1" run_cases_test "$cases"
  test_at "$1" algorithms-test "$groupshared64:Reduction.AutomaticFallsBackToGroupshared"  # of doubles
  test_at "$1" scan_test "$groupshared64"
  test_at "$1" compaction_test ''
  test_at "$1" fft_test '*/1.*'
  test_at "$1" hlsl_library_test "$types16:$groupshared64"
}
cases="*counter*:*texture*:*half_ulp*:*int16*:*wave_size_32*:CasesWithJobs.*"  # see docs/d3d12.md

fetch_testing
if [[ ${1:-} == shell ]]; then
  there 8 /bin/bash
  exit
fi
make_programs
say "Direct3D 12 at waves of 4 and 8 lanes"
test_waves 4 &
four=$!
test_waves 8 &
eight=$!
failed=0
wait "$four" || failed=4
wait "$eight" || failed=8
((failed == 0)) || die "waves of $failed lanes failed, see above"

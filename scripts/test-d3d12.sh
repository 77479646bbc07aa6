#!/usr/bin/env bash
# Runs Crosslane on Direct3D 12 without Windows: vkd3d over Mesa's software driver, both from Debian testing, whose files go
# into .cache/debian-testing (about a minute, once). The build is this system's own.
#   scripts/test-d3d12.sh            # at waves of 4 and 8 lanes; of what takes long every test at one of them
#   scripts/test-d3d12.sh shell      # a shell there, for trying things
# Needs root, for chroot, the right to make mount namespaces, and Debian's archive. Where these are not there nothing is tested:
# the exit code is 77, and the last line says why.
# CROSSLANE_DEBIAN_MIRROR: where Debian is fetched from; as /etc/apt says if not given. CROSSLANE_LONG_TESTS=1: every test at both, and
# longer sweeps.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repository"

testing=$repository/.cache/debian-testing
packages=libvkd3d-utils1,libvkd3d1,mesa-vulkan-drivers,libvulkan1
folder=build/d3d12

cannot_run() {
  echo "Direct3D 12 was not tested: $*"
  exit 77
}

((EUID == 0)) || cannot_run "this takes root, since the tests run in a folder with Debian testing, by chroot"
unshare --mount true 2> /dev/null || cannot_run "mount namespaces cannot be made here (docker: --cap-add SYS_ADMIN)"
scripts/install-packages.sh d3d12 || cannot_run "the packages that it takes cannot be installed, see above"

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
  rm -rf "$testing" "$testing.part"
  mkdir -p "$repository/.cache/debs"
  if ! debootstrap --variant=minbase --cache-dir="$repository/.cache/debs" --include="$packages" testing "$testing.part" \
    "$(mirror)" > "$repository/.cache/debootstrap.log" 2>&1; then
    tail -n 5 "$repository/.cache/debootstrap.log" >&2
    cannot_run "debootstrap cannot get Debian testing from $(mirror), see .cache/debootstrap.log (CROSSLANE_DEBIAN_MIRROR names another)"
  fi
  rm -rf "$testing.part"/var/cache/apt/archives/*.deb
  touch "$testing.part/complete"
  mv "$testing.part" "$testing"
}

programs=(crosslane example-reduce-d3d12 d3d12_test device_test algorithms-test scan_test compaction_test fft_test
  same_results_test hlsl_library_test run_cases_test d3d12_command_test)

make_programs() {
  say "Building with Direct3D 12"
  configure_d3d12
  build "$folder" "${programs[@]}"
  # This system's libraries that Debian testing has in other versions, or not; not those of the C library.
  rm -rf "$folder/borrowed"
  mkdir -p "$folder/borrowed"
  local program
  for program in "${programs[@]}"; do
    ldd "$folder/bin/$program" | sed -n -E 's/.*=> (\/[^ ]*) .*/\1/p'
  done | sort -u | grep -E '/lib(fmt|tbb|yaml-cpp|hwy|fftw3l|gtest|gmock|spng)[^/]*$' \
    | xargs cp --target-directory="$folder/borrowed"
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
    "LD_LIBRARY_PATH=$repository/$folder/borrowed" XDG_CACHE_HOME=/tmp/cache HOME=/root \
    CROSSLANE_TEST_DEVICE=d3d12:0 "CROSSLANE_EXPECTED_WAVE_SIZE=$lanes" "$@"
}

# What vkd3d 2.1 or this driver cannot do, by the names of the tests; docs/d3d12.md has the list.
declare -A reasons=(
  [groupshared64]="groupshared memory of 64-bit elements"
  [types16]="16-bit types: vkd3d has shader model 6.0"
  [resources]="textures and buffers with counters, which this back end does not bind"
  [wave_size]="[WaveSize]: vkd3d has shader model 6.0"
  [loops]="variables of a loop that take each other's values: vkd3d copies them one after another"
  [spirv]="shaders that are SPIR-V or GLSL alone"
)

# Of programs that take long, half of the tests run at 4 lanes and the others at 8; with CROSSLANE_LONG_TESTS all do at both.
# half_at <arguments of test_at>…
half_at() {
  if [[ -n ${CROSSLANE_LONG_TESTS:-} ]]; then
    test_at "$@"
  else
    GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=$(($1 / 4 - 1)) test_at "$@"
  fi
}

# test_at <lanes> <program> [<reason> <tests that it leaves out>]…
test_at() {
  local lanes=$1 program=$2 log=$folder/$2.$1.log left_out='' seconds=$SECONDS
  shift 2
  local notes=()
  while (($# > 0)); do
    local number
    number=$(there "$lanes" env --unset=GTEST_TOTAL_SHARDS --unset=GTEST_SHARD_INDEX "$folder/bin/$program" \
      --gtest_list_tests "--gtest_filter=$2" | grep -c '^  ') || true
    ((number > 0)) || { echo "$program has no tests $2, which were to be left out" >&2; return 1; }
    notes+=("$number tests ($2): ${reasons[$1]}")
    left_out+="${left_out:+:}$2"
    shift 2
  done
  if ! there "$lanes" "$folder/bin/$program" --gtest_brief=1 "--gtest_filter=-$left_out" > "$log" 2>&1; then
    tail -n 60 "$log" >&2
    echo "$program failed at $lanes lanes per wave on Direct3D 12, see $log" >&2
    return 1
  fi
  printf '   %s at %s lanes: %s%s passed, in %s s\n' "$program" "$lanes" "${GTEST_TOTAL_SHARDS:+every other one, }" \
    "$(sed -n -E 's/^\[  PASSED  \] ([0-9]+ tests?)\.$/\1/p' "$log")" $((SECONDS - seconds))
  ((${#notes[@]} == 0)) || printf '      left out %s\n' "${notes[@]}"
  sed -n '/: Skipped$/{n; s/^/      skipped itself: /p}' "$log"
}

# The promises that are broken here are known, and no others may be.
verify_at() {
  local log=$folder/verify.$1.log broken known="early-return reconvergence "
  there "$1" "$folder/bin/crosslane" devices --verify > "$log" 2>&1 || true
  grep --quiet '^d3d12:0, ' "$log" || { cat "$log" >&2; echo "there is no device d3d12:0" >&2; return 1; }
  broken=$(awk '/^d3d12:0, /{here = 1; next} /^machine, /{here = 0} here && $3 == "BROKEN" {printf "%s ", $1}' "$log")
  if [[ $broken != "$known" ]]; then
    echo "devices --verify at $1 lanes: broken are '$broken', not '$known'; see $log" >&2
    return 1
  fi
  printf '   devices --verify at %s lanes: all promises kept but %s\n' "$1" "$broken"
}

example_at() {
  there "$1" "$folder/bin/example-reduce-d3d12" > "$folder/example.$1.log" 2>&1 \
    || { cat "$folder/example.$1.log" >&2; echo "example-reduce-d3d12 failed" >&2; return 1; }
  printf '   example-reduce-d3d12 at %s lanes: %s\n' "$1" "$(cat "$folder/example.$1.log")"
}

# Everything at waves of so many lanes; ends with the first that fails.
test_waves() {
  set -e
  verify_at "$1"
  example_at "$1"
  test_at "$1" d3d12_test
  test_at "$1" device_test spirv "$spirv_alone"
  test_at "$1" same_results_test loops '*blur*'
  test_at "$1" run_cases_test resources '*counter*:*texture*' types16 '*half_ulp*:*int16*' wave_size '*wave_size_32*' \
    spirv 'CasesWithJobs.*'
  half_at "$1" algorithms-test groupshared64 "$groupshared64:Reduction.AutomaticFallsBackToGroupshared"
  half_at "$1" scan_test groupshared64 "$groupshared64"
  half_at "$1" compaction_test
  half_at "$1" fft_test groupshared64 '*/1.*'
  half_at "$1" hlsl_library_test types16 "$types16" groupshared64 "$groupshared64"
  test_at "$1" d3d12_command_test loops '*Blur*'
  printf '   blur_test at %s lanes: left out as a whole: %s\n' "$1" "${reasons[loops]}"
}
groupshared64='*/3.*:*/4.*:*/5.*:Float*/1.*:*double_*'
types16='*16*:*Six*:Structs/ReadLane.ReadsAllMembersOfTheLane/5'
spirv_alone='CommandList.ListsThatFollow*:Bindings.*:Dispatch.*:Pipeline.*:Instance.*:Gather.*'

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
failed=''
wait "$four" || failed+=' 4'
wait "$eight" || failed+=' 8'
[[ -z $failed ]] || die "waves of$failed lanes failed, see above"

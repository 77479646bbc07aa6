#!/usr/bin/env bash
# Installs the Debian packages that Crosslane needs and that are missing.
#   scripts/install-packages.sh [build] [test] [check] [browser] [d3d12] [windows] [fuzz]     default: build
# build: to build and run the program; test: to build and run the tests; check: formatting and static analysis;
# browser: to test reports in a browser; d3d12: Direct3D 12 by vkd3d; windows: to build for Windows; fuzz: to fuzz.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

d3d12_packages=(debootstrap directx-headers-dev)
windows_packages=(directx-headers-dev g++-mingw-w64-x86-64-posix)
build_packages=(
  ca-certificates g++ ccache cmake ninja-build python3-pip
  glslang-dev libcli11-dev libexpected-dev libfmt-dev libhwy-dev libspng-dev libtbb-dev libvulkan-dev libyaml-cpp-dev nlohmann-json3-dev
  mesa-vulkan-drivers
)
test_packages=(libfftw3-dev libgmock-dev libgtest-dev libxml2-dev make python3-jsonschema vulkan-validationlayers)
check_packages=(clang-format clang-tidy git)
fuzz_packages=(clang libclang-rt-14-dev)
browser_packages=(chromium fonts-dejavu-core)

wanted=()
for set in "${@:-build}"; do
  case $set in
    build) wanted+=("${build_packages[@]}") ;;
    test) wanted+=("${test_packages[@]}") ;;
    check) wanted+=("${check_packages[@]}") ;;
    browser) wanted+=("${browser_packages[@]}") ;;
    d3d12) wanted+=("${d3d12_packages[@]}") ;;
    windows) wanted+=("${windows_packages[@]}") ;;
    fuzz) wanted+=("${fuzz_packages[@]}") ;;
    *) die "unknown set of packages '$set': use build, test, check, browser, d3d12, windows or fuzz" ;;
  esac
done

if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
  printf '%s\n' "This is no Debian-like system: install what these Debian packages hold by your own means:" \
    "  ${wanted[*]}" "Continuing as if they were there." >&2
  exit 0
fi

missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2> /dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  echo "All ${#wanted[@]} packages are installed."
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  command -v sudo > /dev/null || die "run as root, or install sudo, to get the packages ${missing[*]}"
  as_root=(sudo)
fi
echo "Installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --option Acquire::Retries=3 "$@" > "$log" 2>&1 \
    || { tail -n 30 "$log" >&2; die "apt-get $1 failed, see above"; }
}
apt update
apt install --yes --no-install-recommends "${missing[@]}"

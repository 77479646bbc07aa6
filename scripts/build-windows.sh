#!/usr/bin/env bash
# Builds the library with Direct3D 12 and examples/reduce-d3d12 for Windows, with MinGW-w64, as far as linking.
# scripts/build-windows.sh [KERNELS]: KERNELS is a build folder with CROSSLANE_D3D12=ON, whose kernels are taken;
# build/d3d12 if not given, where they are made if need be.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repository"
scripts/install-packages.sh windows
if [[ -z ${1:-} ]]; then
  configure_d3d12
  build build/d3d12 crosslane-kernels
fi
kernels=$(realpath "${1:-build/d3d12}")

# Headers without code, linked into a folder of their own: /usr/include as a whole is Linux's.
headers=build/windows-headers
mkdir -p "$headers"
for folder in fmt tl directx dxguids; do
  ln -sfn "/usr/include/$folder" "$headers/$folder"
done

say "Building for Windows, with MinGW-w64"
cmake -S . -B build/windows -G Ninja --log-level=WARNING -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER_LAUNCHER=ccache \
  -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/toolchains/mingw-w64.cmake" -DCROSSLANE_HEADERS="$PWD/$headers" \
  -DD3D12_INCLUDE_DIR="$PWD/$headers" -DCROSSLANE_D3D12=ON -DCROSSLANE_KERNELS_FROM="$kernels" \
  -DCROSSLANE_BUILD_CLI=OFF -DCROSSLANE_BUILD_TESTS=OFF -DCMAKE_EXE_LINKER_FLAGS=-static > /dev/null
build build/windows
ls -l build/windows/bin/example-reduce-d3d12.exe

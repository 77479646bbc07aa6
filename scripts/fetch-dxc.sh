#!/usr/bin/env bash
# Fetches the pinned DirectX Shader Compiler: library and headers.
#   scripts/fetch-dxc.sh [folder]     default: .deps/dxc
# Can be run again: does nothing where the folder holds it already.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/fetch-common.sh"

package=compushady-lrtu==0.18.0
hash=b76371972f2543a1e83034a86c83cfad678dabf66be0b50b7d78edbcb1c98243
what="DirectX Shader Compiler 1.8.0.4597 of $package, sha256 $hash"

choose_folder "$what" "The DirectX Shader Compiler is" "$repository/.deps/dxc" "${1:-}"

wheel=$(get_wheel "$package" "$hash")
unpack "$wheel"

result=$unpacked/result
mkdir -p "$result/include" "$result/lib" "$result/share/licenses"
# The wheel's own licence is that of its Python module, of which nothing is kept.
cp "$repository/licenses/DirectXShaderCompiler.txt" "$result/share/licenses/"
mv "$unpacked/wheel/compushady/backends/dxcapi.h" "$unpacked/wheel/compushady/backends/WinAdapter.h" "$result/include/"
mv "$unpacked/wheel/compushady/backends/libdxcompiler_x86_64.so" "$result/lib/libdxcompiler.so"
finish "$result" "$folder" "$what"
echo "The DirectX Shader Compiler is in $folder."

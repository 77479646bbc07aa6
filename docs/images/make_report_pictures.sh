#!/usr/bin/env bash
# Makes report-light.png and report-dark.png, the beginning of a report as Chromium shows it:
#   docs/images/make_report_pictures.sh docs/reports/nvidia-h200.html
set -euo pipefail
page=$(realpath "${1:?name a page that crosslane report wrote}")
folder=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
profile=$(mktemp --directory)
trap 'rm -rf "$profile"' EXIT

# picture <name> <number of the scheme in Chromium's settings>
picture() {
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$profile" --window-size=1000,930 \
    --blink-settings=preferredColorScheme="$2" --screenshot="$folder/$1.png" "file://$page"
}
picture report-dark 0
picture report-light 1

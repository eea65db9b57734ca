#!/usr/bin/env bash
# Measures for the GitHub Action (action.yml): writes the reports and the job's summary, and puts the exit code into the
# step's outputs instead of failing, so that the reports are kept first.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

name_of() { # format
  case "$1" in
    html) echo coverage.html ;;
    json) echo coverage.json ;;
    text) echo coverage.txt ;;
    markdown) echo coverage.md ;;
    lcov) echo coverage.info ;;
    cobertura) echo coverage.cobertura.xml ;;
    sarif) echo coverage.sarif ;;
    junit) echo coverage.junit.xml ;;
    badge) echo coverage.svg ;;
    overlay) echo coverage.overlay.yaml ;;
    hits) echo coverage.hits ;;
    *) echo "coverage.$1" ;; # covtool rejects the format
  esac
}

temporary="${RUNNER_TEMP:-/tmp}/covtool/$COVTOOL_KEY"
comment="$temporary/comment.md"
sarif="$temporary/annotations.sarif"
rm -rf "$temporary"
mkdir -p "$temporary"

# Runs in the root of the repository, so that the paths in reports are relative to it.
below() { # path: below the working directory, unless it is absolute, a URL or standard input
  case "$1" in
    "" | - | /* | *://*) echo "$1" ;;
    *) echo "${COVTOOL_WORKING_DIRECTORY:+${COVTOOL_WORKING_DIRECTORY%/}/}$1" ;;
  esac
}
config="$(below "$COVTOOL_CONFIG")"
if [ -z "$config" ] && [ -n "$COVTOOL_WORKING_DIRECTORY" ]; then
  for name in covtool.yaml covtool.yml covtool.json; do
    if [ -f "$(below "$name")" ]; then
      config="$(below "$name")"
      break
    fi
  done
fi
folder="$(below "$COVTOOL_FOLDER")"
mkdir -p "$folder"
arguments=("--format=markdown=$comment")

if [ "$COVTOOL_ANNOTATIONS" = true ]; then arguments+=("--format=sarif=$sarif"); fi

option() { # name, value: added unless it is empty
  if [ -n "$2" ]; then arguments+=("$1=$2"); fi
}
option --config "$config"
option --base-path "$COVTOOL_BASE_PATH"
option --allow-refs-outside "$(below "$COVTOOL_ALLOW_REFS_OUTSIDE")"
while IFS= read -r overlay; do
  option --overlay "$(below "$overlay")"
done <<< "${COVTOOL_OVERLAY:-}"
option --title "$COVTOOL_TITLE"
option --fail-under "$COVTOOL_FAIL_UNDER"
option --fail-under-operations "$COVTOOL_FAIL_UNDER_OPERATIONS"
option --fail-under-parameters "$COVTOOL_FAIL_UNDER_PARAMETERS"
option --fail-under-keywords "$COVTOOL_FAIL_UNDER_KEYWORDS"
option --fail-under-examples "$COVTOOL_FAIL_UNDER_EXAMPLES"
option --fail-under-responses "$COVTOOL_FAIL_UNDER_RESPONSES"
option --fail-under-keywords-full "$COVTOOL_FAIL_UNDER_KEYWORDS_FULL"
option --fail-under-succeeded "$COVTOOL_FAIL_UNDER_SUCCEEDED"
option --fail-under-enforcement "$COVTOOL_FAIL_UNDER_ENFORCEMENT"
option --fail-under-response-keywords "$COVTOOL_FAIL_UNDER_RESPONSE_KEYWORDS"
option --fail-under-values "$COVTOOL_FAIL_UNDER_VALUES"
option --fail-under-noticed "$COVTOOL_FAIL_UNDER_NOTICED"
option --fail-under-access "$COVTOOL_FAIL_UNDER_ACCESS"
option --min-tcl "$COVTOOL_MIN_TCL"
baseline="${COVTOOL_BASELINE:-$COVTOOL_BASE_REPORT}"
next=""
if [ "$baseline" = cache ]; then
  baseline="$COVTOOL_KEPT_BASELINE"
  next="$(dirname "$baseline")/next.json"
  rm -f "$next"
  arguments+=("--format=json=$next")
else
  baseline="$(below "$baseline")"
fi
for format in ${COVTOOL_FORMATS//,/ }; do
  arguments+=("--format=$format=$folder/$(name_of "$format")")
done

# The user's values follow --, so that none of them is read as an option.
arguments+=(--)
if [ -n "$COVTOOL_DESCRIPTION" ]; then arguments+=("$(below "$COVTOOL_DESCRIPTION")"); fi
while IFS= read -r path; do
  path="${path%$'\r'}"
  if [ -n "${path// /}" ]; then arguments+=("$(below "$path")"); fi
done <<< "$COVTOOL_TRAFFIC"

# The npm package in the action's own version: a few megabytes, without development dependencies.
# COVTOOL_PACKAGE names another package, such as the one that covtool's own workflows are about to publish.
version="$(sed -n 's/^  "version": "\([^"]*\)".*/\1/p' "$here/deno.json")"
package="${COVTOOL_PACKAGE:-covtool@$version}"

measure() { # whether there is a baseline; puts the exit code into $code
  local comparing=()
  if [ "$1" = true ]; then comparing+=("--baseline=$baseline"); fi
  for condition in ${COVTOOL_FAIL_ON//,/ }; do
    case "$1 $condition" in
      "false new-gaps" | "false new-findings" | "false uncovered-additions" | "false decrease" | "false decrease="*)
        echo "::notice title=API coverage::There is no baseline yet, so $condition is not checked." ;;
      *) comparing+=("--fail-on=$condition") ;;
    esac
  done
  code=0
  npx -y --package "$package" -- covtool report ${comparing[@]+"${comparing[@]}"} "${arguments[@]}" || code=$?
}

# The very first run has no baseline to compare with.
if [ -f "$baseline" ]; then
  measure true
  # A kept report of another version of covtool must not stop the run that replaces it.
  if [ -n "$next" ] && [ "$code" != 0 ] && [ ! -f "$comment" ]; then
    echo "::warning title=API coverage::Measuring with the kept baseline failed, so it is left out."
    measure false
  fi
else
  measure false
fi
if [ -n "$next" ] && [ -f "$next" ]; then mv -f "$next" "$baseline"; fi
if [ -f "$sarif" ]; then node "$here/action/annotate.mjs" "$sarif"; fi

echo "code=$code" >> "$GITHUB_OUTPUT"
if [ -f "$comment" ]; then
  cat "$comment" >> "$GITHUB_STEP_SUMMARY"
  {
    echo "comment=$comment"
    echo "folder=$folder"
  } >> "$GITHUB_OUTPUT"
fi

#!/usr/bin/env bash
# Chooses the key of this use of the GitHub Action (action.yml). If a workflow uses the action several times, each
# use has its own baseline, reports, artifact and comment by its key.
set -euo pipefail

key="$COVTOOL_KEY"
if [ -z "$key" ]; then
  folder="${COVTOOL_WORKING_DIRECTORY%/}"
  key="${GITHUB_JOB:-job}-${folder:+$folder-}${COVTOOL_DESCRIPTION:-${COVTOOL_CONFIG:-covtool}}"
fi
key="${key//[^A-Za-z0-9._-]/-}"

# GitHub empties this folder before each job.
used="${RUNNER_TEMP:-/tmp}/covtool-keys"
mkdir -p "$used"
if [ -e "$used/$key" ]; then
  echo "::error title=API coverage::Two uses of the action in this job have the key $key, so they would share a baseline. Give each a key of its own."
  exit 1
fi
touch "$used/$key"

{
  echo "key=$key"
  echo "baseline=.covtool-baseline/$key/coverage.json"
  echo "artifact=${COVTOOL_ARTIFACT//\{key\}/$key}"
  echo "folder=${COVTOOL_FOLDER//\{key\}/$key}"
} >> "$GITHUB_OUTPUT"

#!/usr/bin/env bash
# Comments on a pull request for the GitHub Action (action.yml), or replaces the comment of an earlier run.
set -euo pipefail
key="${COVTOOL_COMMENT_KEY//[^A-Za-z0-9 ._-]/}"
marker="<!-- covtool report${key:+: $key} -->"
# Replaces the report's first line, which is a marker without the key.
body="$COVTOOL_COMMENT.body"
{ echo "$marker"; tail -n +2 "$COVTOOL_COMMENT"; } > "$body"
comments="repos/$COVTOOL_REPOSITORY/issues/$COVTOOL_PULL_REQUEST/comments"

send() {
  local ids id
  # Only replace comments of bots.
  ids=$(gh api --paginate "$comments?per_page=100" \
    --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$marker\"))) | .id") || return 1
  id="${ids%%$'\n'*}"
  if [ -n "$id" ]; then
    gh api --silent --method PATCH "repos/$COVTOOL_REPOSITORY/issues/comments/$id" \
      -F "body=@$body"
  else
    gh api --silent --method POST "$comments" -F "body=@$body"
  fi
}

# Pull requests from forks have a read-only token; the job's summary has the report too.
send || echo "::warning::Can't comment on the pull request. Give the job the permission pull-requests: write."

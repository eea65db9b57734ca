#!/usr/bin/env bash
# Comments on a pull request for the GitHub Action (action.yml), or replaces the comment of an earlier run.
set -euo pipefail
key="${COVTOOL_COMMENT_KEY//[^A-Za-z0-9 ._-]/}"
marker="<!-- covtool report${key:+: $key} -->"
# The report begins with the marker that it has where there is but one.
body="$COVTOOL_COMMENT.body"
{ echo "$marker"; tail -n +2 "$COVTOOL_COMMENT"; } > "$body"
comments="repos/$COVTOOL_REPOSITORY/issues/$COVTOOL_PULL_REQUEST/comments"

send() {
  local ids id
  # Only a bot's own comments can be replaced, and nobody else's should.
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

# Pull requests from forks have a token that may only read: the summary of the job has it all.
send || echo "::warning::The pull request gets no comment: the job needs the permission pull-requests: write."

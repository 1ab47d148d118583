#!/bin/sh
# aider as the command that does a step:
#
#	git agent step -- sh contrib/agents/aider/step.sh
#
# aider has no hooks, so the brief comes in front of the message and as a file
# to read. It does not commit: the certificate holds the work.
set -eu
exec "${AIDER:-aider}" --yes --no-auto-commits --no-gitignore --read "$GIT_AGENT_BRIEF" --message-file "$GIT_AGENT_BRIEF" "$@"

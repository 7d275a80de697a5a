#!/bin/sh
# Process 1 of the image. Starts the program, passes signals on, ends as it ends, and reaps what dead children of others left
# behind: Node waits for its own children only.
"$@" &
program=$!
trap 'kill -TERM "$program" 2>/dev/null' TERM
trap 'kill -INT "$program" 2>/dev/null' INT
while :; do
  wait "$program"
  status=$?
  # A signal ends the wait, too, while the program lives on.
  kill -0 "$program" 2>/dev/null || exit "$status"
done

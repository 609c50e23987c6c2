#!/bin/sh
# Stands before a program of its own name: records its answers, or plays those that were recorded.
#
# CALLS_SCRIPT is what the calling shell reads, CALLS_MODE says record or play, CALLS_PATH is where the program
# itself lies. Beside the script lie the answers, by program, words, input and how often that was asked so far.
# A call that was never recorded ends with 99.
name=${0##*/}
calls=${CALLS_SCRIPT%/*}
input=$calls/input.$$

# Only what is read is part of the call; the shell's own script is nobody else's to read.
reads=no
case "$name $*" in python3\ *|*\ @-) [ /dev/stdin -ef "$CALLS_SCRIPT" ] || reads=yes ;; esac
if [ $reads = yes ]; then cat > "$input"; else : > "$input"; fi

# Some systems have the one program for it, some the other.
digest() { if command -v sha256sum > /dev/null; then sha256sum; else shasum -a 256; fi; }
key=$({ printf '%s\0' "$name" "$@"; cat "$input"; } | digest)
key=${key%% *}
times=1
while ! mkdir "$CALLS_SCRIPT.$key.$times" 2> /dev/null; do times=$((times + 1)); done
answer=$calls/answer.$key.$times

if [ "$CALLS_MODE" = record ]; then
  { PATH=$CALLS_PATH "$name" "$@" < "$input"; echo $? > "$answer.status"; } | tee "$answer"
else
  [ -f "$answer.status" ] || { echo "$name was not called so before: $*" >&2; exit 99; }
  cat "$answer"
fi
rm -f "$input"
read -r status < "$answer.status" && exit "$status"

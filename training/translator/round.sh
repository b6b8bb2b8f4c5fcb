#!/usr/bin/env bash
# One round of training, in steps that can be called one after another on a machine with a GPU.
#   round.sh all    DATA WORK SECONDS [options of train.py]   everything, from text to int8 weights
#   round.sh begin  DATA WORK SECONDS [options of train.py]   prepares the languages in DATA, trains in the background, returns
#   round.sh add    DATA WORK                                 prepares more languages; the trainer takes them in as they appear
#   round.sh wait   WORK SECONDS                              returns when training is done, or after SECONDS; shows the log's end
#   round.sh pieces WORK PACK OUT                             copies a pack, its weights cut into pieces of 15 MiB
#   round.sh join   OUT PACK                                  the reverse of `pieces`
# TRANSLATOR_LICENSED=1 trains on sources with a stated licence only (sources.py).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
verb=${1:?verb}
shift
prepare() {
  mkdir -p "$2"
  # The vocabulary that is there was counted on all sources; without some of them it is counted anew.
  [ -f "$2/tokenizer.json" ] || { [ "${TRANSLATOR_LICENSED:-}" != 1 ] && cp "$here/../../models/translator/tokenizer.json" "$2/" 2>/dev/null; } || python3 "$here/tokenizer.py" "$1" "$2/tokenizer.json"
  nice -n 5 python3 "$here/prepare.py" "$1" "$2"
}
waiting() {
  local end=$(($(date +%s) + $2))
  while [ "$(date +%s)" -lt "$end" ] && ! grep -q 'done:' "$1/train.log" && kill -0 "$(cat "$1/pid")" 2>/dev/null; do sleep 1; done
  tail -n 4 "$1/train.log"
}
case $verb in
  all | begin)
    data=$1 work=$2 seconds=$3
    shift 3
    prepare "$data" "$work"
    echo "$seconds" > "$work/seconds"
    PYTHONUNBUFFERED=1 setsid nohup python3 "$here/train.py" "$work" --seconds "$seconds" "$@" > "$work/train.log" 2>&1 < /dev/null &
    echo $! > "$work/pid"
    if [ "$verb" = all ]; then waiting "$work" 1000000; else sleep 8 && tail -n 3 "$work/train.log"; fi
    ;;
  add) prepare "$1" "$2" ;;
  wait) waiting "$1" "$2" ;;
  pieces)
    mkdir -p "$3"
    cp "$1/$2/weights.json" "$3/$2.json"
    split -b 15M -d "$1/$2/weights.bin" "$3/$2."
    sha256sum "$1/$2/weights.bin" | cut -c 1-64
    ;;
  join)
    name=$(basename "$2")
    mkdir -p "$2"
    cp "$1/$name.json" "$2/weights.json"
    cat "$1/$name".[0-9]* > "$2/weights.bin"
    sha256sum "$2/weights.bin" | cut -c 1-64
    ;;
  *) echo "unknown verb $verb" >&2 && exit 2 ;;
esac

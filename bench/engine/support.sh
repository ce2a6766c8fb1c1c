# What the benchmarks of engines share: a folder that is removed and servers that are stopped at the end, however it comes;
# times, and the best of several.
#
# Servers listen on the loopback alone, at ports that are free, with their data in that folder.
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
folder=$(mktemp -d)
servers=()

# Runs a program in the background that is ended with this script, be it killed. Nothing of it is worth saving.
serve() {
    setpriv --pdeathsig KILL "$@" > "$folder/server" 2>&1 &
    servers+=($!)
}

finish() {
    local status=$?
    trap - EXIT INT TERM HUP
    local server
    for server in "${servers[@]}"; do
        kill -QUIT "$server" 2> /dev/null || true
    done
    for server in "${servers[@]}"; do
        for _ in $(seq 50); do
            kill -0 "$server" 2> /dev/null || break
            sleep 0.1
        done
        kill -KILL "$server" 2> /dev/null || true
        wait "$server" 2> /dev/null || true
    done
    rm -rf "$folder"
    exit $status
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Ends a benchmark for which something is not here.
skip() {
    echo "skipped $*"
    exit 0
}

# Can this build use an engine? A place whose server is not there says so.
has() { ! "$build/paravent" front "$plan" --data "$1://127.0.0.1:1/x?table=x" 2>&1 | grep -q "this build cannot use"; }

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# wait_until SECONDS COMMAND...
wait_until() {
    local n=$(($1 * 10))
    shift
    until "$@" > /dev/null 2>&1; do
        n=$((n - 1))
        if [ $n -eq 0 ]; then
            echo "no answer: $*" >&2
            return 1
        fi
        sleep 0.1
    done
}

better() { awk -v a="$1" -v b="$2" 'BEGIN { print (a == "" || b + 0 < a + 0) ? b : a }'; }
worse() { awk -v a="$1" -v b="$2" 'BEGIN { print (b + 0 > a + 0) ? b : a }'; }

# timed NAME COMMAND...: the seconds it took, in NAME if they are the fewest yet, and its peak in MB in NAME_peak if it is the
# largest.
timed() {
    local name=$1 out
    local peak=${1}_peak
    shift
    if ! out=$("$build/bench/bench_spent" "$@" 2> "$folder/errors"); then
        cat "$folder/errors" >&2
        return 1
    fi
    out=$(awk '$1 == "seconds" { seconds = $2 } $1 == "peak" { peak = $2 } END { print seconds, peak }' <<< "$out")
    printf -v "$name" %s "$(better "${!name:-}" "${out% *}")"
    printf -v "$peak" %s "$(worse "${!peak:-0}" "${out#* }")"
}

# say NAME...: one line for each, as bench/run reads them.
say() {
    local name
    for name in "$@"; do
        echo "$name ${!name}"
    done
}

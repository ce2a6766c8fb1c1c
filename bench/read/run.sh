#!/bin/sh
# How fast is the reader? A file of ten million rows in the shape of Adult is read and encoded with
# two threads; `wc -l` on the same file is the yardstick. Best of five whole processes, taken in
# turn.
#
#     run.sh BUILD_DIR DATA_DIR [ROWS]
#
# The file is generated if it is not there (about 82 bytes per row) and stays there.
set -eu

if [ $# -lt 2 ]; then
    echo "usage: run.sh BUILD_DIR DATA_DIR [ROWS]" >&2
    exit 2
fi
build=$1 data=$2 rows=${3:-10000000}
file=$data/adult-shaped-$rows.csv
runs=5 threads=2 most_times=5 most_megabytes=300

mkdir -p "$data"
if [ ! -f "$file" ]; then
    "$build/bench/bench_generate" "$rows" 1 "$file.part"
    mv "$file.part" "$file"
fi

now() { date +%s.%N; }

cat "$file" >/dev/null # into the page cache
results=$(
    for run in $(seq $runs); do
        start=$(now)
        wc -l "$file" >/dev/null
        end=$(now)
        echo "wc $start $end"
        start=$(now)
        report=$("$build/bench/bench_read" "$file" $threads)
        end=$(now)
        echo "read $start $end $report"
    done
)
echo "$results" | awk -v most_times=$most_times -v most_megabytes=$most_megabytes -v rows="$rows" '
    { t = $3 - $2 }
    $1 == "wc" && (!wc || t < wc) { wc = t }
    $1 == "read" && (!read || t < read) { read = t }
    $1 == "read" && $5 > peak { peak = $5 }
    function verdict(good) { return good ? "PASS" : "FAIL" }
    END {
        ratio = read / wc
        printf "%-34s %10s\n", "rows", rows
        printf "%-34s %10.3f s\n", "wc -l", wc
        printf "%-34s %10.3f s\n", "read and encode, 2 threads", read
        printf "%-34s %10.2f    %s (at most %g)\n", "times wc -l", ratio, verdict(ratio <= most_times), most_times
        printf "%-34s %10.1f MB %s (at most %g)\n", "peak memory", peak, verdict(peak <= most_megabytes), most_megabytes
        exit !(ratio <= most_times && peak <= most_megabytes)
    }'

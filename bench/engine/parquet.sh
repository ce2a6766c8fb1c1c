#!/usr/bin/env bash
# Ten million rows in a Parquet file, and ten such files in a folder: their front, against that of the same ten million rows as
# delimited text, read by this process. One line per figure.
#
#     parquet.sh BUILD_DIR PLAN FILE
#
# The Parquet files are made beside FILE, by DuckDB, if they are not there.
set -euo pipefail
. "$(dirname "$0")/support.sh"
build=$(realpath "$1") plan=$(realpath "$2") file=$(realpath "$3")

PARAVENT_DUCKDB=$("$here/../../tests/duckdb/library") || skip "$PARAVENT_DUCKDB"
export PARAVENT_DUCKDB
parquet=${file%.csv}.parquet many=${file%.csv}-times-10
if [ ! -f "$parquet" ]; then
    PARAVENT_DUCKDB_MEMORY=2GB "$build/bench/bench_sql" "duckdb:?query=SELECT 1" \
        "COPY (SELECT * FROM read_csv('$file', delim=';', header=true)) TO '$parquet.part' (FORMAT parquet)"
    mv "$parquet.part" "$parquet"
fi
if [ ! -d "$many" ]; then
    mkdir "$many.part"
    for i in 0 1 2 3 4 5 6 7 8 9; do
        cp "$parquet" "$many.part/$i.parquet"
    done
    mv "$many.part" "$many"
fi
cat "$file" "$parquet" "$many"/* > /dev/null
for _ in 1 2 3; do
    timed text_s "$build/paravent" front "$plan" --data "$file" --threads 2 --json
    timed parquet_s "$build/paravent" front "$plan" --data "$parquet" --threads 2 --json
done
timed many_s "$build/paravent" front "$plan" --data "$many/*.parquet" --threads 2 --json
say text_s text_s_peak parquet_s parquet_s_peak many_s many_s_peak

#!/usr/bin/env bash
# A table of ten million rows in PostgreSQL: its front against the GROUP BY alone, a release of it into a table against CREATE
# TABLE AS SELECT of the same columns; and what travels, of a tenth of the rows, too. One line per figure.
#
#     postgresql.sh BUILD_DIR PLAN FILE SMALL_FILE
#
# Both sides of a ratio run on the same server with the same settings, in turn, after the table was read once; the best of
# three. The server's settings are its own but for memory.
set -euo pipefail
. "$(dirname "$0")/support.sh"
build=$(realpath "$1") plan=$(realpath "$2") file=$(realpath "$3") small=$(realpath "$4")

programs=$(find /usr/lib/postgresql/*/bin -maxdepth 0 2> /dev/null | sort -V | tail -n 1)
[ -n "$programs" ] && [ -x "$programs/initdb" ] && command -v psql > /dev/null || skip "PostgreSQL is not installed"
has postgresql || skip "this build cannot use tables in PostgreSQL"
as=()
chmod 711 "$folder"
mkdir "$folder/data"
if [ "$(id -u)" = 0 ]; then # the server refuses to run as root
    id postgres > /dev/null 2>&1 || skip "there is no user postgres to run the server"
    chown postgres "$folder/data"
    as=(--reuid=postgres --regid="$(id -g postgres)" --clear-groups)
fi
port=$(free_port)
(cd / && setpriv "${as[@]}" "$programs/initdb" -D "$folder/data" -N --no-locale -E UTF8 -A trust -U bench > /dev/null)
serve "${as[@]}" "$programs/postgres" -D "$folder/data" -p "$port" -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories= -c shared_buffers=2GB -c work_mem=256MB -c max_wal_size=16GB
export PGHOST=127.0.0.1 PGPORT=$port PGUSER=bench PGDATABASE=postgres PGOPTIONS="-c client_min_messages=error"
wait_until 30 psql -c "SELECT 1"
url=postgresql://bench@127.0.0.1:$port/postgres

columns='sex, age, race, "marital-status", education, "native-country", workclass, occupation, "salary-class"'
fill() {
    psql -q -v ON_ERROR_STOP=1 -c "CREATE TABLE $1 (sex TEXT, age INTEGER, race TEXT, \"marital-status\" TEXT, education TEXT,
        \"native-country\" TEXT, workclass TEXT, occupation TEXT, \"salary-class\" TEXT)" \
        -c "\\copy $1 FROM '$2' WITH (FORMAT csv, DELIMITER ';', HEADER)" -c "VACUUM ANALYZE $1" -c CHECKPOINT
}
fill people "$file"
fill people_small "$small"
cd "$folder" # where papers go

group="SELECT $columns, COUNT(*) FROM people GROUP BY $columns"
release=("$build/paravent" release "$plan" --levels 2,0,1,0,0,0,1,0 --require k=5 -q --threads 2)
timed warm psql -q -o /dev/null -c "SELECT COUNT(sex) FROM people"
for _ in 1 2 3; do
    timed group_s psql -qAt -o /dev/null -c "$group"
    timed count_s psql -qAt -o /dev/null -c "SELECT COUNT(*) FROM ($group) g"
    timed front_s "$build/paravent" front "$plan" --data "$url?table=people" --threads 2 --json
done
for _ in 1 2 3; do
    psql -q -c "DROP TABLE IF EXISTS plain, released" -c CHECKPOINT
    timed plain_s psql -q -c "CREATE TABLE plain AS SELECT $columns FROM people"
    psql -q -c "DROP TABLE IF EXISTS plain, released" -c CHECKPOINT
    rm -rf ./*.papers-*
    timed release_s "${release[@]}" --data "$url?table=people" -o "$url?table=released"
done
say group_s count_s front_s front_s_peak plain_s release_s release_s_peak

# What travels, counted on the way.
for table in people people_small; do
    between=$(free_port)
    python3 "$here/relay.py" "$between" "$port" "$folder/bytes" &
    relay=$!
    servers+=("$relay")
    wait_until 5 psql -p "$between" -c "SELECT 1"
    "$build/paravent" front "$plan" --data "postgresql://bench@127.0.0.1:$between/postgres?table=$table" -q > /dev/null
    kill "$relay"
    echo "bytes_$table $(awk '{ print $1 + $2 }' "$folder/bytes")"
    echo "tuples_$table $(psql -qAt -c "SELECT COUNT(*) FROM (SELECT $columns FROM $table GROUP BY $columns) g")"
done

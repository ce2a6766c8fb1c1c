#!/usr/bin/env bash
# Ten million rows in ClickHouse, over three servers on this machine and in one of them: their front against the GROUP BY
# alone. One line per figure.
#
#     clickhouse.sh BUILD_DIR PLAN FILE
#
# Both sides of a ratio run on the same servers with their own settings, in turn, after the tables were read once; the best of
# three. Three servers on one machine share its processors: more of them cannot be faster here.
set -euo pipefail
. "$(dirname "$0")/support.sh"
build=$(realpath "$1") plan=$(realpath "$2") file=$(realpath "$3")

program=$(PATH=$PATH:/usr/sbin command -v clickhouse-server || true)
[ -n "$program" ] && command -v curl > /dev/null || skip "clickhouse-server or curl is not installed"
has clickhouse || skip "this build cannot use tables in ClickHouse"
http=() tcp=()
shards=
for i in 0 1 2; do
    http+=("$(free_port)")
    tcp+=("$(free_port)")
    shards+="<shard><replica><host>127.0.0.1</host><port>${tcp[i]}</port></replica></shard>"
done
for i in 0 1 2; do
    own=$folder/$i
    mkdir "$own"
    cat > "$own/config.xml" << END
<yandex><logger><level>warning</level><log>$own/log</log><errorlog>$own/errors</errorlog></logger>
<listen_host>127.0.0.1</listen_host><http_port>${http[i]}</http_port><tcp_port>${tcp[i]}</tcp_port><path>$own/data/</path>
<tmp_path>$own/tmp/</tmp_path><user_files_path>$own/files/</user_files_path><users_config>users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>268435456</mark_cache_size><timezone>UTC</timezone>
<remote_servers><all>$shards</all></remote_servers></yandex>
END
    cat > "$own/users.xml" << END
<yandex><quotas><default/></quotas><profiles><default/></profiles><users><default><password></password>
<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>
END
    cd "$own"
    serve "$program" "--config-file=$own/config.xml"
done
export HOME=$folder # no configuration but this one
unset CLICKHOUSE_USER CLICKHOUSE_PASSWORD
cd "$folder"

# ask SERVER STATEMENT [PARAMETERS]
ask() { curl -sSf "http://127.0.0.1:${http[$1]}/?${3:-}" --data-binary "$2"; }
columns='sex, age, race, `marital-status`, education, `native-country`, workclass, occupation, `salary-class`'
types='(sex String, age UInt8, race String, `marital-status` String, education String, `native-country` String,
    workclass String, occupation String, `salary-class` String)'
for i in 0 1 2; do
    wait_until 30 curl -sf "http://127.0.0.1:${http[i]}/ping"
    ask "$i" "CREATE TABLE part $types ENGINE = MergeTree ORDER BY tuple()"
done
ask 0 "CREATE TABLE whole $types ENGINE = MergeTree ORDER BY tuple()"
ask 0 "CREATE TABLE people $types ENGINE = Distributed('all', 'default', 'part', rand())"
tail -n +2 "$file" | curl -sSf -X POST -T - \
    "http://127.0.0.1:${http[0]}/?query=INSERT%20INTO%20whole%20FORMAT%20CSV&format_csv_delimiter=;"
ask 0 "INSERT INTO people SELECT * FROM whole" insert_distributed_sync=1
url="http://127.0.0.1:${http[0]}/?distributed_aggregation_memory_efficient=1"
place=clickhouse://127.0.0.1:${http[0]}/default
for table in people whole; do
    timed warm curl -sSf -o /dev/null "$url" --data-binary "SELECT $columns, COUNT(*) FROM $table GROUP BY $columns FORMAT Null"
done
for _ in 1 2 3; do
    for table in people whole; do
        timed "${table}_group_s" curl -sSf -o /dev/null "$url" \
            --data-binary "SELECT $columns, COUNT(*) FROM $table GROUP BY $columns FORMAT RowBinary"
        timed "${table}_front_s" "$build/paravent" front "$plan" --data "$place?table=$table" --threads 2 --json
    done
done
say people_group_s people_front_s people_front_s_peak whole_group_s whole_front_s

# The census in many places: `places` makes the first of them, `all_places` all, and both go there; `plan_for PLACE FILE`
# writes a plan that reads one of them.
places() {
    census there 1000
    cd there || exit
    engine_sql 'duckdb:' "COPY (FROM read_csv('census.csv')) TO 'census.parquet'" "$@"
}
all_places() {
    places "COPY (FROM read_csv('census.csv')) TO 'census.json'" "ATTACH 'census.duckdb' AS d" \
        "CREATE TABLE d.people AS FROM read_csv('census.csv')"
}
plan_for() { sed "s|^data:.*|data: '$1'|" plan.yaml > "$2"; }

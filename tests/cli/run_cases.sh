#!/usr/bin/env bash
# run_cases.sh PARAVENT JSON_CHECK FILE.cases...: runs the cases of the command.
#
# A case in a .cases file:
#
#   === what it shows
#   needs root              skip unless: root, user (not root), adult (its data), mount,
#                           duckdb (its library), sqlite (its ODBC driver),
#                           scarce (no sanitizer), speed (no sanitizer: it would find nothing
#                           that it does not find in other cases), a program
#   exit 2                  the exit status of the last line (default 0)
#   stdout REGEX            some line of standard output matches (grep -E); also: stderr
#   no-stdout REGEX         no line does; also: no-stderr
#   empty stdout            nothing is there; also: stderr
#   json PATH=VALUE         standard output is one JSON document that says so (alone: is JSON)
#   file GLOB               exists afterwards
#   no-file GLOB            nothing of that name exists afterwards
#   $ shell line            runs in a fresh folder with a copy of data/; `census FOLDER [PEOPLE]` writes the demo's table
#
# In every case: no temporary file may be left, no sanitizer may complain, no signal may kill.
#
# PV_EVERY=3 runs every third case: for sanitizers, which look at the command's code, not at what it prints.
set -u
paravent=$(realpath "$1")
json_check=$(realpath "$2")
shift 2
here=$(cd "$(dirname "$0")" && pwd)
source_root=$(cd "$here/../.." && pwd)
adult=${PV_ADULT:-$source_root/../shared/data/adult}
# In memory where the system has such a folder: whoever flushes a file waits for the disk.
work=$(TMPDIR=$([[ -w /dev/shm ]] && echo /dev/shm || echo "${TMPDIR:-/tmp}") mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$paravent" "$work/bin/paravent"
ln -s "$(dirname "$json_check")/census" "$work/bin/census"
ln -s "$(dirname "$json_check")/engine_sql" "$work/bin/engine_sql"
export PATH="$work/bin:$PATH" LC_ALL=C.UTF-8 ADULT="$adult" SOURCE="$source_root"
export BUILD="$(dirname "$paravent")"
unset NO_COLOR COLUMNS
passed=0 failed=0 skipped=0 number=0 every=${PV_EVERY:-1}

name="" script="" expected=0
expectations=()

# Its library is looked for once; where CI is true, cases that need it run and fail without it.
find_duckdb() {
    if [[ -z ${duckdb_found:-} ]]; then
        duckdb_found=no
        PARAVENT_DUCKDB=$("$source_root/tests/duckdb/library" 2>/dev/null) && duckdb_found=yes && export PARAVENT_DUCKDB
    fi
    [[ $duckdb_found == yes || ${CI:-} == true ]]
}

missing_need() {
    case $1 in
        root) [[ $(id -u) != 0 ]] ;;
        user) [[ $(id -u) == 0 ]] ;;
        adult) [[ ! -r $adult/plan.yaml ]] ;;
        mount) ! unshare -m true 2>/dev/null ;;
        duckdb) ! find_duckdb ;;
        sqlite) [[ ! -r $(compgen -G '/usr/lib/*/odbc/libsqlite3odbc.so') && ${CI:-} != true ]] ;;
        scarce | speed) [[ ! -r $BUILD/tests/cli/scarce.so ]] ;;
        *) ! command -v "$1" >/dev/null ;;
    esac
}

# Both add what is wrong to `problems`. There are thousands of expectations: no process is started for one where it can
# be helped, and what is said of a JSON document is asked in one call.
problem() {
    problems+="$1"$'\n'
}

check_expectations() {
    local expectation kind rest is_json=false paths=()
    for expectation in ${expectations[@]+"${expectations[@]}"}; do
        kind=${expectation%% *} rest=""
        [[ $expectation == *" "* ]] && rest=${expectation#* }
        case $kind in
            needs) ;;
            stdout | stderr) grep -qE -e "$rest" "$work/$kind" || problem "$kind lacks: $rest" ;;
            no-stdout | no-stderr)
                ! grep -qE -e "$rest" "$work/${kind#no-}" || problem "${kind#no-} has: $rest" ;;
            empty) [[ ! -s $work/$rest ]] || problem "$rest is not empty" ;;
            json) is_json=true paths+=(${rest:+"$rest"}) ;;
            file) compgen -G "$work/run/$rest" >/dev/null || problem "not there: $rest" ;;
            no-file) ! compgen -G "$work/run/$rest" >/dev/null || problem "is there: $rest" ;;
            *) problem "unknown expectation: $expectation" ;;
        esac
    done
    if $is_json; then
        problems+=$("$json_check" "$work/stdout" ${paths[@]+"${paths[@]}"} 2>&1 || echo "json_check: exit $?")
    fi
}

check_always() {
    local left
    left=$(find "$work/run" -name '.paravent-*' -print -quit)
    [[ -z $left ]] || problem "a temporary file is left: ${left#"$work/run/"}"
    ! grep -qE 'Sanitizer|runtime error' "$work/stderr" || problem "a sanitizer complains"
    (($1 < 128 || $1 == 130)) || problem "killed by a signal"
}

run_case() {
    [[ -n $name ]] || return 0
    local need problems="" status expectation
    number=$((number + 1))
    ((number % every == 0)) || return 0
    for expectation in ${expectations[@]+"${expectations[@]}"}; do
        need=${expectation#needs }
        if [[ $expectation == "needs "* ]] && missing_need "$need"; then
            echo "skipped: $name (needs $need)"
            skipped=$((skipped + 1))
            return 0
        fi
    done
    rm -rf "$work/run"
    cp -r "$here/data" "$work/run"
    (cd "$work/run" && bash -c "$script") >"$work/stdout" 2>"$work/stderr" </dev/null
    status=$?
    [[ $status == "$expected" ]] || problem "exit status $status, expected $expected"
    check_expectations
    check_always "$status"
    if [[ -z $problems ]]; then
        passed=$((passed + 1))
        return 0
    fi
    failed=$((failed + 1))
    printf 'FAILED: %s\n%s\n--- script\n%s' "$name" "$problems" "$script"
    printf -- '--- stdout\n%s\n--- stderr\n%s\n\n' "$(head -c 2000 "$work/stdout")" \
        "$(head -c 3000 "$work/stderr")"
}

run_file() {
    local line
    name=""
    while IFS= read -r line || [[ -n $line ]]; do
        case $line in
            "=== "*)
                run_case
                name=${line#=== } script="" expected=0 expectations=()
                ;;
            "\$ "*) script+="${line#\$ }"$'\n' ;;
            "exit "*) expected=${line#exit } ;;
            "" | "#"*) ;;
            *) expectations+=("$line") ;;
        esac
    done <"$1"
    run_case
    name=""
}

for file in "$@"; do
    run_file "$file"
done
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))

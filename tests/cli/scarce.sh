#!/usr/bin/env bash
# scarce.sh LIBRARY MOST COMMAND...: runs the command with the first allocation of the library failing,
# then the second, and so on, up to MOST of them. Every time it must succeed, or say that memory ran
# out and exit with 1. Prints how many it were.
set -u
library=$1 most=$2
shift 2
mark=scarce.mark failed=0
for ((n = 1; n <= most; n++)); do
    rm -f "$mark"
    LD_PRELOAD=$BUILD/tests/cli/scarce.so SCARCE_IN=$library SCARCE_AT=$n SCARCE_MARK=$mark \
        "$@" >scarce.out 2>scarce.err
    status=$?
    [[ -e $mark ]] || break
    failed=$((failed + 1))
    [[ $status == 0 ]] && continue
    if [[ $status != 1 ]] || ! grep -q "out of memory" scarce.err; then
        echo "allocation $n of $library: exit $status: $(head -n 1 scarce.err)"
    fi
done
rm -f "$mark" scarce.out scarce.err
echo "$failed allocations of $library failed"

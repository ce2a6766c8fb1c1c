# Writes many.csv, 600 rows with six numbers to mask and a sensitive value, and its plan many.yaml:
# 15,625 ways to generalize.
awk 'BEGIN {
    x = 1
    print "a,b,c,d,e,f,s"
    for (i = 0; i < 600; i++) {
        line = ""
        for (j = 0; j < 6; j++) {
            x = (x * 16807) % 2147483647
            line = line sprintf("%04d,", int((x % 10000) * (x % 10000) / 10000))
        }
        print line "s" x % 5
    }
}' > many.csv
{
    echo 'data: many.csv'
    echo 'suppression: 1%'
    echo 'attributes:'
    for name in a b c d e f; do
        echo "  $name: {role: quasi, hierarchy: {mask: right}}"
    done
    echo '  s: {role: sensitive}'
} > many.yaml

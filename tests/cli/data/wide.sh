# wide.sh COLUMNS VALUES ROWS: writes wide.csv, whole numbers below VALUES, and its plan wide.yaml.
awk -v columns="$1" -v values="$2" -v rows="$3" 'BEGIN {
    x = 1
    for (i = 0; i <= rows; i++) {
        line = ""
        for (j = 1; j <= columns; j++) {
            x = (x * 16807) % 2147483647
            line = line (j > 1 ? "," : "") (i == 0 ? "a" j : int(x / 1000) % values)
        }
        print line
    }
}' > wide.csv
{
    echo 'data: wide.csv'
    echo 'attributes:'
    for i in $(seq "$1"); do
        echo "  a$i: {role: quasi}"
    done
} > wide.yaml

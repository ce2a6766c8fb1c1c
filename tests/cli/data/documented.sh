# documented.sh FILE...: is every member of these JSON documents in docs/json.md, or a measure?
paravent help measures > measures || exit 1
for f; do
    for key in $(grep -oE '^ *"[^"]+": ' "$f" | tr -d '": ' | sort -u); do
        grep -qF "\`$key\`" "$SOURCE/docs/json.md" || grep -qE "^  $key[ (]" measures || { echo "$f: $key"; exit 1; }
    done
done

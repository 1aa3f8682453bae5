# Prints the lines of the folder library that have a word of $QUERY, at most ten.
# A real search would be an http tool; nothing else in the chart would change.
printf '%s' "$QUERY" | tr -cs '[:alnum:]' '\n' | awk 'length > 4' | grep -rihF -f - library | head -n 10

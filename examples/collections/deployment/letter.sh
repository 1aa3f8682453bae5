# Writes the letter to $CUSTOMER, with the name that the CRM has, if it does.
name=$(sed -n 's/^name: //p' "crm/$(basename "$CUSTOMER").txt" 2>/dev/null)
printf 'Dear %s,\nplease settle what you owe; the bank knows your case.\n' "${name:-$CUSTOMER}"

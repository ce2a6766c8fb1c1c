# Two hundred people with two sensitive columns: diagnoses are diverse, what they earn is not.
awk 'BEGIN { OFS = ","; print "age", "zip", "diagnosis", "\"pay, net (\"\"k\"\")\""
  for (i = 0; i < 200; i++) {
    d = i % 5 == 0 ? "flu" : i % 5 == 1 ? "cold" : i % 5 == 2 ? "gout" : i % 5 == 3 ? "asthma" : ""
    print 20 + i * 7 % 40, 10000 + i * 13 % 30, d, i % 40 == 0 ? 2 : 1 } }' > two.csv
cat > two.yaml <<'END'
data: two.csv
suppression: 5%
require: {k: 3}
attributes:
  age: {role: quasi, hierarchy: {intervals: [5, 10, 20, 40]}}
  zip: {role: quasi, hierarchy: {mask: right}}
  diagnosis: {role: sensitive, require: {l-distinct: 3}}
  'pay, net ("k")': {role: sensitive}
END

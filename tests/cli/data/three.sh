# Ten people, and the three ways to generalize them that the comparison is known by heart for.
cat > ten.csv <<'END'
zip,age,marital,score
13053,28,CF-Spouse,1
13268,41,Separated,2
13268,39,Never Married,3
13053,26,CF-Spouse,1
13253,50,Divorced,2
13253,55,Spouse Absent,3
13250,49,Divorced,1
13052,31,Spouse Present,2
13269,42,Separated,3
13250,47,Separated,1
END
cat > ten.yaml <<'END'
data: ten.csv
attributes: {zip: {role: quasi}, age: {role: quasi}, marital: {role: quasi}}
compare:
  balanced: {kind: wtd, terms: [{property: class-size, index: cov, weight: 1}, {property: leaf-utility, index: cov, weight: 1}]}
  privacy: {kind: lex, terms: [{property: class-size, index: min, tolerance: 0.5}, {property: leaf-utility, index: spr}]}
  wrong: {kind: wtd, terms: [{property: clas-size, index: cov, weight: 1}]}
END
awk -F, -v OFS=, 'NR == 1 { print; next } { m = $3 ~ /CF|Present/ ? "Married" : "Not Married"
  a = $2 <= 35 ? "(25,35]" : $2 <= 45 ? "(35,45]" : "(45,55]"
  print substr($1, 1, 4) "*", "\"" a "\"", m, 1 + (NR + 0) % 3 }' ten.csv > t3a.csv
awk -F, -v OFS=, 'NR == 1 { print; next } { m = $3 ~ /CF|Present/ ? "Married" : "Not Married"
  print substr($1, 1, 3) "**", "\"" ($2 <= 35 ? "(15,35]" : "(35,55]") "\"", m, 1 + (NR + 1) % 3 }' ten.csv > t3b.csv
awk -F, -v OFS=, 'NR == 1 { print; next } {
  print substr($1, 1, 2) "***", "\"" ($2 <= 40 ? "(20,40]" : "(40,60]") "\"", "*", 1 + (NR + 2) % 3 }' ten.csv > t4.csv

#!/bin/sh
# bring.sh survey|hospital|register|questionnaire|odd: a file as people bring them, always the same.
awk -v kind="$1" -v OFS=, '
function random(n) { seed = (seed * 16807) % 2147483647; return int(seed / 1000) % n }
function pick(list,  parts, n) { n = split(list, parts, " "); return parts[1 + random(n)] }
function day(from, years) {
    return sprintf("%d-%02d-%02d", from + random(years), 1 + random(12), 1 + random(28))
}
BEGIN {
    seed = 7
    if (kind == "survey") {
        print "hhid,person,weight,stratum,psu,interviewer,region,age,sex,hh_size,income,satisfaction,tv"
        for (h = 1; h <= 400; h++) {
            size = 1 + random(4); psu = 100 + random(30); region = pick("North South East West")
            for (p = 1; p <= size; p++)
                print 5000 + 3 * h, p, (300 + random(2500)) / 1000, psu % 7, psu, 1 + random(25), region, \
                    random(90), pick("f m"), size, 1000 * (1 + random(40)), 1 + random(5), random(240)
        }
    } else if (kind == "hospital") {
        print "case_no,birth_date,sex,admission,icd10,hospital_code,hba1c,sodium,crp,physician,height,weight,zip"
        for (i = 1; i <= 900; i++)
            print "P" 70000 + 3 * i, day(1930, 80), pick("f m"), day(2021, 3), \
                sprintf("%s%02d.%d", pick("C E I J"), 10 + random(40), random(4)), \
                pick("1101 1102 1205 2301"), (40 + random(60)) / 10, 130 + random(15000) / 1000, \
                random(40000) / 100 + i / 10000, "Dr." pick("Abe Bell Cox"), 150 + random(45), \
                50 + random(60), 10000 + random(2000)
    } else if (kind == "register") {
        print "national id;given_name;surname;street;town;plz;birth year;gender;file;tax paid;voted;land"
        for (i = 1; i <= 600; i++)
            print 1000000000 + 7919 * i ";Given" random(90) ";Sur" random(300) ";Main St " i ";" \
                pick("Springfield Shelbyville Ogdenville") ";" 1000 + random(80) ";" 1940 + random(60) ";" \
                pick("F M") ";" 40000 + i ";" random(9000000) / 100 ";" pick("yes no") ";DE"
    } else if (kind == "questionnaire") {
        printf "resp,age,gender,faculty"
        for (q = 1; q <= 60; q++) printf ",q%d", q
        print ",remarks"
        for (i = 1; i <= 300; i++) {
            printf "%d,%d,%s,%s", i, 18 + random(40), pick("f m d"), pick("arts law science")
            for (q = 1; q <= 60; q++) printf ",%d", 1 + random(5)
            print ",I think " random(100000) " is fine"
        }
    } else if (kind == "odd") {
        print "alter; geschlecht; größe; wert; geburtsdatum; gruppe"
        for (i = 1; i <= 300; i++)
            printf "%d; %s; 1,%02d; %s; %d.%d.%d; %s\n", 18 + random(70), pick("m w -"), 50 + random(50), \
                random(5) ? random(90) "," random(10) : pick("-9 N/A"), 1 + random(28), 1 + random(12), \
                1940 + random(60), pick("A B . C")
    }
}'

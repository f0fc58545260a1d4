# Reads benchstat -alpha 0.01 -format csv of a file before and one after. Writes a line for each benchmark that both have; fails if
# one takes over 10 % more time ("vs base" is ~ at p of 0.01 and above), or if there is none.
BEGIN { FS = "," }
/^pkg: / { package = substr($1, 6) }
$1 == "" && $3 == "CI" { times = $2 == "sec/op" }
times && NF == 7 && $1 != "" && $1 != "geomean" {
  compared++
  worse = $6 + 0 > 10
  slower += worse
  print (worse ? "SLOWER" : "ok    "), package, $1 ":", $6, $7
}
END {
  printf "%d benchmarks, %d of them over 10 %% slower at p < 0.01\n", compared, slower
  exit !compared || slower > 0
}

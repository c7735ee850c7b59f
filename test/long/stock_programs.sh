#!/usr/bin/env bash
# usage: stock_programs.sh DIRECTORY
# Makes the inputs for the commands of stock_programs.list. Everything is made here from fixed seeds, so that two runs record
# the same work. Inputs that need a missing program are left out.
set -u
cd "$1" || exit 1

have() {
	command -v "$1" >/dev/null
}

# --- text, tables, trees ---------------------------------------------------------------
awk 'BEGIN {
	srand(7)
	for (i = 0; i < 20000; i++) { w = ""; n = 2 + int(rand() * 9); for (j = 0; j < n; j++) w = w sprintf("%c", 97 + int(26 * rand() * rand())); words[i] = w }
	for (i = 0; i < 330000; i++) { line = ""; for (j = 0; j < 11; j++) line = line words[int(20000 * rand() * rand())] " "; print line }
}' >text.txt
awk 'BEGIN { srand(8); for (i = 0; i < 40000; i++) printf "%d,%f,%f\n", i, rand(), sin(i / 99) }' >data.csv
awk 'BEGIN { srand(9); printf "["; for (i = 0; i < 60000; i++) printf "%s{\"name\":\"n%d\",\"value\":%d}", i ? "," : "", i, rand() * 500; print "]" }' >data.json
awk 'BEGIN { print "<rows>"; for (i = 0; i < 60000; i++) printf "<row n=\"%d\"><a>%d</a></row>\n", i, i * 7 % 1000; print "</rows>" }' >data.xml
cat >style.xsl <<'END'
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/rows">
<xsl:for-each select="row"><xsl:sort select="a" data-type="number"/><p><xsl:value-of select="concat(@n, '-', a)"/></p></xsl:for-each>
</xsl:template></xsl:stylesheet>
END
mkdir -p tree
split -n l/300 -d -a 3 text.txt tree/part-
awk 'BEGIN {
	print "begin;"; print "create table t(a integer primary key, b text, c real);"
	for (i = 0; i < 60000; i++) printf "insert into t values(%d,\"row %d\",%d.5);\n", i, i * 7919 % 10007, i % 977
	print "commit; create index i on t(b); select b, count(*), avg(c) from t group by b order by 3 desc limit 5; select count(*) from t x join t y on x.c = y.a;"
}' | sed "s/\"/'/g" >rows.sql
awk 'BEGIN {
	print "create database if not exists test; use test; drop table if exists t; create table t(a int primary key, b varchar(40), c double); "
	for (i = 0; i < 300; i++) { printf "insert into t values"; for (j = 0; j < 100; j++) printf "%s(%d,\"row %d\",%d.5)", j ? "," : "", i * 100 + j, i * 7919 % 10007, j; print ";" }
	print "select b, count(*), avg(c) from t group by b order by 3 desc limit 5; select count(*) from t x join t y on x.c = y.c;"
}' | sed "s/\"/'/g" >rows-my.sql

# --- sources -----------------------------------------------------------------------------
awk 'BEGIN {
	print "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>"
	for (i = 0; i < 400; i++) {
		printf "static int f%d(int *a, int n, const char *s) { int r = %d; for (int i = 0; i < n; i++) { if (a[i] %% %d == 1) r += a[i] * %d; else if (s[i %% 7]) r ^= (int)strlen(s + i %% 5); switch (r & 7) { case 1: r++; break; case 2: r -= a[r & 3]; break; case 5: r <<= 1; break; default: r += i; } }", i, i, i + 2, i + 3
		printf " return r%s; }\n", i ? " + f" (i - 1) "(a, n / 2, s)" : ""
	}
	print "int main(int argc, char **argv) { int a[64]; for (int i = 0; i < 64; i++) a[i] = i * argc; printf(\"%d\\n\", f399(a, 64, argv[0])); }"
}' >deep.c
cat >wide.cc <<'END'
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>
template <int N> struct fib { static constexpr long value = fib<N - 1>::value + fib<N - 2>::value; };
template <> struct fib<0> { static constexpr long value = 0; };
template <> struct fib<1> { static constexpr long value = 1; };
template <class... T> struct bag { std::tuple<std::vector<T>...> rows; std::map<std::string, std::variant<T...>> names; };
template <int N> struct deep : deep<N - 1> { std::array<int, N + 1> v{}; int sum() const { int s = deep<N - 1>::sum(); for (int i : v) s += i; return s; } };
template <> struct deep<0> { int sum() const { return 1; } };
int main(int argc, char **argv)
{
	std::map<std::string, std::vector<std::function<int(int)>>> table;
	std::unordered_map<std::string, std::set<std::pair<int, std::string>>> index;
	bag<int, double, std::string, std::vector<int>, std::map<int, std::string>> b;
	std::regex r("([a-z]+)-([0-9]+)");
	std::smatch m;
	std::string s(argv[0]);
	for (int i = 0; i < argc; i++) { table[argv[i]].push_back([i](int x) { return x + i; }); index[argv[i]].emplace(i, argv[i]); }
	std::vector<std::shared_ptr<std::stringstream>> out;
	std::sort(out.begin(), out.end(), [](auto &x, auto &y) { return x->str() < y->str(); });
	std::cout << std::regex_search(s, m, r) << fib<60>::value << deep<120>().sum() << std::get<0>(b.rows).size() << "\n";
}
END
{
	echo 'SRC := $(wildcard unit-*.c)'
	echo 'all: $(SRC:.c=.o)'
} >many.mk
for i in $(seq 12); do sed "s/f\([0-9]\)/g${i}_\1/g" deep.c >"unit-$i.c"; done
printf 'cmake_minimum_required(VERSION 3.10)\nproject(x C)\nadd_executable(x deep.c)\n' >CMakeLists.txt
cat >matrix.f90 <<'END'
program matrix
  real(8), dimension(500,500) :: a, b, c
  integer :: i
  call random_number(a); call random_number(b)
  do i = 1, 4
    c = matmul(a, b); a = transpose(c) / maxval(c)
  end do
  write(*,*) sum(c), a(1:20,1:20)
end program
END
have gfortran && gfortran -O2 matrix.f90 -o matrix-f90
cat >words.rs <<'END'
use std::collections::{BTreeMap, HashMap, HashSet};
#[derive(Debug, Clone, PartialEq, PartialOrd)] enum Tree { Leaf(f64), Node(Box<Tree>, Box<Tree>, String) }
fn build(n: u32) -> Tree { if n == 0 { Tree::Leaf(1.5) } else { Tree::Node(Box::new(build(n - 1)), Box::new(build(n - 1)), format!("{n:?}")) } }
fn sum(t: &Tree) -> f64 { match t { Tree::Leaf(x) => *x, Tree::Node(a, b, s) => sum(a) + sum(b) + s.len() as f64 } }
fn main() {
    let text: Vec<String> = std::env::args().flat_map(|a| a.chars().map(|c| c.to_string()).collect::<Vec<_>>()).collect();
    let mut n: HashMap<&str, Vec<usize>> = HashMap::new();
    for (i, w) in text.iter().enumerate() { n.entry(w.as_str()).or_default().push(i); }
    let b: BTreeMap<_, HashSet<usize>> = n.iter().map(|(k, v)| (k.to_string(), v.iter().copied().collect())).collect();
    println!("{:?} {} {:?}", b, sum(&build(12)), text.iter().map(|s| s.parse::<f64>()).filter_map(Result::ok).fold(0.0, f64::max));
}
END
cat >words.go <<'END'
package main

import ("fmt"; "net/http"; "encoding/json"; "sort"; "strings"; "os")

func main() {
	n := map[string]int{}
	for _, w := range strings.Fields(strings.Join(os.Args, " ")) { n[w]++ }
	k := []string{}
	for w := range n { k = append(k, w) }
	sort.Strings(k)
	j, _ := json.Marshal(n)
	fmt.Println(string(j), k, http.StatusText(200))
}
END
printf 'let rec f n = if n < 2 then n else f (n-1) + f (n-2)\nmodule M = Map.Make(String)\n' >words.ml
awk 'BEGIN { for (i = 0; i < 600; i++) printf "let g%d x y = match x, y with (a, Some b) -> List.map (fun c -> c + a + b) [1;2;%d] | (a, None) -> List.filter (fun c -> c > a) [3;%d]\n", i, i, i; print "let () = print_int (List.length (g1 1 None) + f 5)" }' >>words.ml
{
	echo 'program words; uses sysutils, classes;'
	awk 'BEGIN { for (i = 0; i < 900; i++) printf "function f%d(a: integer; const s: string): integer; var i: integer; begin result := a; for i := 1 to length(s) do if s[i] = char(a) then inc(result, %d) else result := result xor ord(s[i]); end;\n", i, i }'
	echo 'begin writeln(f1(3, paramstr(0)), f7(9, inttostr(4))); end.'
} >words.pas
awk 'BEGIN { print "module Main where\nimport qualified Data.Map as M\nimport Data.List"; for (i = 0; i < 60; i++) printf "f%d :: Int -> [Int] -> M.Map Int [Int]\nf%d n xs = M.fromListWith (++) [(mod x (n + %d), [x * n]) | x <- sort xs, x > %d]\n", i, i, i + 2, i; print "main :: IO ()\nmain = print (M.size (f1 3 [1..9]) + M.size (f7 4 [2..8]))" }' >words.hs
sed -i 's/^module Main where$/module Main (main) where/' words.hs
cat >words.d <<'END'
import std.stdio, std.algorithm, std.array, std.regex, std.conv, std.json, std.format;
enum r = ctRegex!(`([a-z]+)-([0-9]+)`);
void main(string[] args) { auto n = args.map!(a => a.length.to!string ~ a).array.sort.uniq.array; writeln(n, args[0].matchFirst(r), JSONValue(n).toString, format!"%s %d"(n, n.length)); }
END

# --- the same work in many languages -----------------------------------------------------------
cat >words.py <<'END'
import json, re, sys
def count(lines):
    n = {}
    for line in lines:
        for w in re.findall(r"[a-z]+", line):
            n[w] = n.get(w, 0) + 1
    return n
def tree(d): return None if d == 0 else (tree(d - 1), tree(d - 1))
def size(t): return 1 if t is None else 1 + size(t[0]) + size(t[1])
with open(sys.argv[1]) as f: n = count(f)
print(len(json.dumps(sorted(n.items(), key=lambda x: -x[1]))), size(tree(17)))
END
cat >words.pl <<'END'
my %n; while (<>) { for my $w (split) { $w =~ s/([aeiou])(.)/$2$1/g; $n{$w}++ } }
sub fib { my $x = shift; $x < 2 ? $x : fib($x - 1) + fib($x - 2) } print join(" ", (sort { $n{$b} <=> $n{$a} } keys %n)[0 .. 9]), fib(23), "\n";
END
cat >words.rb <<'END'
n = Hash.new(0); File.foreach(ARGV[0]) { |l| l.scan(/[a-z]+/) { |w| n[w] += 1 } }
def fib(x) = x < 2 ? x : fib(x - 1) + fib(x - 2)
puts n.sort_by { |w, c| [-c, w] }.first(9).inspect, fib(24)
END
cat >words.lua <<'END'
local n = {} for l in io.lines("text.txt") do for w in l:gmatch("%a+") do n[w] = (n[w] or 0) + 1 end end
local function fib(x) if x < 2 then return x end return fib(x - 1) + fib(x - 2) end
local k = {} for w in pairs(n) do k[#k + 1] = w end table.sort(k, function(a, b) return n[a] > n[b] end) print(k[1], fib(27))
END
cat >words.php <<'END'
<?php $n = []; foreach (file($argv[1]) as $l) { foreach (preg_split('/[^a-z]+/', $l) as $w) { $n[$w] = ($n[$w] ?? 0) + 1; } $m = preg_match('/(\w+) (\w+)z/', $l); }
function fib($x) { return $x < 2 ? $x : fib($x - 1) + fib($x - 2); } arsort($n); echo json_encode(array_slice($n, 0, 9)), fib(24), "\n";
END
cat >words.tcl <<'END'
set f [open text.txt]; while {[gets $f l] >= 0} { foreach w [split $l] { incr n($w) } }
proc fib x { if {$x < 2} { return $x }; expr {[fib [expr {$x - 1}]] + [fib [expr {$x - 2}]]} }; puts "[array size n] [fib 19] [lrange [lsort [array names n]] 0 9]"
END
cat >words.R <<'END'
x <- read.csv("data.csv", header = FALSE); f <- function(n) if (n < 2) n else f(n - 1) + f(n - 2)
for (i in 1:3) { m <- lm(V2 ~ V1 + V3, x); s <- sapply(split(x$V2, x$V1 %% 50), median); y <- sort(runif(2e5)) }
w <- unlist(strsplit(readLines("text.txt", 20000), " ")); print(head(sort(table(w), decreasing = TRUE))); print(f(18)); print(summary(m)$r.squared); print(solve(matrix(runif(90000), 300))[1])
END
cat >words.m <<'END'
a = rand(300); for i = 1:3, [u, s, v] = svd(a); b = a \ u; c = sort(b(:)); end
function r = fib(n), if n < 2, r = n; else r = fib(n - 1) + fib(n - 2); end, end
disp(fib(14)); s = ''; for i = 1:2000, s = [s sprintf('%d,', i)]; end, disp(numel(strsplit(s, ',')));
END
cat >words.scm <<'END'
(use-modules (ice-9 rdelim)) (define n (make-hash-table))
(define (fib x) (if (< x 2) x (+ (fib (- x 1)) (fib (- x 2)))))
(call-with-input-file "text.txt" (lambda (p) (let loop ((l (read-line p))) (unless (eof-object? l) (for-each (lambda (w) (hash-set! n w (+ 1 (hash-ref n w 0)))) (string-split l #\space)) (loop (read-line p))))))
(display (hash-count (const #t) n)) (display (fib 30))
END
cat >words.js <<'END'
const fs = require('fs');
function fib(x) { return x < 2 ? x : fib(x - 1) + fib(x - 2); }
for (let r = 0; r < 6; r++) {
	const n = new Map();
	for (const l of fs.readFileSync(process.argv[2], 'latin1').split('\n')) for (const w of l.replace(/([aeiou])(.)/g, (m, a, b) => b + a).split(' ')) n.set(w, (n.get(w) || 0) + 1);
	console.log(JSON.stringify([...n].sort((a, b) => b[1] - a[1])).length, fib(30), JSON.parse(JSON.stringify([...n])).length);
}
END
cat >Words.java <<'END'
import java.nio.file.*; import java.util.*; import java.util.stream.*;
public class Words {
	static int fib(int x) { return x < 2 ? x : fib(x - 1) + fib(x - 2); }
	public static void main(String[] a) throws Exception {
		for (int r = 0; r < 6; r++) {
			Map<String, Long> n = Files.lines(Path.of(a[0])).parallel().flatMap(l -> Arrays.stream(l.split(" "))).collect(Collectors.groupingByConcurrent(w -> w, Collectors.counting()));
			System.out.println(n.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed()).limit(9).map(Object::toString).collect(Collectors.joining(",")) + fib(35));
		}
	}
}
END
have javac && javac Words.java
cat >words.cs <<'END'
using System; using System.Collections.Generic; using System.IO; using System.Linq;
class Words {
	static int Fib(int x) { return x < 2 ? x : Fib(x - 1) + Fib(x - 2); }
	static void Main(string[] a) {
		for (int r = 0; r < 6; r++) {
			var n = new Dictionary<string, int>();
			foreach (var l in File.ReadLines(a[0])) foreach (var w in l.Split(' ')) { int c; n.TryGetValue(w, out c); n[w] = c + 1; }
			Console.WriteLine(string.Join(",", n.OrderByDescending(p => p.Value).Take(9).Select(p => p.Key)) + Fib(34));
		}
	}
}
END
have mcs && mcs -nologo words.cs

# --- pictures, sound, films -----------------------------------------------------------------------
awk 'BEGIN { srand(3); print "P3 900 700 255"; for (y = 0; y < 700; y++) for (x = 0; x < 900; x++) print int(127 + 120 * sin(x / 31)), int(127 + 120 * cos(y / 17 + x / 99)), int(rand() * 60 + (x * y) % 190) }' >ascii.ppm
if have ffmpeg; then
	ffmpeg -v error -y -i ascii.ppm image.png && ffmpeg -v error -y -i image.png -pix_fmt rgb24 image.ppm
	ffmpeg -v error -y -f lavfi -i 'sine=440:d=60' -f lavfi -i 'anoisesrc=d=60:a=0.2' -filter_complex amix=2 -ac 2 -ar 44100 sound.wav
	ffmpeg -v error -y -f lavfi -i testsrc2=s=640x360:d=4 -pix_fmt yuv420p film.y4m
	ffmpeg -v error -y -i film.y4m -c:v libaom-av1 -cpu-used 8 film.ivf
fi
awk 'BEGIN { print "digraph g {"; for (i = 1; i < 420; i++) printf "n%d -> n%d; n%d -> n%d;\n", i, i * 7 % 97, i % 53, i; print "}" }' >graph.dot
awk 'BEGIN { print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"700\">"; for (i = 0; i < 6000; i++) printf "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill-opacity=\"0.4\" fill=\"#%06x\"/>\n", i * 37 % 900, i * 53 % 700, i % 40, i * 7919 % 16777216; print "</svg>" }' >graph.svg
cat >scene.pov <<'END'
camera { location <0, 3, -9> look_at 0 } light_source { <9, 9, -9>, rgb 1 } plane { y, -1 pigment { checker rgb 1 rgb 0 } finish { reflection 0.3 } }
#for (I, 0, 60) sphere { <sin(I) * 4, cos(I * 3), I / 9 - 3>, 0.6 pigment { rgb <1, I / 60, 0> } finish { reflection 0.4 phong 1 } } #end
END
awk 'BEGIN { print "%!PS\n/Times-Roman findfont 9 scalefont setfont"; for (p = 0; p < 12; p++) { for (i = 0; i < 70; i++) printf "40 %d moveto (line %d of page %d with some words in it) show\n", 760 - i * 10, i, p; for (i = 0; i < 90; i++) printf "%f setgray newpath %d %d %d 0 360 arc fill\n", i / 99, i * 37 % 600, i * 53 % 800, i % 30; print "showpage" } }' >page.ps
have gs && gs -q -dNOPAUSE -dBATCH -sDEVICE=pdfwrite -sOutputFile=page.pdf page.ps
{
	printf '\\documentclass{article}\n\\begin{document}\n'
	awk 'NR <= 4000 { print } NR % 9 == 0 && NR <= 4000 { printf "\n$$\\sum_{i=1}^{%d} \\frac{x^i}{i!}$$\n\n", NR }' text.txt
	echo '\end{document}'
} >page.tex
awk 'NR <= 3000 { if (NR % 30 == 1) printf "# %s\n\n", $1; print "* " $0 "**" $2 "**" }' text.txt >page.md
{
	echo '<!doctype html><canvas id=c width=800 height=600></canvas><div id=d></div><script>let c=document.getElementById("c").getContext("2d"),k=0;function f(n){return n<2?n:f(n-1)+f(n-2)}'
	echo 'function t(){for(let i=0;i<400;i++){c.fillStyle=`hsl(${i},50%,50%)`;c.beginPath();c.arc(i*37%800,i*53%600,i%40,0,7);c.fill()}let e=document.createElement("p");e.textContent=JSON.stringify([...Array(99).keys()]).replace(/([1-4])(.)/g,(m,a,b)=>b+a)+f(22);document.getElementById("d").append(e);if(k++<400)requestAnimationFrame(t)}t()</script>'
} >page.html

# --- problems to solve -------------------------------------------------------------------------
awk 'BEGIN { n = 14; for (i = 0; i < n; i++) printf "(declare-const q%d Int)(assert (and (>= q%d 0) (< q%d %d)))\n", i, i, i, n; for (i = 0; i < n; i++) for (j = i + 1; j < n; j++) printf "(assert (and (distinct q%d q%d) (distinct (- q%d q%d) %d) (distinct (- q%d q%d) %d)))\n", i, j, i, j, j - i, j, i, j - i; print "(check-sat)" }' >queens.smt2
cat >plan.mod <<'END'
param n := 55; set I := 1..n; param c{i in I, j in I} := ((i * 7919 + j * 104729) mod 997) + 1;
var x{I, I} binary; var u{I} >= 0; minimize cost: sum{i in I, j in I} c[i,j] * x[i,j];
s.t. r{i in I}: sum{j in I: j != i} x[i,j] = 1; s.t. k{j in I}: sum{i in I: i != j} x[i,j] = 1;
s.t. t{i in I, j in I: i != j and i > 1 and j > 1}: u[i] - u[j] + n * x[i,j] <= n - 1; solve; end;
END
awk 'BEGIN {
	srand(5); split("A C G T", b); g = ""; for (i = 0; i < 200000; i++) g = g b[1 + int(rand() * 4)]; print ">g\n" g >"genome.fa"
	print "@SQ\tSN:g\tLN:200000" >"reads.sam"
	for (i = 0; i < 60000; i++) { p = 1 + int(rand() * 199800); s = substr(g, p, 150); q = s; gsub(/./, "I", q); printf ">r%d\n%s\n", i, s >"reads.fa"; printf "r%d\t0\tg\t%d\t60\t150M\t*\t0\t0\t%s\t%s\n", i, p, s, q >"reads.sam" }
}'
cat >nginx.conf <<'END'
daemon off; worker_processes 1; error_log stderr; pid nginx.pid; events { }
http { access_log off; gzip on; gzip_types *; server { listen 127.0.0.1:18998; root .; } client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s; }
END
exit 0

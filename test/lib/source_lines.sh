# shellcheck shell=bash
# For tests that compare source lines and inlined functions with eu-addr2line: programs of several compilers and kinds of debug
# information, random addresses in them, and the rules for equality.

# shellcheck disable=SC2154 # $tmp and $build are those of test/e2e/lib.sh
source_of=$build/test/tools/source_of

# C++ with templates and inlined functions of several files.
cat >"$tmp/many.h" <<'END'
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>
template <class T> inline T blend(T a, T b) { return a * 31 + (b >> 3); }
struct counter {
	std::map<std::string, long> counts;
	void add(const std::string &word) { ++counts[word + "!"]; }
	long largest() const
	{
		long best = 0;
		for (const auto &entry : counts)
			best = std::max(best, blend(entry.second, best));
		return best;
	}
};
long other(const std::vector<long> &values);
END
cat >"$tmp/many.cc" <<'END'
#include "many.h"
#include <cstdio>
static long sorted(std::vector<long> values)
{
	std::sort(values.begin(), values.end(), [](long a, long b) { return blend(a, b) < blend(b, a); });
	return std::accumulate(values.begin(), values.end(), 0L, blend<long>);
}
int main(int argc, char **argv)
{
	counter words;
	std::vector<long> values;
	for (int i = 0; i < 1000; i++) {
		words.add(argv[i % argc]);
		values.push_back(blend(i, i * 7));
	}
	std::printf("%ld\n", words.largest() + sorted(values) + other(values));
}
END
cat >"$tmp/other.cc" <<'END'
#include "many.h"
#include <stdexcept>
long other(const std::vector<long> &values)
{
	std::string text;
	for (long value : values)
		text += std::to_string(blend(value, 3L));
	if (text.size() == 7)
		throw std::runtime_error(text);
	return static_cast<long>(std::count(text.begin(), text.end(), '3'));
}
END
cat >"$tmp/many.rs" <<'END'
use std::collections::HashMap;
#[inline(always)]
fn blend(a: u64, b: u64) -> u64 { a.wrapping_mul(31) ^ (b >> 3) }
fn main() {
    let mut counts: HashMap<String, u64> = HashMap::new();
    for i in 0..1000u64 {
        *counts.entry(format!("{}", blend(i, i * 7) % 97)).or_insert(0) += i;
    }
    let mut values: Vec<_> = counts.into_iter().collect();
    values.sort_by(|a, b| blend(a.1, b.1).cmp(&b.1));
    println!("{:?}", values.iter().map(|v| v.1).max());
}
END

# NAME COMMAND...: the program $tmp/NAME/program, compiled there from $tmp/*.cc.
build_program() {
	local name=$1
	shift
	mkdir -p "$tmp/$name"
	(cd "$tmp/$name" && "$@") >"$tmp/$name.log" 2>&1 && [ -s "$tmp/$name/program" ]
}

# COUNT FILE: as many addresses in its .text
random_addresses() {
	readelf -SW "$2" | sed -nE 's/.* \.text +PROGBITS +([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) .*/\1 \2/p' |
		perl -ne 'srand 1; my ($at, $size) = map { hex } split; printf "0x%x\n", $at + int rand $size for 1 .. '"$1" |
		sort -u
}

# One line an address: "0x… function file:line function file:line …". The outermost function's name is left out, because the
# tools take that from the symbol table in different cases.
one_line_each() {
	perl -ne 'chomp; s/^0x0*([0-9a-f]+)$/0x$1/;
		if (/^0x[0-9a-f]+$/) { flush_it(); @now = ($_); next }
		next unless length;
		s/ inlined at .* in .*$| \(inlined by\)| \(discriminator \d+\)//; s/:(\d+):\d+$/:$1/; s/:\?$/:0/;
		push @now, $_;
		sub flush_it { $now[-2] = "-" if @now > 2; print join(" ", @now), "\n" if @now }
		END { flush_it() }'
}

# NAME COUNT [all]: finds the same chains as eu-addr2line or, where that differs, as binutils or LLVM (doc/source-lines.md says
# where and why). all: mostly as eu-addr2line.
source_is_equal() {
	local file=$tmp/$1/program
	random_addresses "$2" "$file" >"$tmp/$1.addresses"
	"$source_of" "$file" <"$tmp/$1.addresses" 2>"$tmp/$1.err" | one_line_each >"$tmp/$1.xprof"
	eu-addr2line -a -f -i -e "$file" <"$tmp/$1.addresses" 2>/dev/null | one_line_each >"$tmp/$1.eu"
	(cd "$tmp/$1" && addr2line -a -f -i -e "$file" <"$tmp/$1.addresses") 2>/dev/null | one_line_each >"$tmp/$1.binutils"
	(cd "$tmp/$1" && llvm-symbolizer -a -f -i --no-demangle --output-style=GNU -e "$file" <"$tmp/$1.addresses") 2>/dev/null |
		one_line_each >"$tmp/$1.llvm"
	paste -d'\n' "$tmp/$1".{xprof,eu,binutils,llvm} | perl -ne '
		chomp; push @all, $_; next if @all < 4;
		my ($xprof, @others) = splice @all;
		$addresses++;
		if ($xprof eq $others[0]) { $equal++ }
		elsif (grep { lines($xprof) eq lines($_) } @others[1, 2]) { $second++ }
		# If functions are in other files, all three tools may know only the line, or leave out some of the calls.
		elsif (!grep { !/^\S+ - \?\?:0$/ && !is_part($_, $xprof) } @others) { $second++ }
		# At addresses in no function (padding, code without debug information) each tool guesses differently.
		elsif ($xprof =~ /^\S+ - \S+$/) { $nowhere++ }
		else { print "xprof    $xprof\neu       $others[0]\nbinutils $others[1]\nllvm     $others[2]\n" }
		# Both have names of their own for functions without a linkage name, or in a file of dwz.
		sub is_part {
			my @part = split / /, lines($_[0]);
			for my $line (split / /, lines($_[1])) { shift @part if @part && $line eq $part[0] }
			return !@part;
		}
		sub lines { join " ", grep { /:\d+$/ || /^0x/ } split / /, $_[0] }
		END { printf STDERR "%d addresses: %d as eu-addr2line, %d as addr2line or llvm-symbolizer, %d in no function\n",
			$addresses, $equal, $second, $nowhere }' >"$tmp/$1.differ" 2>"$tmp/$1.count"
	diag "$1: $(cat "$tmp/$1.count")"
	is "$(head -12 "$tmp/$1.differ")" "" "${1}_has_the_source_that_others_find"
	[ "${3-}" != all ] ||
		ok "${1}_agrees_with_elfutils_mostly" awk '{ exit !($3 >= 0.75 * ($1 - $9)) }' "$tmp/$1.count"
}

#!/usr/bin/env bash
# Stacks through code of run-time compilers with their default options: Java, PHP (PCRE2's compiler) and QEMU, if installed. As
# test/e2e/live_code.t, with real compilers.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
need_recording -e cpu-clock:u -g
[ "$(uname -m)" = x86_64 ] || skip_all "run-time code is read on x86-64 alone"
"$xprof" version --build-options | grep -qE 'libzydis +on' || skip_all "xprof was built without libzydis"
cd "$tmp" || exit

# NAME PERCENT COMMAND...: at least that share of the command's stacks reaches the start of their thread.
whole() {
	local name=$1 percent=$2 stacks
	shift 2
	"$xprof" record -q -e cpu-clock:u -F 499 -g -o "$name.data" -- "$@" >/dev/null 2>"$name.err"
	# "# Stacks: 2096, 1261 (60.16%) reach the start of their thread", "# 324 (15.46%) more do so ..."
	stacks=$("$xprof" report -i "$name.data" --stacks 2>>"$name.err" |
		awk '/^# Stacks: / { all = $3 + 0; whole = $4 } / more do so / { assumed = $2 } END { print all, whole + assumed, assumed + 0 }')
	diag "$name: stacks, whole ones, of these with assumed callers: $stacks"
	figure "$name: $(awk '{ printf "%.1f%%", $1 ? 100 * $2 / $1 : 0 }' <<<"$stacks") whole"
	read -r stacks <<<"${stacks% *}"
	ok "$name was sampled" [ "${stacks% *}" -ge 20 ]
	ok "$percent% of the stacks of $name are whole" [ $((${stacks#* } * 100)) -ge $((${stacks% *} * percent)) ]
}

cat >Work.java <<'END_OF_JAVA'
import java.util.*;
import java.util.stream.*;

public class Work {
	interface Node { double value(double x); }
	static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	static long depth(int n, long x) { return n == 0 ? x : depth(n - 1, x * 31 + n) ^ n; }
	static Node tree(int n) {
		if (n == 0)
			return x -> x;
		Node a = tree(n - 1), b = tree(n - 1);
		return n % 2 == 0 ? x -> a.value(x) + b.value(x) : x -> a.value(x) * b.value(x) % 7;
	}
	static long words(int seed) {
		String text = new Random(seed).ints(3000, 0, 500).mapToObj(i -> Integer.toString(i, 36)).collect(Collectors.joining(" "));
		Map<String, Long> counts = Arrays.stream(text.split("\\s+")).collect(Collectors.groupingBy(w -> w, TreeMap::new, Collectors.counting()));
		return counts.size() + text.replaceAll("[aeiou]+", "-").length();
	}
	public static void main(String[] arguments) throws Exception {
		Thread[] threads = new Thread[2];
		for (int t = 0; t < threads.length; t++) {
			threads[t] = new Thread(() -> {
				long total = 0, end = System.nanoTime() + 4_000_000_000L;
				for (int i = 0; System.nanoTime() < end; i++)
					total += fib(20) + depth(500, i) + (long) tree(8).value(i) + words(i);
				System.out.println(total);
			});
			threads[t].start();
		}
		for (Thread thread : threads)
			thread.join();
	}
}
END_OF_JAVA
if command -v javac >/dev/null && javac Work.java 2>javac.err; then
	whole java 95 java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit Work
	# depth() is called by itself and by main()'s lambda alone, wherever its code was inlined.
	"$xprof" report -i java.data --folded 2>/dev/null | tr ';' '\n' >frames
	ok "Java's methods are named" grep -q 'Work.depth(int, long)' frames
	wrong=$("$xprof" report -i java.data --folded 2>/dev/null |
		awk '{ n = split($0, f, ";"); for (i = 2; i <= n; i++)
			if (f[i] ~ /Work\.fib\(/ && f[i - 1] ~ /Work\.(depth|words|tree)\(/) wrong += $NF }
		END { print wrong + 0 }')
	is "$wrong" 0 "no method is found to be called by one that does not call it"
else
	skip "there is no compiler of Java's" "java's stacks are whole"
fi

cat >work.php <<'END_OF_PHP'
<?php
$text = '';
for ($i = 0; $i < 5000; $i++) $text .= base_convert((string)($i * 7919 % 5003), 10, 36) . ($i % 13 ? ' ' : "\n");
for ($end = microtime(true) + 3, $n = 0; microtime(true) < $end;) {
	$n += preg_match_all('/(\w+)\s+.*?\b(\1)\b/s', substr($text, 0, 2000), $found);
	$n += preg_match_all('/([a-z]+)([0-9]+)\s+(?=[a-z0-9]+)/', $text, $found);
	$n += count(preg_split('/(?<=[0-9])\s+/', $text));
}
echo $n;
END_OF_PHP
if command -v php >/dev/null && php -r 'exit(ini_get("pcre.jit") ? 0 : 1);'; then
	whole php 98 php work.php
else
	skip "there is no PHP with PCRE2's compiler" "php's stacks are whole"
fi

cat >work.c <<'END_OF_C'
#include <time.h>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void)
{
	volatile int total = 0;
	for (time_t end = time(0) + 3; time(0) < end;)
		total += fib(20);
	return 0;
}
END_OF_C
if command -v qemu-aarch64 >/dev/null && aarch64-linux-gnu-gcc -O2 -static -o work work.c 2>gcc.err; then
	whole qemu 95 qemu-aarch64 ./work
else
	skip "there is no QEMU, or no compiler for aarch64" "qemu's stacks are whole"
fi
done_testing

#!/usr/bin/env bash
# xprof and perf give the code at thousands of random addresses of this machine's libraries and kernel the same names. The
# recording is made by hand, so that every function can have a sample, not only those that happen to run.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf

# FILE ADDRESSES...: a perf.data with one mapping per file, one below the other, and samples
# at random offsets of their executable segments; [kernel] stands for the kernel's text.
make_recording() {
	perl - "$@" <<'END'
use strict;
use warnings;
no warnings 'portable'; # numbers of 64 bits
my ($to, $count, @files) = @ARGV;
my ($records, $base) = ('', 0x7f0000000000);
srand 1;

sub record { my ($type, $misc, $body) = @_; return pack('LSS', $type, $misc, 8 + length $body) . $body; }
sub text { my $t = $_[0] . "\0"; return $t . "\0" x (-length($t) % 8); }
sub sample { return record(9, $_[0] >> 63 ? 1 : 2, pack('QLLQ', $_[0], 4242, 4242, 1)); }

# First offset and size of the largest executable PT_LOAD of a 64-bit file (struct Elf64_Phdr).
sub code {
	open my $file, '<:raw', $_[0] or return;
	read $file, my $header, 4096;
	my ($at, $size, $number) = (unpack('Q', substr $header, 32), unpack 'SS', substr $header, 54, 4);
	my @largest = (0, 0);
	for (0 .. $number - 1) {
		my ($type, $flags, $offset, $vaddr, $paddr, $bytes) = unpack 'LLQQQQ', substr $header, $at + $_ * $size, 40;
		@largest = ($offset, $bytes) if $type == 1 && $flags & 1 && $bytes > $largest[1];
	}
	return @largest;
}

$records .= record(3, 0, pack('LL', 4242, 4242) . text('names'));
for my $name (@files) {
	if ($name eq '[kernel]') {
		my %at;
		open my $symbols, '<', '/proc/kallsyms' or die;
		while (<$symbols>) { $at{$2} = hex $1 if /^(\S+) T (_text|_etext)$/; }
		$records .= record(1, 1, pack('LLQQQ', 0xffffffff, 0, $at{_text}, ~0 - $at{_text}, $at{_text}) . text('[kernel.kallsyms]_text'));
		$records .= sample($at{_text} + int rand($at{_etext} - $at{_text})) for 1 .. $count;
		next;
	}
	my ($offset, $size) = code($name);
	my $length = (-s $name) + 4095 & ~4095;
	$records .= record(1, 2, pack('LLQQQ', 4242, 4242, $base, $length, 0) . text($name));
	$records .= sample($base + $offset + int rand $size) for 1 .. $count;
	$base += $length + 4096;
}

# struct perf_event_attr, version 5: a cpu-clock that counts 1 for each sample: IP, TID, TIME.
my $attr = pack('LLQQQQQ', 1, 112, 0, 1, 7, 0, 0) . "\0" x 64;
my @features = map { my $t = text($_); pack('L', length $t) . $t } `uname -n` =~ s/\n//r, `uname -r` =~ s/\n//r;
my $data = 104 + 128;
my $after = $data + length($records) + 16 * @features;
my $table = '';
for (@features) { $table .= pack 'QQ', $after, length; $after += length; }
open my $file, '>:raw', $to or die;
# struct perf_file_header; features 3 and 4 are the names of the host and of its kernel's release.
print $file 'PERFILE2', pack('QQQQQQQQQQQQ', 104, 128, 104, 128, $data, length $records, 0, 0, 1 << 3 | 1 << 4, 0, 0, 0),
	$attr, pack('QQ', 0, 0), $records, $table, @features;
END
}

# SAMPLES|DSO|SYMBOL, sorted
rows() {
	sed -E 's/[[:space:]]*\|[[:space:]]*/|/g; s/^[[:space:]]+//; s/[[:space:]]+$//' | grep -vE '^(#|$)' | sort
}

# Intended differences from perf, as src/symbol/README.md says: entries of procedure linkage tables, which perf counts, and data
# that lies among code, which perf names like functions. Functions without a name are addresses in perf.
without_known_differences() {
	grep -vE '@plt$|\[\.\] (\.plt|_init)|\[\.\] (typeinfo|vtable|guard)|\[\.\] (.*\+)?0x[0-9a-f]+$'
}

is_elf_64() {
	[ "$(head -c 5 "$1" 2>/dev/null)" = $'\x7fELF\x02' ]
}

# NAME FILE
names_are_equal() {
	local name=$1 file=$2
	if [ "$file" != '[kernel]' ] && ! is_elf_64 "$file"; then
		diag "skipped: no 64-bit ELF file $file"
		return
	fi
	make_recording "$tmp/$name.data" 5000 "$file" || return
	perf_quietly report -i "$tmp/$name.data" --stdio --no-inline -F sample,dso,symbol -t '|' | rows >"$tmp/$name.perf"
	"$xprof" report --no-inline -i "$tmp/$name.data" -F sample,dso,symbol -t '|' 2>"$tmp/$name.err" | rows >"$tmp/$name.xprof"
	ok "${name}_has_many_names" test "$(wc -l <"$tmp/$name.xprof")" -ge 20
	is "$(diff <(without_known_differences <"$tmp/$name.perf") <(without_known_differences <"$tmp/$name.xprof") | head -20)" "" \
		"${name}_is_named_as_perf_names_it"
}

libraries=$(dirname "$(ldconfig -p 2>/dev/null | sed -n 's/.*libc\.so\.6 (.*x86-64.*) => //p' | head -1)")
names_are_equal libc "$libraries/libc.so.6"
names_are_equal libstdcxx "$libraries/libstdc++.so.6"
names_are_equal dynamic_linker /lib64/ld-linux-x86-64.so.2
names_are_equal perf "$(readlink -f "$(command -v perf)")"
names_are_equal make "$(readlink -f "$(command -v make)")"
if grep -qE '^0*[1-9a-f][0-9a-f]* T _text$' /proc/kallsyms 2>/dev/null; then
	names_are_equal kernel '[kernel]'
else
	diag "skipped: this user may not see the kernel's addresses"
fi

done_testing

#!/usr/bin/env perl
# name_equality.pl [--foreign] [--unwound] PERF XPROF: compares the output of perf script and xprof script with "--no-inline -F
# comm,pid,ip,sym,symoff,dso" for one recording: the function, and the offset in it, of every address of every process. Prints
# "COUNT<tab>KIND" for each kind of answer, and examples of unexplained differences as lines that begin with "! ". Exit status 1
# if there are any.
#   --foreign: recorded on another machine; --unwound: the two unwind stacks each in its own way
use strict;
use warnings;

my %flag;
$flag{ shift @ARGV } = 1 while @ARGV && $ARGV[0] =~ /^--/;

my (%names, %comms); # "pid ip dso" => [perf's, xprof's]; pid => names of its programs
for my $side (0, 1) {
	open my $file, '<', $ARGV[$side] or die "$0: $ARGV[$side]: $!\n";
	my $pid = '';
	while (<$file>) {
		if (/^(\S.*?)\s+(-?\d+)\s*$/) {
			$pid = $2;
			$comms{$pid}{$1} = 1;
		} elsif (/^\s+([0-9a-f]+) (.*) \((.*)\)$/) {
			$names{"$pid\t$1\t$3"}[$side]{$2} = 1;
		}
	}
}

# Is the symbol one of data? perf shows data symbols in executable segments; an address there is not a return address but a word
# that a chain of frame pointers took for one.
sub is_data {
	my ($symbol, $dso) = @_;
	return 1 if $symbol =~ /^(typeinfo|vtable|VTT|guard variable|construction vtable)\b/;
	$symbol =~ s/\+0x[0-9a-f]+$//;
	for my $table ([], ['-D']) {
		open my $nm, '-|', 'sh', '-c', 'exec nm -C --defined-only "$@" 2>/dev/null', 'nm', @$table, $dso or next;
		while (<$nm>) { return 1 if /^[0-9a-f]+ [BbDdRrVvuSs] \Q$symbol\E(\(.*\)|\@.*)?$/; }
	}
	return 0;
}

# Did the compiler fold equal functions of Rust into one, so that several names begin there? The name that is longest when shown
# is taken; perf's demangler leaves some mangled that others read, and the other way around.
sub is_folded_rust {
	my ($ip, $perf, $xprof, $dso) = @_;
	my ($offset) = $perf =~ /\+(0x[0-9a-f]+)$/ or return 0;
	return 0 unless $xprof =~ /\Q$offset\E$/;
	my $start = sprintf '%016x', hex($ip) - hex $offset;
	for my $table ([], ['-D']) {
		open my $nm, '-|', 'sh', '-c', 'exec nm --defined-only "$@" 2>/dev/null', 'nm', @$table, $dso or next;
		my @there = grep { /^$start [TtWw] _(R|ZN.*17h[0-9a-f]{16}E)/ } <$nm>;
		return 1 if @there > 1;
	}
	return 0;
}

# The kinds, each with its reason (src/symbol/README.md, "The same names as perf"); undef: nothing explains it.
sub kind {
	my ($perf, $xprof, $pid, $ip, $dso) = @_;
	if (!defined $perf or !defined $xprof) {
		my $name = $perf // $xprof;
		return 'in one of the two: no name there either' if $name eq '[unknown]';
		return 'in one of the two: stacks were unwound in different ways' if $flag{'--unwound'};
		# perf looks up addresses of a chain in the mappings that a process had before it executed another program.
		return 'in one of the two: process that executed another program' if keys %{ $comms{$pid} } > 1;
		return;
	}
	return 'the same function and offset' if $perf eq $xprof && $perf ne '[unknown]';
	return 'no name in either' if $perf eq $xprof;
	return 'a name where perf has none' if $perf eq '[unknown]';
	# A return address at the very beginning of a function belongs to the code in front, so perf has two answers.
	return 'one of two answers that perf has' if grep { $_ eq $xprof } split / \| /, $perf;
	if ($xprof eq '[unknown]') {
		# perf names kernel and vdso of another machine by the ones that run here, which is wrong.
		return 'none where perf takes the kernel or vdso of this machine'
			if $flag{'--foreign'} && $dso =~ /^\[(kernel|guest\.kernel|vdso)/;
		return 'none where perf names data' if is_data($perf, $dso);
		return;
	}
	return 'PLT entry, which perf counts instead of reading it' if "$perf $xprof" =~ /\@plt\b/;
	# perf extends the last function of .init up to the next symbol it knows; the PLT's first entry has none.
	return 'head of the PLT, which perf counts to the function in front of it'
		if $xprof =~ /^\.plt\+0x[0-9a-f]$/ && $perf =~ /^_init\+/;
	return 'D name, which perf leaves mangled' if $perf =~ /^_D\d/;
	return 'one of several names of equal functions of Rust' if is_folded_rust($ip, $perf, $xprof, $dso);
	return 'run-time code at an address that was used before: the younger' if $dso =~ /perf-\d+\.map$|^\[JIT\]/;
	return;
}

my (%count, @unexplained);
for my $key (sort keys %names) {
	my ($perf, $xprof) = map { $_ ? join(' | ', sort keys %$_) : undef } @{ $names{$key} }[0, 1];
	my ($pid, $ip, $dso) = split /\t/, $key;
	my $kind = kind($perf, $xprof, $pid, $ip, $dso);
	push @unexplained, "! $dso $ip: perf " . ($perf // '-') . ', xprof ' . ($xprof // '-') unless defined $kind;
	$count{ $kind // 'UNEXPLAINED' }++;
}
print "$count{$_}\t$_\n" for sort { $count{$b} <=> $count{$a} } keys %count;
print "$_\n" for @unexplained > 10 ? @unexplained[0 .. 9] : @unexplained;
exit(@unexplained ? 1 : 0);

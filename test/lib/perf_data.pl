#!/usr/bin/env perl
# perf_data.pl FILE <LINES: writes a perf.data by hand, for cases that cannot be recorded here. A line each:
#   host NAME | release RELEASE            the recorded machine
#   build-id kernel|user HEX PATH          HEADER_BUILD_ID's entries
#   comm PID NAME
#   map PID START SIZE PGOFF PATH          PERF_RECORD_MMAP of user space
#   kernel START SIZE PGOFF PATH           likewise of the kernel
#   sample PID ADDRESS
# All numbers except PIDs are hexadecimal. All times are 1. One cpu-clock event that counts 1 for each sample.
use strict;
use warnings;
no warnings 'portable'; # numbers of 64 bits

my ($records, %text, @build_ids) = ('');
sub record { my ($type, $misc, $body) = @_; return pack('LSS', $type, $misc, 8 + length $body) . $body; }
sub text { my $t = $_[0] . "\0"; return $t . "\0" x (-length($t) % 8); }

while (my $line = <STDIN>) {
	chomp $line;
	my ($kind, @words) = split ' ', $line;
	next unless defined $kind;
	if ($kind eq 'host' or $kind eq 'release') {
		$text{$kind} = $words[0];
	} elsif ($kind eq 'build-id') {
		my $id = pack 'H*', $words[1];
		# struct build_id_event: pid, 20 bytes of id, its size, two reserved
		my $body = pack('La20C', -1, $id, length $id) . "\0" x 3 . text($words[2]);
		push @build_ids, pack('LSS', 67, ($words[0] eq 'kernel' ? 1 : 2) | 1 << 15, 8 + length $body) . $body;
	} elsif ($kind eq 'comm') {
		$records .= record(3, 0, pack('LL', @words[0, 0]) . text($words[1]) . pack('LLQ', @words[0, 0], 1));
	} elsif ($kind eq 'map') {
		$records .= record(1, 2, pack('LLQQQ', @words[0, 0], map { hex } @words[1 .. 3]) . text($words[4])
			. pack('LLQ', @words[0, 0], 1));
	} elsif ($kind eq 'kernel') {
		$records .= record(1, 1, pack('LLQQQ', 0xffffffff, 0, map { hex } @words[0 .. 2]) . text($words[3])
			. pack('LLQ', 0xffffffff, 0, 1));
	} elsif ($kind eq 'sample') {
		my $at = hex $words[1];
		$records .= record(9, $at >> 63 ? 1 : 2, pack('QLLQ', $at, @words[0, 0], 1));
	} else {
		die "$0: unknown line: $line\n";
	}
}

# struct perf_event_attr, version 5, sample_id_all: IP, TID, TIME.
my $attr = pack('LLQQQQQ', 1, 112, 0, 1, 7, 0, 1 << 18) . "\0" x 64;
my %feature = (2 => join('', @build_ids));
$feature{3} = pack('L', length text($text{host})) . text($text{host}) if $text{host};
$feature{4} = pack('L', length text($text{release})) . text($text{release}) if $text{release};
delete $feature{2} unless @build_ids;
my ($data, $bits, $table) = (104 + 128, 0, '');
my $after = $data + length($records) + 16 * keys %feature;
for (sort keys %feature) {
	$bits |= 1 << $_;
	$table .= pack 'QQ', $after, length $feature{$_};
	$after += length $feature{$_};
}
open my $file, '>:raw', $ARGV[0] or die "$0: $ARGV[0]: $!\n";
print $file 'PERFILE2', pack('QQQQQQQQQQQQ', 104, 128, 104, 128, $data, length $records, 0, 0, $bits, 0, 0, 0),
	$attr, pack('QQ', 0, 0), $records, $table, map { $feature{$_} } sort keys %feature;

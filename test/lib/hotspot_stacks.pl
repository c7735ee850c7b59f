#!/usr/bin/env perl
# Turns the output of hotspot's parser on standard input into a line for each process: "PID SAMPLES DEEP", where DEEP samples
# have at least FRAMES frames. The stream is "QPERFSTREAM\0", a version, then events, each after its size (little endian) and in
# QDataStream's big endian; samples are { s8 type, s32 pid, s32 tid, u64 time, u32 cpu, u32 frames, ... }.
#
# usage: hotspot_stacks.pl FRAMES <OUTPUT
use strict;
use warnings;

my ($least) = @ARGV;
my ($SAMPLE, $TRACEPOINT_SAMPLE) = (13, 14);
binmode STDIN;
local $/ = undef;
my $stream = <STDIN>;
die "no stream of hotspot's parser\n" unless substr($stream, 0, 12) eq "QPERFSTREAM\0";
my (%samples, %deep);
for (my $at = 16; $at + 4 <= length $stream;) {
	my $size = unpack('V', substr($stream, $at, 4));
	my $event = substr($stream, $at + 4, $size);
	$at += 4 + $size;
	my $type = unpack('c', $event);
	next unless $type == $SAMPLE || $type == $TRACEPOINT_SAMPLE;
	my ($pid, $frames) = unpack('x l> x4 x8 x4 N', $event);
	$samples{$pid}++;
	$deep{$pid} += $frames >= $least;
}
printf "%d %d %d\n", $_, $samples{$_}, $deep{$_} for sort { $a <=> $b } keys %samples;

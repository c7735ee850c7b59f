#!/usr/bin/env perl
# COMMAND...: does the work of test/lib/run.sh, which calls it. Ends with the command's status, 128 + N if signal N ended it.
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Path qw(make_path);
use IO::Select;
use POSIX qw(WNOHANG);

my $name = $ENV{TEST_NAME};
$| = 1;

sub start {
	my ($out, $err) = @_;
	my $pid = fork // die "fork: $!\n";
	return $pid if $pid;
	open(STDOUT, '>&', $out) or die "$!\n";
	open(STDERR, '>&', $err) or die "$!\n";
	exec { $ARGV[0] } @ARGV or print STDERR "$ARGV[0]: $!\n";
	POSIX::_exit(127);
}

sub append {
	my ($path, $text) = @_;
	open(my $file, '>>', $path) or die "$path: $!\n";
	print $file $text;
	close $file;
}

sub open_log {
	return unless $ENV{TEST_LOGS};
	my $path = "$ENV{TEST_LOGS}/$name.log";
	make_path(dirname($path));
	open(my $file, '>', $path) or die "$path: $!\n";
	$file->autoflush(1);
	return $file;
}

# One line of the test's standard output.
sub tap_line {
	my ($line) = @_;
	$line =~ s/^not (ok \d+ # SKIP)/$1/;
	print $line;
	my $reason = $line =~ /^ok \d+ - (.*) # SKIP\b ?(.*)/ ? ($2 ne '' ? "$2 - $1" : $1)
		: $line =~ /^(?:ok \d+|1\.\.0) # SKIP ?(.*)/ ? $1 : undef;
	append($ENV{SKIPPED}, "$name: $reason\n") if defined $reason && $ENV{SKIPPED};
	return $line;
}

pipe(my $out, my $out_end) && pipe(my $err, my $err_end) or die "pipe: $!\n";
my $log = open_log();
my $pid = start($out_end, $err_end);
close $out_end;
close $err_end;

# Reads standard output to its end, but standard error only until the test has ended, because processes that the test left
# running may hold it open.
my $open = IO::Select->new($out, $err);
my ($line, $reading, $ended, $status) = ('', 1, 0, 0);
while ($open->count) {
	my @ready = $open->can_read($reading ? undef : 0.05);
	last if !@ready && $ended;
	for my $from (sort { ($a == $err) <=> ($b == $err) } @ready) {
		if (!sysread($from, my $text, 65536)) {
			$open->remove($from);
			$reading = 0 if $from == $out;
		} elsif ($from == $err) {
			print STDERR $text;
			print $log $text if $log;
		} else {
			$line .= $text;
			while ($line =~ s/^(.*\n)//) {
				my $shown = tap_line($1);
				print $log $shown if $log;
			}
		}
	}
	if (!$reading && !$ended && waitpid($pid, WNOHANG) == $pid) {
		($ended, $status) = (1, $?);
	}
}
if ($line ne '') {
	my $shown = tap_line($line);
	print $log "$shown\n" if $log;
}
if (!$ended) {
	waitpid($pid, 0);
	$status = $?;
}
$status = $status & 127 ? 128 + ($status & 127) : $status >> 8;
print $log "# exit status $status\n" if $log && $status;
exit $status;

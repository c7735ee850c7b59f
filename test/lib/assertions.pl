#!/usr/bin/env perl
# FILE...: prints the tests of these cmocka programs that assert nothing, themselves or by what they call: functions and macros
# of the file, or of test/support and test/truth.
use strict;
use warnings;
use FindBin;

# Without its comments.
sub text {
	local $/;
	open(my $file, '<', $_[0]) or die "$_[0]: $!\n";
	return <$file> =~ s{/\*.*?\*/}{}gsr;
}

# By name, the bodies of the functions and macros that are defined in a text.
sub definitions {
	my ($text) = @_;
	my %body;

	$body{$1} .= $2 while $text =~ /^(?!\s)[^\n;{}#]*?\b(\w+)\([^;{}]*?\)\s*\n\{\n(.*?)^\}/msg;
	$body{$1} .= $2 while $text =~ /^#define (\w+)\(((?:.*\\\n)*.*)$/mg;
	return %body;
}

# Of these definitions those that assert, besides those that are known to.
sub asserting {
	my ($asserts, %body) = @_;
	my %asserts = %$asserts;
	my $found = 1;

	delete @asserts{keys %body};
	while ($found) {
		$found = 0;
		for my $name (grep { !$asserts{$_} } keys %body) {
			next unless $body{$name} =~ /\b(?:assert_\w+|fail|fail_msg)\s*\(/
				or grep { $asserts{$_} } $body{$name} =~ /\b(\w+)\b/g;
			$found = $asserts{$name} = 1;
		}
	}
	return %asserts;
}

my $tests = "$FindBin::Bin/..";
my %shared = asserting({}, map { definitions(text($_)) } glob("$tests/support/*.[ch] $tests/truth/*.[ch]"));
for my $path (@ARGV) {
	my $text = text($path);
	my %asserts = asserting(\%shared, definitions($text));

	while ($text =~ /^static void (\w+)\(void \*\*\w+\)$/mg) {
		print "$path: $1\n" unless $asserts{$1};
	}
}

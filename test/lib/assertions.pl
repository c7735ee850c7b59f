#!/usr/bin/env perl
# FILE...: prints the tests of these cmocka programs that assert nothing, neither themselves nor through the functions and
# macros they call, of the file, or of test/support and test/truth.
use strict;
use warnings;
use FindBin;

# The text without its comments.
sub text {
	local $/;
	open(my $file, '<', $_[0]) or die "$_[0]: $!\n";
	return <$file> =~ s{/\*.*?\*/}{}gsr;
}

# Returns the bodies of the functions and macros that a text defines, by name.
sub definitions {
	my ($text) = @_;
	my %body;

	$body{$1} .= $2 while $text =~ /^(?!\s)[^\n;{}#]*?\b(\w+)\([^;{}]*?\)\s*\n\{\n(.*?)^\}/msg;
	$body{$1} .= $2 while $text =~ /^#define (\w+)\(((?:.*\\\n)*.*)$/mg;
	return %body;
}

# Returns the definitions that assert, in addition to those already known to.
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

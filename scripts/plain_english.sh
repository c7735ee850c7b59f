#!/usr/bin/env bash
# Fails on the worst riddles in comments (CONTRIBUTING.md, "What the code reads like"): a sentence that begins with a free What, Who,
# Which or Whoever and is no question, and "nobody" where NULL or a named subject is meant; and on a room's README of more than a page.
set -u
cd "$(dirname "$0")/.." || exit

PAGE_LINES=70 # a screen and a half; longer material belongs into doc/

# Prints FILE:LINE: SENTENCE for each sentence of a comment that matches. Strings are skipped, so that "/*" in them opens nothing.
riddles() {
	perl -0777 -ne '
		while (m{"(?:\\.|[^"\\\n])*"|\x27(?:\\.|[^\x27\\\n])*\x27|(/\*.*?\*/|//[^\n]*)}gs) {
			next unless defined $1;
			my ($text, $line) = ($1, 1 + (substr($_, 0, $-[1]) =~ tr/\n//));
			$text =~ s{^/[*/]+|\*/$}{}g;
			$text =~ s{\n\s*\*}{\n}g;
			$text =~ s{\s+}{ }g;
			foreach my $sentence (split /(?<=[.!?]) +/, $text) {
				print "$ARGV:$line:$sentence\n" if $sentence =~ /\b[Nn]obody\b/ ||
					$sentence =~ /^ ?(What|Who|Which|Whoever|Whom|Whose|Whatever) .*[^?]$/;
			}
		}' "$@"
}

failed=0
mapfile -t sources < <(git ls-files '*.c' '*.h')
if riddles "${sources[@]}" | grep .; then
	echo "plain_english: name the subject: only a question begins with What, Who or Which; nobody is not NULL"
	failed=1
fi
for source in $(git ls-files 'src/*.c'); do
	[ "$(head -c 2 "$source")" = "/*" ] || { echo "plain_english: $source does not begin with what it is for"; failed=1; }
done
for readme in $(git ls-files 'src/*README.md'); do
	lines=$(wc -l <"$readme")
	if [ "$lines" -gt $PAGE_LINES ]; then
		echo "plain_english: $readme has $lines lines, a page is $PAGE_LINES: move the rest to doc/"
		failed=1
	fi
	if grep -nP '\b[Nn]obody\b|^(\| )?(What|Who|Which|Whoever) [^?]*$' "$readme" | sed "s|^|$readme:|" | grep .; then
		echo "plain_english: name the subject"
		failed=1
	fi
done
exit $failed

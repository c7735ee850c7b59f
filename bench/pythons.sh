#!/usr/bin/env bash
# Several python3 programs at once, for SECONDS each: typical work of script interpreters.
#
# usage: pythons.sh SECONDS
set -eu
seconds=$1

# BODY: an expression or statements, run again and again until the time is over.
run() {
	python3 -c "
import collections, functools, hashlib, itertools, json, re, sqlite3, textwrap, time, zlib
end = time.time() + $seconds
text = textwrap.dedent(json.__doc__ + re.__doc__) * 4
words = re.findall(r'[a-zA-Z]+', text)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
class point:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __add__(self, other):
        return point(self.x + other.x, self.y + other.y)
while time.time() < end:
    $1
" &
}

run "json.loads(json.dumps({word: [len(word), word * 3] for word in words}))"
run "re.sub(r'(\w+)\s+(\w+)', r'\2 \1', text); re.findall(r'(?:a|e|i)[^ ]*n\b', text)"
run "fib(18)"
run "sorted(words, key=lambda word: (word.lower(), len(word))); collections.Counter(words).most_common(10)"
run "functools.reduce(lambda a, b: a + b, (point(i, -i) for i in range(2000)))"
run "hashlib.sha256(zlib.compress(text.encode())).hexdigest(); list(itertools.permutations(words[:6]))"
run "c = sqlite3.connect(':memory:'); c.execute('create table t (w)'); c.executemany('insert into t values (?)', ((w,) for w in words)); c.execute('select w, count(*) from t group by w').fetchall()"
wait

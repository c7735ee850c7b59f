"""What `perf report -D` prints -> "LENGTH SAMPLES" lines: how long the paths of perf report --branch-history are.

By perf's rules, but for the callers that it leaves out: turns of a loop are one, a call that is among the branches is not
among the callers, too.
"""
import re
import sys

SLOTS = 127
MARKERS = 2 ** 64 - 4095  # PERF_CONTEXT_MAX


def slot(address):
    return (address * 0x61c8864680b583eb % 2 ** 64 >> 57) % SLOTS


def without_loops(sources):
    """Addresses that branches came from, the latest first, without those of repeated turns."""
    seen, i = {}, 0
    while i < len(sources):
        first = seen.setdefault(slot(sources[i]), i)
        if first != i and sources[first] == sources[i]:
            again = sources[i:i + i - first]
            if again == sources[first:first + len(again)]:
                del sources[i:i + len(again)]
        i += 1
    return sources


def path_length(chain, sources):
    """The chain with its markers, the addresses that branches came from: both with the latest first."""
    at = covered = 0
    for source in sources:
        if at == len(chain):
            break
        if chain[at] >= MARKERS:
            at += 1
        elif source < chain[at] <= source + 8:
            at += 1
            covered += 1
    return 2 * len(without_loops(sources)) + sum(address < MARKERS for address in chain) - covered


def lengths():
    chain, sources = [], []
    for line in sys.stdin:
        number = re.match(r"\.{5} +\d+: ([0-9a-f]+)( -> )?", line)
        if number:
            (sources if number[2] else chain).append(int(number[1], 16))
        elif line.startswith(" ... thread: "): # ends a sample
            if chain or sources:
                yield path_length(chain, sources)
            chain, sources = [], []


counts = {}
for length in lengths():
    counts[length] = counts.get(length, 0) + 1
for length in sorted(counts):
    print(length, counts[length])

#!/usr/bin/env python3
"""Measures how much recording the whole system slows programs down.

Stock programs without frame pointers run on, one bound to each CPU, and write a byte after each fraction of a millisecond of work.
A recorder runs beside them. It slows them down in two ways, which are measured one by one:

- Sampling interrupts them. The recorder's sampling is turned on and off again and again (--control), and how much the programs do in
  the spans in which it samples is compared with what they do in the spans beside them: a pair is SLOWDOWN_SECONDS of each, in short
  turns whose order changes by chance, so that what else the machine does reaches both alike: on a virtual machine whose speed varied
  by 18% from second to second, pairs of five seconds varied by 5.4% with turns of one second and by 0.7% with these. A turn begins
  when the recorder has answered: that it is woken at each turn does not count.
- The recorder itself takes their CPUs: its CPU time while it samples without a break for SLOWDOWN_STEADY seconds, as a share of all
  CPUs. (What it drives out of their caches then, every two seconds, is not seen. Nor is what the beginning of a recording costs: the
  rows "startup" of bench.sh show it.)

Prints both, and both together: the median of the pairs' ratios with its 95% interval (of order statistics, which assumes nothing
about how times are distributed), and as a control the same for every other span without sampling against the rest of these: its
interval has to hold 1.

With SLOWDOWN_PROGRAMS=spin, the programs only look at the clock (spin.c), which shows what the interrupts take themselves, with far
less noise, but not what they drive out of programs' caches.

PAIRS=30, SLOWDOWN_SECONDS=10, SLOWDOWN_STEADY=30, SLOWDOWN_RATE=99 and SLOWDOWN_RECORDERS="xprof perf-dwarf-z" choose, XPROF and
PERF_OTHER name programs.

usage: slowdown.py
"""
import os
import random
import select
import signal
import statistics
import subprocess
import sys
import time
from math import comb

TURN = 0.05  # seconds
ANSWER = 30  # seconds in which a recorder has to answer a command

PYTHON_ROUNDS = """
import json, os, re
rows = [{"name": "row%d" % i, "value": i} for i in range(60)]
def walk(depth):
    return len(json.loads(json.dumps(rows))) if depth == 0 else walk(depth - 1)
while True:
    walk(20)
    re.findall("a(b|c)+d", "abcd" * 50)
    os.write(1, b".")
"""
AWK_ROUNDS = """
function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) }
BEGIN { for (;;) { f(15); printf "."; fflush() } }
"""

environment = os.environ.get
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.path.abspath(os.path.join(root, environment("BUILD", "build")))
xprof = os.path.abspath(environment("XPROF", os.path.join(build, "xprof")))
rate = environment("SLOWDOWN_RATE", "99")
pairs = int(environment("PAIRS", "30"))
turns = max(2, round(float(environment("SLOWDOWN_SECONDS", "10")) / TURN))
steady_seconds = float(environment("SLOWDOWN_STEADY", "30"))
spins = environment("SLOWDOWN_PROGRAMS", "stock") == "spin"
spin = os.path.join(build, "bench", "spin")
if spins and not os.path.exists(spin):
    sys.exit("slowdown: no bench/spin in BUILD: 'make build/bench/spin' builds it")
names = environment("SLOWDOWN_RECORDERS", "xprof perf-dwarf-z").split()


def command(name):
    """The command of a recorder that waits until it is to sample."""
    perf = ["perf", "record", "-q", "-B"]
    known = {
        "xprof": [xprof, "record", "-q", "-g"],
        "xprof-no-stacks": [xprof, "record", "-q"],
        "xprof-fp": [xprof, "record", "-q", "--call-graph", "fp"],
        "perf-dwarf-z": [*perf, "--call-graph", "dwarf", "-z"],
        "perf-fp": [*perf, "--call-graph", "fp"],
        "other-dwarf-z": [environment("PERF_OTHER", "perf"), *perf[1:], "--call-graph", "dwarf", "-z"],
    }
    if name not in known:
        sys.exit(f"slowdown: no recorder is called '{name}'")
    return [*known[name], "-a", "-F", rate, "-D", "-1", "-o", f"{name}.data"]


class Programs:
    def __init__(self, cpus):
        self.files = []
        self.running = []
        for place, cpu in enumerate(cpus):
            stock = ["awk", AWK_ROUNDS] if place % 2 else ["python3", "-c", PYTHON_ROUNDS]
            rounds = [spin] if spins else stock
            file = os.open(f"done.{cpu}", os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
            self.files.append(file)
            self.running.append(subprocess.Popen(["taskset", "-c", str(cpu), *rounds], stdout=file, stdin=subprocess.DEVNULL))

    def forget(self):
        for file in self.files:
            os.ftruncate(file, 0)

    def rounds(self):
        """How many each program has done since they were forgotten."""
        return [os.fstat(file).st_size for file in self.files]

    def end(self):
        for program in self.running:
            program.kill()


class Recorder:
    def __init__(self, name):
        for fifo in ("control", "answer"):
            if os.path.exists(fifo):
                os.unlink(fifo)
            os.mkfifo(fifo)
        self.control, self.answer = os.open("control", os.O_RDWR), os.open("answer", os.O_RDWR)
        with open("recorder.log", "wb") as log:
            self.process = subprocess.Popen([*command(name), "--control", "fifo:control,answer"], stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log)

    def obey(self, what):
        os.write(self.control, what + b"\n")
        if not select.select([self.answer], [], [], ANSWER)[0] or not os.read(self.answer, 100).startswith(b"ack"):
            raise OSError("the recorder does not answer")

    def cpu_time(self):
        """Seconds that all its threads ran."""
        tasks = f"/proc/{self.process.pid}/task"
        total = 0
        for task in os.listdir(tasks):
            with open(f"{tasks}/{task}/schedstat") as file:
                total += int(file.read().split()[0])
        return total / 1e9

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()  # perf ends by the signal
        os.close(self.control)
        os.close(self.answer)


class Work:
    """What was done in some turns of one kind."""
    def __init__(self):
        self.seconds, self.rounds = 0.0, [0] * len(cpus)

    def add(self, seconds, rounds):
        self.seconds += seconds
        self.rounds = [a + b for a, b in zip(self.rounds, rounds)]

    def speeds(self):
        return [rounds / self.seconds for rounds in self.rounds]


def take_turn(recorder, programs, sampling, works):
    """A turn, added to each of the works."""
    recorder.obey(b"enable" if sampling else b"disable")
    recorder.obey(b"ping")  # answered after it has read its rings
    rounds, begin = programs.rounds(), time.monotonic()
    time.sleep(TURN)
    seconds, done = time.monotonic() - begin, [b - a for a, b in zip(rounds, programs.rounds())]
    for work in works:
        work.add(seconds, done)


def steady_share(recorder):
    """The share of all CPUs that the recorder takes while it samples without a break."""
    recorder.obey(b"enable")
    cpu_seconds, begin = recorder.cpu_time(), time.monotonic()
    time.sleep(steady_seconds)
    share = (recorder.cpu_time() - cpu_seconds) / (time.monotonic() - begin) / len(cpus)
    recorder.obey(b"disable")
    return share


def ratio(without, sampling):
    """How much longer the same work takes, the mean of the programs."""
    return statistics.mean(a / b for a, b in zip(without.speeds(), sampling.speeds()))


def interval(values):
    """The 95% interval of the median, or None for too few values."""
    count = len(values)
    below, place = 0.0, 0
    while 2 * (below + comb(count, place) / 2**count) <= 0.05:
        below += comb(count, place) / 2**count
        place += 1
    return (values[place - 1], values[count - place]) if place else None


def line(name, values):
    values = sorted(values)
    within = interval(values)
    text = f"{within[0]:.4f} to {within[1]:.4f}" if within else "(too few pairs for an interval)"
    print(f"{name:24} {statistics.median(values):9.4f}   {text}   {len(values)} pairs", flush=True)


def compare(name, programs):
    recorder = Recorder(name)
    ratios, controls = [], []
    try:
        share = steady_share(recorder)
        for _ in range(pairs):
            sampled, without, halves = Work(), Work(), (Work(), Work())
            programs.forget()
            for number in range(turns):
                for sampling in random.sample((True, False), 2):
                    take_turn(recorder, programs, sampling, [sampled] if sampling else [without, halves[number % 2]])
            controls.append(ratio(*halves))
            ratios.append(ratio(without, sampled))
    except OSError as error:
        with open("recorder.log") as log:
            sys.exit(f"slowdown: {name} failed: {error}: {log.read(300)}")
    finally:
        recorder.end()
    line(f"{name}, interrupts", ratios)
    line("  control", controls)
    print(f"  the recorder itself: {share:.3%} of all CPUs")
    line("  together", [one + share for one in ratios])
    size = os.path.getsize(f"{name}.data")
    print(f"  {size / 1e6:.1f} MB", flush=True)
    os.unlink(f"{name}.data")


work = os.path.join(build, "bench", "slowdown")
os.makedirs(work, exist_ok=True)
os.chdir(work)
cpus = sorted(os.sched_getaffinity(0))
programs = Programs(cpus)
try:
    kind = "spinning" if spins else "stock"
    print(f"{kind} programs on {len(cpus)} CPUs, whole system recorded at {rate} Hz: time without sampling = 1", flush=True)
    for name in names:
        compare(name, programs)
finally:
    programs.end()

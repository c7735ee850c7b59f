"""Compares the samples of offcpu-time in the text of `xprof script` with what the program `waits` says of itself.

usage: wait_samples.py SCRIPT WAITS    SCRIPT: xprof script's output; WAITS: the lines of waits

Prints a line for all that the main thread waited, and one for each function that waited: NAME measured=SECONDS off=SECONDS whole=PERCENT waker=PERCENT kinds=NAMES
wakers=NAMES, shares by weight.
"""

import collections
import struct
import sys

STATES = ["unknown", "sleeping", "disk", "preempted", "runqueue", "stopped"]
KINDS = ("unknown cpu futex pipe socket poll epoll timer disk page-fault child signal lock other").split()
WAKERS = ["unknown", "none", "thread", "interrupt", "softirq", "timer", "IPI", "idle"]
OUTERMOST = ("_start", "clone3", "clone", "__clone", "__clone3")


def samples(lines):
    """(period, name of the thread, function names leaf first, raw data) of each sample of offcpu-time."""
    period, comm, frames, raw = None, "", [], b""
    for line in lines:
        if line and not line[0].isspace():
            if period is not None:
                yield period, comm, frames, raw
            words = line.split()
            comm, frames, raw = words[0], [], b""
            period = int(words[-2]) if words[-1] == "offcpu-time:" else None
        elif "BPF output:" in line or (line.startswith(" " * 18) and line[22:23] == ":"):
            hexadecimal = line.split(":", 2)[-1] if "BPF output:" in line else line.split(":", 1)[1]
            raw += bytes.fromhex(hexadecimal[:25].replace("..", ""))
        elif line.strip() and not line.strip().startswith("#"):
            frames.append(line.split()[1].split("+")[0].split("@")[0])
    if period is not None:
        yield period, comm, frames, raw


def main():
    script, waits = sys.argv[1:]
    measured = {}
    with open(waits) as lines:
        for name, seconds, waker in (line.split() for line in lines):
            measured[name] = (float(seconds), waker)
    all_off, all_delay = measured.pop("total")
    thread_off = thread_delay = 0
    total, whole, right, asleep = (collections.Counter() for _ in range(4))
    kinds, wakers = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    with open(script, errors="replace") as lines:
        for period, thread, frames, raw in samples(line.rstrip("\n") for line in lines):
            if thread == "waits":
                thread_off += period
                thread_delay += period * (STATES[raw[4]] in ("preempted", "runqueue"))
            name = next((frame for frame in frames if frame in measured), None)
            if not name:
                continue
            state, kind, waker, _, _, _, _ = struct.unpack_from("<4BiII", raw, 4)
            comm = raw[20:36].split(b"\0")[0].decode()
            total[name] += period
            whole[name] += period * (frames[-1] in OUTERMOST)
            if STATES[state] not in ("sleeping", "disk"):
                continue
            expected = measured[name][1]
            asleep[name] += period
            kinds[name][KINDS[kind]] += period
            wakers[name][comm or WAKERS[waker]] += period
            # A kernel thread may pass on a disk's wake-up; a bystander would be a thread of the program.
            right[name] += period * (comm == expected if expected != "-" else not comm.startswith(("wa", "xprof")))
    print(f"total measured={all_off:.6f} off={thread_off / 1e9:.6f} delay_measured={float(all_delay):.6f} "
          f"delay={thread_delay / 1e9:.6f}")
    for name, (seconds, _) in measured.items():
        share = lambda part, all_of: 100 * part[name] / all_of[name] if all_of[name] else 0
        print(f"{name} measured={seconds:.6f} off={total[name] / 1e9:.6f} whole={share(whole, total):.2f} "
              f"waker={share(right, asleep):.2f} kinds={','.join(k for k, _ in kinds[name].most_common(1))} "
              f"wakers={','.join(w for w, _ in wakers[name].most_common(2))}")


if __name__ == "__main__":
    main()

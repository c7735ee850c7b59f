"""Writes a perf.data with branch stacks, since few machines can record one.

usage: branch_data.py OUT PROGRAM <LINES

A line is a sample: its address, then its branches, the latest first, as FROM/TO/FLAGS/CYCLES[/TYPE]. Addresses are
hexadecimal, as in PROGRAM, which was linked to fixed ones. FLAGS: P predicted, M mispredicted, X in a transaction, A aborted,
- none. TYPE is a number of PERF_BR_*. If an address is followed by others, with commas in between, it is a call chain.
"""
import os
import struct
import sys

FLAGS = {"M": 1, "P": 2, "X": 4, "A": 8, "-": 0}
PID = 4242


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def trailer(time):
    return struct.pack("<IIQ", PID, PID, time)


def executable_segments(program):
    with open(program, "rb") as file:
        header = file.read(64)
        offset, size, count = struct.unpack_from("<Q", header, 32)[0], *struct.unpack_from("<HH", header, 54)
        for number in range(count):
            file.seek(offset + number * size)
            kind, flags, at, vaddr, _, length = struct.unpack("<IIQQQQ", file.read(40))
            if kind == 1 and flags & 1:
                first = vaddr & ~0xfff
                yield first, (vaddr + length + 0xfff & ~0xfff) - first, at - (vaddr - first)


def branch(text):
    source, target, flags, cycles, *kind = text.split("/")
    bits = sum(FLAGS[f] for f in flags) | int(cycles) << 4 | int(kind[0] if kind else 0) << 20
    return struct.pack("<QQQ", int(source, 16), int(target, 16), bits)


def callchain(addresses):
    words = [2 ** 64 - 512] + [int(address, 16) for address in addresses] # PERF_CONTEXT_USER
    return struct.pack("<%dQ" % (1 + len(words)), len(words), *words)


def main(out_path, program):
    path = os.path.abspath(program).encode() + b"\0"
    path += b"\0" * (-len(path) % 8)
    comm = os.path.basename(program).encode()[:15] + b"\0"
    comm += b"\0" * (-len(comm) % 8)
    records = [record(3, 0, struct.pack("<II", PID, PID) + comm + trailer(1))]
    for first, size, at in executable_segments(program):
        records.append(record(1, 2, struct.pack("<IIQQQ", PID, PID, first, size, at) + path + trailer(2)))
    lines = sys.stdin.readlines()
    has_chains = any("," in line for line in lines)
    for number, line in enumerate(lines):
        addresses, *branches = line.split()
        addresses = addresses.split(",")
        body = struct.pack("<QIIQQ", int(addresses[0], 16), PID, PID, 1000 + number, 1000)
        body += callchain(addresses) if has_chains else b""
        body += struct.pack("<Q", len(branches))
        records.append(record(9, 2, body + b"".join(branch(text) for text in branches)))
    records = b"".join(records)
    # cycles: IP, TID, TIME, CALLCHAIN, PERIOD, BRANCH_STACK; sample_id_all, mmap, comm; branches: any, user
    fields = 0x927 if has_chains else 0x907
    attr = struct.pack("<IIQQQQ", 0, 128, 0, 1000, fields, 0) + struct.pack("<QIIQQQ", 1 << 18 | 1 << 9 | 1 << 8, 0, 0, 0, 0, 9)
    features = [struct.pack("<I", 64) + text.ljust(64, b"\0") for text in (os.uname().release.encode(), b"x86_64")] + [b""]
    data = 104 + 144
    table, at = b"", data + len(records) + 3 * 16
    for section in features:
        table += struct.pack("<QQ", at, len(section))
        at += len(section)
    bits = 1 << 4 | 1 << 6 | 1 << 15  # OSRELEASE, ARCH, BRANCH_STACK
    with open(out_path, "wb") as out:
        out.write(b"PERFILE2" + struct.pack("<12Q", 104, 144, 104, 144, data, len(records), 0, 0, bits, 0, 0, 0))
        out.write(attr.ljust(128, b"\0") + struct.pack("<QQ", 0, 0) + records + table + b"".join(features))


main(sys.argv[1], sys.argv[2])

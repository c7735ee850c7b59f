"""Samples of a perf.data file with user registers and stack bytes, and what was mapped where at their time.

Shares nothing with xprof's own reader: it is part of a second opinion (see README.md). Uncompressed recordings of x86-64
with one event, as 'xprof record -g --evidence=all -e cpu-clock' writes them. linux/perf_event.h has the layouts.
"""

import bisect
import os
import struct

# enum perf_event_type
MMAP, COMM, FORK, SAMPLE, MMAP2 = 1, 3, 7, 9, 10
MISC_EXEC = MISC_DATA = 1 << 13
PROT_EXEC = 4
# enum perf_event_sample_format, in the order of a sample; the bytes of those that are a number
IDENTIFIER, IP, TID, TIME, ADDR, ID, STREAM_ID, CPU, PERIOD = 1 << 16, 1, 2, 4, 8, 1 << 6, 1 << 9, 1 << 7, 1 << 8
CALLCHAIN, REGS_USER, STACK_USER = 1 << 5, 1 << 12, 1 << 13
FIRST_PARTS = [IDENTIFIER, IP, TID, TIME, ADDR, ID, STREAM_ID, CPU, PERIOD]
# the fields at the end of other records (sample_id_all)
LAST_PARTS = [TID, TIME, ID, STREAM_ID, CPU, IDENTIFIER]
# enum perf_event_x86_regs
REGISTERS = "ax bx cx dx si di bp sp ip flags cs ss ds es fs gs r8 r9 r10 r11 r12 r13 r14 r15".split()
ABI_64 = 2


class Mapping:
    """[start, end) of a process shows a file from an offset on."""

    def __init__(self, start, end, offset, path, is_code):
        self.start, self.end, self.offset, self.path, self.is_code = start, end, offset, path, is_code

    def key(self):
        return (self.start, self.end, self.offset, self.path)

    def part(self, start, end):
        return Mapping(start, end, self.offset + start - self.start, self.path, self.is_code)


class Maps:
    """What is mapped in one process, by address. Never changed once made, so that samples share it."""

    def __init__(self, mappings=()):
        self.mappings = sorted(mappings, key=lambda mapping: mapping.start)
        self.starts = [mapping.start for mapping in self.mappings]

    def with_mapping(self, new):
        kept = [new]
        for old in self.mappings:
            if old.start < new.start and old.end > new.start:
                kept.append(old.part(old.start, new.start))
            if old.end > new.end and old.start < new.end:
                kept.append(old.part(new.end, old.end))
            if old.end <= new.start or old.start >= new.end:
                kept.append(old)
        return Maps(kept)

    def find(self, address):
        i = bisect.bisect_right(self.starts, address) - 1
        return self.mappings[i] if i >= 0 and address < self.mappings[i].end else None

    def place(self, address):
        """Module and file offset; the address itself where no file is mapped."""
        mapping = self.find(address)
        if not mapping or mapping.path.startswith("//anon"):
            return "%x" % address
        return "%s+%x" % (mapping.path, address - mapping.start + mapping.offset)


class Sample:
    def __init__(self, tid, time, registers, stack, maps):
        self.tid, self.time, self.registers, self.stack, self.maps = tid, time, registers, stack, maps


def _text(bytes_):
    return os.fsdecode(bytes_.split(b"\0", 1)[0])


class Recording:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        if self.bytes[:8] != b"PERFILE2":
            raise ValueError(path + ": not a perf.data file")
        attr_size, attrs, _, data, data_size = struct.unpack_from("<5Q", self.bytes, 16)
        self.sample_type, = struct.unpack_from("<Q", self.bytes, attrs + 24)
        self.registers_mask, = struct.unpack_from("<Q", self.bytes, attrs + 80)
        known = sum(FIRST_PARTS) | CALLCHAIN | REGS_USER | STACK_USER
        if self.sample_type & ~known:
            raise ValueError("%s: fields of samples that are not known: %#x" % (path, self.sample_type & ~known))
        self.by_pid = {}
        self.samples = []
        for _, at in sorted(self._records(data, data + data_size), key=lambda record: record[0]):
            self._apply(at)

    def _records(self, at, end):
        while at + 8 <= end:
            type_, _, size = struct.unpack_from("<IHH", self.bytes, at)
            if type_ in (MMAP, COMM, FORK, MMAP2):
                yield self._time_of_other(at + size), at
            elif type_ == SAMPLE:
                yield self._fields(at)[TIME], at
            at += max(size, 8)

    def _time_of_other(self, end):
        parts = [part for part in LAST_PARTS if self.sample_type & part]
        return struct.unpack_from("<Q", self.bytes, end - 8 * len(parts) + 8 * parts.index(TIME))[0]

    def _fields(self, at):
        fields, at = {}, at + 8
        for part in FIRST_PARTS:
            if self.sample_type & part:
                fields[part], = struct.unpack_from("<Q", self.bytes, at)
                at += 8
        fields["end"] = at
        return fields

    def _apply(self, at):
        type_, misc, size = struct.unpack_from("<IHH", self.bytes, at)
        if type_ == SAMPLE:
            return self._add_sample(at)
        pid, other = struct.unpack_from("<II", self.bytes, at + 8)
        if type_ == COMM and misc & MISC_EXEC:
            self.by_pid[pid] = Maps()
        elif type_ == FORK and pid != other:  # pid, parent's pid
            self.by_pid[pid] = self.by_pid.get(other, Maps())
        elif type_ in (MMAP, MMAP2):
            start, length, offset = struct.unpack_from("<QQQ", self.bytes, at + 16)
            protection, = struct.unpack_from("<I", self.bytes, at + 64)
            is_code = protection & PROT_EXEC if type_ == MMAP2 else not misc & MISC_DATA
            path = _text(self.bytes[at + (40 if type_ == MMAP else 72):at + size])
            if start < 1 << 63:
                maps = self.by_pid.get(pid, Maps())
                self.by_pid[pid] = maps.with_mapping(Mapping(start, start + length, offset, path, bool(is_code)))

    def _add_sample(self, at):
        fields = self._fields(at)
        pid, tid = fields[TID] & 0xffffffff, fields[TID] >> 32
        at = fields["end"]
        if self.sample_type & CALLCHAIN:
            at += 8 + 8 * struct.unpack_from("<Q", self.bytes, at)[0]
        abi, = struct.unpack_from("<Q", self.bytes, at)
        at += 8
        if abi != ABI_64:
            return
        names = [name for i, name in enumerate(REGISTERS) if self.registers_mask >> i & 1]
        registers = dict(zip(names, struct.unpack_from("<%dQ" % len(names), self.bytes, at)))
        at += 8 * len(names)
        dump_size, = struct.unpack_from("<Q", self.bytes, at)
        if not dump_size:
            return
        filled, = struct.unpack_from("<Q", self.bytes, at + 8 + dump_size)
        stack = self.bytes[at + 8:at + 8 + min(filled, dump_size)]
        if stack:
            self.samples.append(Sample(tid, fields[TIME], registers, stack, self.by_pid.get(pid, Maps())))

    def some_samples(self, count):
        """At most as many, evenly spread; those of equal mappings one after the other."""
        step = max(1, -(-len(self.samples) // count))
        return sorted(self.samples[::step], key=lambda sample: [mapping.key() for mapping in sample.maps.mappings])

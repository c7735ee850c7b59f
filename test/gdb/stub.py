"""GDB's remote serial protocol (GDB manual, appendix E) on standard input and output, of a thread that stands still:
one sample of a recording at a time.

	gdb> target remote | python3 stub.py RECORDING COUNT

'monitor sample N' goes on to sample N of Recording.some_samples(COUNT). Of its memory there is what the recording has:
the bytes of the stack, and the code of the files that were mapped. The packet qMissing asks where GDB has last wanted
stack bytes that there are not.
"""

import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from own_vdso import own_vdso  # noqa: E402
from recording import Recording  # noqa: E402

# as org.gnu.gdb.i386.core and GDB's 64bit-core.xml number them
WIDE = "ax bx cx dx si di bp sp r8 r9 r10 r11 r12 r13 r14 r15 ip".split()
NARROW = "flags cs ss ds es fs gs".split()
RED_ZONE = 128  # bytes below the stack pointer, x86-64 psABI 3.2.2


class Stub:
    def __init__(self, samples):
        self.samples, self.sample, self.files, self.missing = samples, samples[0], {}, "nothing"

    def registers(self):
        values = self.sample.registers
        packed = b"".join(struct.pack("<Q", values[name]) for name in WIDE)
        return (packed + b"".join(struct.pack("<I", values.get(name, 0) & 0xffffffff) for name in NARROW)).hex()

    def file(self, path):
        if path not in self.files:
            try:
                self.files[path] = own_vdso() if path == "[vdso]" else open(path, "rb").read()
            except OSError:
                self.files[path] = b""
        return self.files[path]

    def memory(self, address, size):
        """As many bytes as there are from the address on."""
        below = address - self.sample.registers["sp"]
        if 0 <= below < len(self.sample.stack):
            return self.sample.stack[below:below + size]
        mapping = self.sample.maps.find(address)
        offset = address - mapping.start + mapping.offset if mapping else 0
        found = self.file(mapping.path)[offset:offset + min(size, mapping.end - address)] if mapping else b""
        if not found and -RED_ZONE <= below < 0:
            self.missing = "below-the-stack-pointer"
        elif not found and below >= len(self.sample.stack):
            self.missing = "behind-the-dump"
        return found

    def command(self, text):
        word, number = text.split()
        if word != "sample":
            return "E01"
        self.sample, self.missing = self.samples[int(number)], "nothing"
        return "OK"

    def answer(self, packet):
        if packet.startswith("qSupported"):
            return "PacketSize=4000"
        if packet == "?":
            return "S05"
        if packet == "g":
            return self.registers()
        if packet.startswith("m"):
            address, size = (int(number, 16) for number in packet[1:].split(","))
            return self.memory(address, size).hex() or "E14"
        if packet.startswith("qRcmd,"):
            return self.command(bytes.fromhex(packet[6:]).decode())
        if packet == "qMissing":
            return self.missing
        if packet.startswith("qAttached"):
            return "1"
        if packet.startswith("H") or packet == "D":
            return "OK"
        return ""  # not known here


def serve(stub, source, sink):
    while True:
        byte = source.read(1)
        if not byte:
            return
        if byte != b"$":  # acknowledgements
            continue
        packet = b""
        while (byte := source.read(1)) != b"#":
            if not byte:
                return
            packet += byte
        source.read(2)
        answer = stub.answer(packet.decode("latin-1")).encode("latin-1")
        sink.write(b"+$%s#%02x" % (answer, sum(answer) & 0xff))
        sink.flush()
        if packet[:1] in (b"k", b"D"):
            return


serve(Stub(Recording(sys.argv[1]).some_samples(int(sys.argv[2]))), sys.stdin.buffer, sys.stdout.buffer)

"""Run by GDB (gdb -nx -batch -x backtraces.py): what GDB says of the stacks of a recording.

Environment: RECORDING, COUNT (of samples at most), STUB (stub.py), PYTHON, VDSO (where the vdso's image may be written).
Prints for each sample "TID TIME", its frames, leaf first, and why GDB went no further, one a line:
	=TID TIME
	PLACE KIND           Maps.place(), of a caller that of the last byte of its call, as xprof script prints it;
	                     "cfi" where the file has call frame information for it, "nowhere" where there is no code,
	                     else "bare"
	!MISSING REASON      which bytes of the stack GDB wanted and did not get
"""

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.environ["STUB"]))
from elf_file import ElfFile  # noqa: E402
from own_vdso import own_vdso  # noqa: E402
from recording import Recording  # noqa: E402

for setting in ("confirm off", "pagination off", "height 0", "width 0", "debuginfod enabled off", "sysroot /",
                "debug-file-directory /nonexistent", "auto-load off", "architecture i386:x86-64", "osabi GNU/Linux",
                "complaints 0", "verbose off", "backtrace past-main on", "backtrace past-entry on", "backtrace limit unlimited",
                "trust-readonly-sections off", "tcp auto-retry off", "remotetimeout 60"):
    gdb.execute("set " + setting, to_string=True)


class Modules:
    """The files that GDB knows, each where the sample's process has mapped it."""

    def __init__(self):
        self.files, self.loaded = {}, {}

    def file(self, path):
        if path not in self.files:
            try:
                self.files[path] = ElfFile(path, own_vdso() if path == "[vdso]" else None)
            except (OSError, ValueError):
                self.files[path] = None
        return self.files[path]

    def show(self, maps):
        wanted = set()
        for mapping in maps.mappings:
            file = self.file(mapping.path) if mapping.is_code else None
            bias = file.bias(mapping) if file else None
            if bias is not None:
                wanted.add((mapping.path, bias))
        for key in set(self.loaded) - wanted:
            gdb.execute("remove-symbol-file -a %#x" % self.loaded.pop(key), to_string=True)
        for path, bias in sorted(wanted - set(self.loaded)):
            name = os.environ["VDSO"] if path == "[vdso]" else path
            gdb.execute('add-symbol-file "%s" -o %#x' % (name, bias), to_string=True)
            text = self.files[path].sections.get(".text")
            self.loaded[path, bias] = (text[1] if text else self.files[path].loads[0][1]) + bias

    def kind(self, maps, address):
        mapping = maps.find(address)
        if not mapping or not mapping.is_code:
            return "nowhere"
        file = self.file(mapping.path)
        bias = file.bias(mapping) if file else None
        return "cfi" if bias is not None and file.has_cfi(address - bias) else "bare"


def walk(modules, maps):
    frame, is_call = gdb.newest_frame(), False
    while frame:
        if frame.type() in (gdb.NORMAL_FRAME, gdb.SIGTRAMP_FRAME):
            pc = frame.pc() - (is_call and frame.type() == gdb.NORMAL_FRAME)
            print(maps.place(pc), modules.kind(maps, pc))
            is_call = frame.type() == gdb.NORMAL_FRAME
        reason = gdb.frame_stop_reason_string(frame.unwind_stop_reason())
        try:
            frame = frame.older()
        except gdb.error as error:
            frame, reason = None, str(error)
    return reason


def missing():
    """What the stub says to qMissing; GDB prints: received: "..."."""
    return gdb.execute("maintenance packet qMissing", to_string=True).rsplit('"', 2)[1]


def main():
    with open(os.environ["VDSO"], "wb") as vdso:
        vdso.write(own_vdso())
    count = os.environ["COUNT"]
    samples = Recording(os.environ["RECORDING"]).some_samples(int(count))
    gdb.execute("target remote | %s %s %s %s" % (os.environ["PYTHON"], os.environ["STUB"], os.environ["RECORDING"], count),
                to_string=True)
    modules = Modules()
    for number, sample in enumerate(samples):
        modules.show(sample.maps)
        gdb.execute("monitor sample %d" % number, to_string=True)
        gdb.execute("maintenance flush dcache", to_string=True)
        gdb.execute("maintenance flush register-cache", to_string=True)
        print("=%d %d" % (sample.tid, sample.time))
        try:
            reason = walk(modules, sample.maps)
        except gdb.error as error:
            reason = str(error)
        print("!" + missing(), reason.splitlines()[0])
    gdb.execute("disconnect", to_string=True)


main()

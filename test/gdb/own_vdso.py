"""The vdso of this process: that of all processes of 64 bits on this machine."""


def own_vdso():
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb") as memory:
        for line in maps:
            if line.rstrip().endswith("[vdso]"):
                start, end = (int(number, 16) for number in line.split()[0].split("-"))
                memory.seek(start)
                return memory.read(end - start)
    return b""

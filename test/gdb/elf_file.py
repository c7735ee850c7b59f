"""Of an ELF file: where its code is loaded, and for which of its addresses it has call frame information."""

import bisect
import struct
import zlib

PT_LOAD, PF_X, SHF_COMPRESSED, SHT_NOBITS, ELFCOMPRESS_ZLIB = 1, 1, 1 << 11, 8, 1
# pointer encodings, Linux Standard Base 10.5.1
PE_PCREL = 0x10
PE_FORMATS = {0x00: "<Q", 0x02: "<H", 0x03: "<I", 0x04: "<Q", 0x0a: "<h", 0x0b: "<i", 0x0c: "<q"}


class ElfFile:
    def __init__(self, path, image=None):
        if image is None:
            with open(path, "rb") as file:
                image = file.read()
        if image[:6] != b"\x7fELF\x02\x01":
            raise ValueError(path + ": not a little-endian ELF file of 64 bits")
        self.image = image
        program_headers, section_headers = struct.unpack_from("<QQ", image, 32)
        size, count, section_size, section_count, names = struct.unpack_from("<5H", image, 54)
        self.loads = []
        for i in range(count):
            type_, flags, offset, vaddr, _, file_size = struct.unpack_from("<IIQQQQ", image, program_headers + i * size)
            if type_ == PT_LOAD and flags & PF_X:
                self.loads.append((offset, vaddr, file_size))
        headers = [struct.unpack_from("<IIQQQQ", image, section_headers + i * section_size)
                   for i in range(section_count) if section_headers]
        self.sections = {}
        for name, type_, flags, address, offset, length in headers:
            at = headers[names][4] + name
            text = image[at:image.index(b"\0", at)].decode()
            if type_ != SHT_NOBITS:
                self.sections[text] = (flags, address, image[offset:offset + length])
        self.described = None

    def bias(self, mapping):
        """What is added to the file's addresses where its code is mapped so; None: there is no code in that part."""
        for offset, vaddr, size in self.loads:
            if (offset & ~0xfff) <= mapping.offset < offset + size:
                return mapping.start - mapping.offset + offset - vaddr
        return None

    def has_cfi(self, vaddr):
        if self.described is None:
            ranges = sorted(self._ranges(".eh_frame", True) + self._ranges(".debug_frame", False))
            self.described = ([start for start, _ in ranges], [end for _, end in ranges])
        starts, ends = self.described
        i = bisect.bisect_right(starts, vaddr) - 1
        return i >= 0 and vaddr < ends[i]

    def _section(self, name):
        flags, address, content = self.sections.get(name, (0, 0, b""))
        if flags & SHF_COMPRESSED:
            kind, = struct.unpack_from("<I", content)
            content = zlib.decompress(content[24:]) if kind == ELFCOMPRESS_ZLIB else b""
        if not content and ".z" + name[1:] in self.sections:  # Go's, before there was SHF_COMPRESSED
            content = zlib.decompress(self.sections[".z" + name[1:]][2][12:])
        return address, content

    def _ranges(self, name, is_eh):
        """[start, end) of each FDE. DWARF 5, section 6.4.1, and LSB 10.6.1."""
        section, content = self._section(name)
        ranges, encodings, at = [], {}, 0
        while at + 4 <= len(content):
            length, = struct.unpack_from("<I", content, at)
            wide = length == 0xffffffff
            if wide:
                length, = struct.unpack_from("<Q", content, at + 4)
            body = at + (12 if wide else 4)
            if length == 0:
                at = body
                continue
            cie_bytes = 8 if wide and not is_eh else 4
            cie, = struct.unpack_from("<Q" if cie_bytes == 8 else "<I", content, body)
            if cie == (0 if is_eh else (1 << 8 * cie_bytes) - 1):
                encodings[at] = self._encoding(content, body + cie_bytes, is_eh)
            else:
                encoding = encodings.get(body - cie if is_eh else cie, 0)
                start, length_at = self._pointer(content, section, body + cie_bytes, encoding)
                size, _ = self._pointer(content, 0, length_at, encoding & 0x0f)
                if start and size:
                    ranges.append((start, start + size))
            at = body + length
        return ranges

    @staticmethod
    def _encoding(content, at, is_eh):
        """How the addresses of the FDEs of the CIE are written: the data of 'R' in its augmentation."""
        end = content.index(b"\0", at + 1)
        augmentation, at = content[at + 1:end].decode("latin-1"), end + 1
        if not is_eh or not augmentation.startswith("z"):
            return 0

        def skip_leb(at):
            while content[at] & 0x80:
                at += 1
            return at + 1
        for _ in range(4):  # alignment of code and data, return address, size of the augmentation
            at = skip_leb(at)
        for letter in augmentation[1:]:
            if letter == "R":
                return content[at]
            if letter == "L":
                at += 1
            elif letter == "P":
                at += 1 + struct.calcsize(PE_FORMATS[content[at] & 0x0f])
        return 0

    @staticmethod
    def _pointer(content, section, at, encoding):
        form = PE_FORMATS[encoding & 0x0f]
        value, = struct.unpack_from(form, content, at)
        if encoding & 0x70 == PE_PCREL:
            value += section + at
        return value & (1 << 64) - 1, at + struct.calcsize(form)

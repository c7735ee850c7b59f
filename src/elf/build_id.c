/*
 * Three parts: hexadecimal text, the walk of a note section (gABI, "Note Section"), and the file reader. The reader makes one
 * pread() of the first page, which nearly always holds headers and note; it tries segments first, and sections only if no segment
 * has the note. Named limits bound what a damaged header can make it read.
 */
#include "elf/build_id.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/byte_reader.h"
#include "base/regular_file.h"
#include "elf/elf_header.h"

enum {
	/* ELF header, program headers and the build-id note of nearly every file lie in its first page. */
	FIRST_READ_BYTES = 4096,
	/* The notes of a linked file take some hundred bytes, but those of a core file gigabytes. */
	MAX_NOTE_BYTES = 64 * 1024,
	MAX_HEADER_TABLE_BYTES = 4 * 1024 * 1024,
};

bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	return a->size == b->size && a->size <= BUILD_ID_MAX_BYTES &&
	       memcmp(a->bytes, b->bytes, a->size) == 0;
}

bool build_id_is_recorded(const struct build_id *recorded, const struct build_id *found)
{
	static const uint8_t zeros[BUILD_ID_MAX_BYTES];

	if (recorded->size == 0)
		return true;
	if (found->size == 0 || found->size > recorded->size || recorded->size > BUILD_ID_MAX_BYTES)
		return false;
	return memcmp(recorded->bytes, found->bytes, found->size) == 0 &&
	       memcmp(recorded->bytes + found->size, zeros, (size_t)(recorded->size - found->size)) == 0;
}

const char *build_id_hex(const struct build_id *id, char hex[static BUILD_ID_HEX_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	size_t size = id->size <= BUILD_ID_MAX_BYTES ? id->size : BUILD_ID_MAX_BYTES;

	for (size_t i = 0; i < size; i++) {
		hex[2 * i] = digits[id->bytes[i] >> 4];
		hex[2 * i + 1] = digits[id->bytes[i] & 15];
	}
	hex[2 * size] = '\0';
	return hex;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int build_id_parse(struct build_id *id, const char *hex, struct error *err)
{
	size_t length = strlen(hex);
	struct build_id parsed = { .size = 0 };

	if (length % 2 || length > 2 * BUILD_ID_MAX_BYTES)
		return error_set(
			err,
			"'%s' is not a build-id: an even number of at most %d hexadecimal digits is expected",
			hex, 2 * BUILD_ID_MAX_BYTES);
	for (size_t i = 0; i < length; i += 2) {
		int high = hex_digit(hex[i]);
		int low = hex_digit(hex[i + 1]);

		if (high < 0 || low < 0)
			return error_set(err, "'%s' is not a build-id: '%c' is not a hexadecimal digit", hex,
					 high < 0 ? hex[i] : hex[i + 1]);
		parsed.bytes[parsed.size++] = (uint8_t)(high << 4 | low);
	}
	*id = parsed;
	return 0;
}

/* Skips the padding behind a name or descriptor; the last note may end unpadded. */
static void skip_padding(struct byte_reader *notes, size_t size, size_t alignment)
{
	size_t padding = (alignment - size % alignment) % alignment;
	size_t left = byte_reader_left(notes);

	byte_reader_skip(notes, padding < left ? padding : left);
}

/* gABI, "Note Section": namesz, descsz, type, then name and descriptor, each padded. */
int build_id_from_notes(struct build_id *id, const void *notes, size_t size, bool swap, size_t alignment)
{
	struct byte_reader r = byte_reader_over(notes, size, swap);
	/* Elf64_Nhdr is padded to 8 bytes in segments of alignment 8 (GNU property notes), to 4 in all others. */
	size_t align = alignment == 8 ? 8 : 4;

	memset(id, 0, sizeof(*id));
	while (notes && byte_reader_left(&r) >= 12) {
		uint32_t name_size = byte_reader_u32(&r);
		uint32_t descriptor_size = byte_reader_u32(&r);
		uint32_t type = byte_reader_u32(&r);
		const uint8_t *name = byte_reader_bytes(&r, name_size);
		const uint8_t *descriptor;

		skip_padding(&r, 12 + (size_t)name_size, align);
		descriptor = byte_reader_bytes(&r, descriptor_size);
		if (!byte_reader_ok(&r))
			return 1;
		skip_padding(&r, descriptor_size, align);
		if (type != NT_GNU_BUILD_ID || name_size != sizeof("GNU") ||
		    memcmp(name, "GNU", sizeof("GNU")) != 0)
			continue;
		if (descriptor_size == 0 || descriptor_size > BUILD_ID_MAX_BYTES)
			continue;
		memcpy(id->bytes, descriptor, descriptor_size);
		id->size = (uint8_t)descriptor_size;
		return 0;
	}
	return 1;
}

int build_id_read_notes(struct build_id *id, const char *path, struct error *err)
{
	uint8_t notes[FIRST_READ_BYTES];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : TEMP_FAILURE_RETRY(read(fd, notes, sizeof(notes)));

	if (size < 0)
		error_set_errno(err, errno, "cannot read %s", path);
	if (fd >= 0)
		close(fd);
	if (size < 0)
		return -1;
	return build_id_from_notes(id, notes, (size_t)size, false, 4) == 0 ?
		       0 :
		       error_set(err, "%s has no build-id", path);
}

/* A file of which only the needed parts are read. */
struct file_window {
	int fd;
	uint64_t file_size;
	uint8_t first[FIRST_READ_BYTES];
	size_t first_size;
	uint8_t *more; /* the last piece read from outside `first` */
};

static ssize_t read_at(int fd, void *bytes, size_t size, uint64_t offset)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = TEMP_FAILURE_RETRY(
			pread(fd, (char *)bytes + done, size - done, (off_t)(offset + done)));

		if (n < 0)
			return -1;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

/* Returns `size` bytes of the file from `offset` on; NULL if the file does not have them all. Valid until the next call. */
static const uint8_t *window_at(struct file_window *window, uint64_t offset, size_t size)
{
	if (offset > window->file_size || size > window->file_size - offset)
		return NULL;
	if (offset + size <= window->first_size)
		return window->first + offset;
	free(window->more);
	window->more = malloc(size ? size : 1);
	if (!window->more || read_at(window->fd, window->more, size, offset) != (ssize_t)size)
		return NULL;
	return window->more;
}

/* Reads the notes of one segment or section. Returns 0 if it has the build-id, else 1. */
static int read_notes(struct build_id *id, struct file_window *window, const struct elf_header *header,
		      uint64_t offset, uint64_t size, uint64_t alignment)
{
	size_t take = size < MAX_NOTE_BYTES ? (size_t)size : MAX_NOTE_BYTES;
	const uint8_t *notes = window_at(window, offset, take);

	return notes ? build_id_from_notes(id, notes, take, header->swap, (size_t)alignment) : 1;
}

/* A copy of the table of segments or sections, as reading notes moves the window. NULL if the file does not have it all. */
static uint8_t *copy_table(struct file_window *window, uint64_t offset, uint32_t count, uint32_t entry_size)
{
	const uint64_t size = (uint64_t)count * entry_size;
	const uint8_t *bytes =
		size && size <= MAX_HEADER_TABLE_BYTES ? window_at(window, offset, (size_t)size) : NULL;
	uint8_t *table = bytes ? malloc((size_t)size) : NULL;

	return table ? memcpy(table, bytes, (size_t)size) : NULL;
}

static int read_from_segments(struct build_id *id, struct file_window *window,
			      const struct elf_header *header)
{
	uint8_t *table =
		copy_table(window, header->segment_offset, header->segment_count, header->segment_entry_size);
	int result = 1;

	for (uint32_t i = 0; table && i < header->segment_count && result == 1; i++) {
		struct elf_program_header segment;

		elf_program_header_decode(&segment, header, table + (size_t)i * header->segment_entry_size);
		if (segment.type == PT_NOTE)
			result = read_notes(id, window, header, segment.file_offset, segment.file_size,
					    segment.alignment);
	}
	free(table);
	return result;
}

/* Relocatable files, such as kernel modules, have sections only. */
static int read_from_sections(struct build_id *id, struct file_window *window,
			      const struct elf_header *header)
{
	uint8_t *table =
		copy_table(window, header->section_offset, header->section_count, header->section_entry_size);
	int result = 1;

	for (uint32_t i = 0; table && i < header->section_count && result == 1; i++) {
		struct elf_section_header section;

		elf_section_header_decode(&section, header, table + (size_t)i * header->section_entry_size);
		if (section.type == SHT_NOTE)
			result = read_notes(id, window, header, section.file_offset, section.size,
					    section.alignment);
	}
	free(table);
	return result;
}

static int read_fd(struct build_id *id, int fd, const char *name, struct error *err)
{
	struct file_window window = { .fd = fd };
	struct elf_header header;
	struct stat st;
	ssize_t size;
	int result;

	memset(id, 0, sizeof(*id));
	if (fstat(fd, &st) < 0)
		return error_set_errno(err, errno, "cannot read %s", name);
	size = read_at(fd, window.first, sizeof(window.first), 0);
	if (size < 0)
		return error_set_errno(err, errno, "cannot read %s", name);
	window.first_size = (size_t)size;
	window.file_size = st.st_size > size ? (uint64_t)st.st_size : (uint64_t)size;
	if (elf_header_decode(&header, window.first, window.first_size, name, err) < 0)
		return -1;
	result = read_from_segments(id, &window, &header);
	if (result == 1)
		result = read_from_sections(id, &window, &header);
	free(window.more);
	return result;
}

int build_id_read_file(struct build_id *id, const char *path, struct error *err)
{
	int fd = regular_file_open(path, err);
	int result;

	memset(id, 0, sizeof(*id));
	if (fd < 0)
		return -1;
	result = read_fd(id, fd, path, err);
	close(fd);
	return result;
}

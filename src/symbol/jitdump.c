/*
 * read_records() goes through the file once. Debug and unwinding records precede the load they describe and wait in
 * `reading.said` until then; moves find their code by the compiler's index. The byte offset of the code is its identity, so
 * jitdump_find() is a binary search in file order. Addresses of lines are corrected for V8, which adds the size of an ELF
 * header to them.
 */
#include "symbol/jitdump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/byte_reader.h"
#include "base/hash_table.h"
#include "base/map_guard.h"
#include "base/partition_point.h"
#include "base/trusted_file.h"
#include "base/xalloc.h"

/* jitdump-specification.txt, "JITDUMP file header format". The magic number tells the byte order. */
static const uint32_t MAGIC = 0x4a695444, SWAPPED_MAGIC = 0x4454694a;
enum { VERSION = 1, HEADER_BYTES = 40, RECORD_HEADER_BYTES = 16 };

/* V8 fills the header's padding with this, which identifies it. */
static const uint32_t V8_PADDING = 0xdeadbeef;

enum record_id { CODE_LOAD = 0, CODE_MOVE = 1, CODE_DEBUG_INFO = 2, CODE_CLOSE = 3, CODE_UNWINDING_INFO = 4 };

struct jitdump {
	char *path;
	const uint8_t *bytes;
	size_t size;
	bool mapped;
	struct map_guard *guard;
	bool swap;
	bool has_own_clock;
	uint16_t elf_machine;
	uint64_t line_address_shift; /* subtracted from the addresses in JIT_CODE_DEBUG_INFO */
	struct jit_code *codes;
	size_t code_count, code_capacity;
	struct jit_placement *placements;
	size_t placement_count, placement_capacity;
	size_t bad_record_count;
};

/* State needed only while records are read. */
struct reading {
	struct jitdump *dump;
	struct jit_code said; /* from records that precede the load they describe */
	uint64_t lines_address;
	struct hash_table by_index; /* from the compiler's index to the first code that had it */
	uint32_t *latest;           /* for the first code with an index: the latest code with it */
	size_t latest_capacity;
};

bool jitdump_is_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	unsigned int pid;
	int length = 0;

	return slash && sscanf(slash, "/jit-%10u.dump%n", &pid, &length) == 1 && length && !slash[length];
}

/* --- records ------------------------------------------------------------------------ */

static bool has_index(const void *items, uint32_t item, const void *key)
{
	const struct jit_code *codes = items;
	const uint64_t *index = key;

	return codes[item].index == *index;
}

static void remember_index(struct reading *reading, uint32_t number)
{
	const struct jitdump *dump = reading->dump;
	const uint64_t *index = &dump->codes[number].index;
	uint32_t first = hash_table_find(&reading->by_index, hash_u64(*index), has_index, dump->codes, index);

	reading->latest =
		array_grow(reading->latest, &reading->latest_capacity, (size_t)number + 1, sizeof(uint32_t));
	reading->latest[number] = number;
	if (first == HASH_TABLE_NONE)
		hash_table_insert(&reading->by_index, hash_u64(*index), number);
	else
		reading->latest[first] = number;
}

static void place(struct jitdump *dump, uint32_t code, uint64_t address, uint64_t time_ns)
{
	*ARRAY_ADD(dump->placements, dump->placement_count, dump->placement_capacity) =
		(struct jit_placement){ .time_ns = time_ns, .address = address, .code = code };
}

/* The string at the reader's position. NULL, with the reader failed, if it has no end. */
static const char *take_text(struct byte_reader *r)
{
	const uint8_t *text = r->next, *end = memchr(text, '\0', byte_reader_left(r));

	if (!end) {
		r->failed = true;
		return NULL;
	}
	r->next = end + 1;
	return (const char *)text;
}

static bool take_load(struct reading *reading, struct byte_reader *r, uint64_t time_ns)
{
	struct jitdump *dump = reading->dump;
	struct jit_code code = reading->said;

	reading->said = (struct jit_code){ .size = 0 };
	byte_reader_skip(r, 4 + 4 + 8); /* pid, tid, vma */
	code.address = byte_reader_u64(r);
	code.size = byte_reader_u64(r);
	code.index = byte_reader_u64(r);
	code.name = take_text(r);
	code.instructions = byte_reader_bytes(r, code.size);
	if (!byte_reader_ok(r) || code.address + code.size < code.address ||
	    dump->code_count >= HASH_TABLE_NONE)
		return false;
	if (!code.size)
		return true; /* empty code cannot run */
	if (code.line_entry_count && reading->lines_address != code.address)
		code.line_entry_count = 0; /* these lines belong to code that was never loaded */
	code.file_offset = (uint64_t)(code.instructions - dump->bytes);
	dump->codes =
		array_grow(dump->codes, &dump->code_capacity, dump->code_count + 1, sizeof(*dump->codes));
	dump->codes[dump->code_count] = code;
	remember_index(reading, (uint32_t)dump->code_count);
	place(dump, (uint32_t)dump->code_count++, code.address, time_ns);
	return true;
}

static bool take_move(struct reading *reading, struct byte_reader *r, uint64_t time_ns)
{
	struct jitdump *dump = reading->dump;
	uint64_t address, size, index;
	uint32_t code;

	byte_reader_skip(r, 4 + 4 + 8 + 8); /* pid, tid, vma, old address */
	address = byte_reader_u64(r);
	size = byte_reader_u64(r);
	index = byte_reader_u64(r);
	if (!byte_reader_ok(r))
		return false;
	code = hash_table_find(&reading->by_index, hash_u64(index), has_index, dump->codes, &index);
	if (code == HASH_TABLE_NONE)
		return false;
	code = reading->latest[code];
	if (dump->codes[code].size != size || address + size < address)
		return false;
	place(dump, code, address, time_ns);
	return true;
}

static bool take_debug_info(struct reading *reading, struct byte_reader *r)
{
	enum { LEAST_ENTRY_BYTES = 17 }; /* address, line, discriminator, terminator of the name */
	uint64_t address = byte_reader_u64(r), count = byte_reader_u64(r);

	if (!byte_reader_ok(r) || count > byte_reader_left(r) / LEAST_ENTRY_BYTES)
		return false;
	reading->lines_address = address;
	reading->said.line_entries = (struct jit_bytes){ r->next, byte_reader_left(r) };
	reading->said.line_entry_count = count;
	return true;
}

static bool take_unwinding_info(struct reading *reading, struct byte_reader *r)
{
	uint64_t size = byte_reader_u64(r), hdr_size = byte_reader_u64(r);
	const uint8_t *bytes;

	byte_reader_skip(r, 8); /* size of what the compiler has mapped */
	bytes = byte_reader_bytes(r, size);
	if (!bytes || hdr_size > size)
		return false;
	reading->said.eh_frame = (struct jit_bytes){ bytes, size - hdr_size };
	reading->said.eh_frame_hdr = (struct jit_bytes){ bytes + reading->said.eh_frame.size, hdr_size };
	return true;
}

static bool take_record(struct reading *reading, uint32_t id, struct byte_reader *r, uint64_t time_ns)
{
	switch (id) {
	case CODE_LOAD: return take_load(reading, r, time_ns);
	case CODE_MOVE: return take_move(reading, r, time_ns);
	case CODE_DEBUG_INFO: return take_debug_info(reading, r);
	case CODE_UNWINDING_INFO: return take_unwinding_info(reading, r);
	default: return true; /* of a later version; their headers have their sizes */
	}
}

/* False at the end: the compiler closed the dump, or the rest cannot be read. */
static bool read_record(struct reading *reading, struct byte_reader *r)
{
	struct jitdump *dump = reading->dump;
	uint32_t id = byte_reader_u32(r), size = byte_reader_u32(r);
	uint64_t time_ns = byte_reader_u64(r);
	struct byte_reader body;

	if (byte_reader_ok(r) && id == CODE_CLOSE)
		return false;
	if (!byte_reader_ok(r) || size < RECORD_HEADER_BYTES ||
	    size - RECORD_HEADER_BYTES > byte_reader_left(r)) {
		dump->bad_record_count++;
		return false;
	}
	body = byte_reader_sub(r, size - RECORD_HEADER_BYTES);
	if (!take_record(reading, id, &body, time_ns))
		dump->bad_record_count++;
	return true;
}

static void read_records(struct jitdump *dump, struct byte_reader *r)
{
	struct reading reading = { .dump = dump };

	while (byte_reader_left(r) && read_record(&reading, r))
		;
	hash_table_fini(&reading.by_index);
	free(reading.latest);
}

/* --- the file ------------------------------------------------------------------------ */

static int read_header(struct jitdump *dump, struct byte_reader *r, struct error *err)
{
	enum { ARCH_TIMESTAMP = 1 }; /* "flags": bit 0 */
	enum {
		ELF64_HEADER_BYTES = 64
	}; /* V8 adds it to addresses, for perf inject (src/diagnostics/perf-jit.cc) */
	uint32_t magic = byte_reader_u32(r), version, size, padding;

	if (!byte_reader_ok(r) || (magic != MAGIC && magic != SWAPPED_MAGIC))
		return error_set(err, "%s is not a jitdump file", dump->path);
	dump->swap = r->swap = magic == SWAPPED_MAGIC;
	version = byte_reader_u32(r);
	size = byte_reader_u32(r);
	dump->elf_machine = (uint16_t)byte_reader_u32(r);
	padding = byte_reader_u32(r);
	byte_reader_skip(r, sizeof(uint32_t)); /* the process's number in its own namespace */
	byte_reader_skip(r, 8);                /* time of creation */
	dump->has_own_clock = byte_reader_u64(r) & ARCH_TIMESTAMP;
	dump->line_address_shift = padding == V8_PADDING ? ELF64_HEADER_BYTES : 0;
	if (byte_reader_ok(r) && version != VERSION)
		return error_set(err, "%s has jitdump version %" PRIu32 ", but only %d is supported",
				 dump->path, version, VERSION);
	if (size < HEADER_BYTES)
		r->failed = true;
	byte_reader_skip(r, size - HEADER_BYTES);
	return byte_reader_ok(r) ? 0 : error_set(err, "%s ends inside its header", dump->path);
}

/* Reads a dump whose path and bytes are set. Closes it and returns NULL if it cannot be read. */
static struct jitdump *read_all(struct jitdump *dump, struct error *err)
{
	struct byte_reader r = byte_reader_over(dump->bytes, dump->size, false);

	if (read_header(dump, &r, err) < 0) {
		jitdump_close(dump);
		return NULL;
	}
	read_records(dump, &r);
	return dump;
}

struct jitdump *jitdump_from_bytes(const void *bytes, size_t size, const char *name, struct error *err)
{
	struct jitdump *dump = xcalloc(1, sizeof(*dump));

	dump->path = xstrdup(name);
	dump->bytes = bytes;
	dump->size = size;
	return read_all(dump, err);
}

static struct jitdump *map_file(int fd, const char *path, struct error *err)
{
	struct jitdump *dump;
	struct stat st;
	void *bytes;

	if (fstat(fd, &st) < 0 || st.st_size < HEADER_BYTES) {
		error_set(err, "%s ends inside its header", path);
		return NULL;
	}
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED) {
		error_set_errno(err, errno, "cannot read %s", path);
		return NULL;
	}
	dump = xcalloc(1, sizeof(*dump));
	dump->path = xstrdup(path);
	dump->bytes = bytes;
	dump->size = (size_t)st.st_size;
	dump->mapped = true;
	dump->guard = map_guard_add(bytes, dump->size);
	return read_all(dump, err);
}

struct jitdump *jitdump_open_mapped(void *bytes, size_t size, const char *name, struct error *err)
{
	struct jitdump *dump = xcalloc(1, sizeof(*dump));

	dump->path = xstrdup(name);
	dump->bytes = bytes;
	dump->size = size;
	dump->mapped = true;
	dump->guard = map_guard_add(bytes, size);
	return read_all(dump, err);
}

static struct jitdump *open_trusted(const char *path, uid_t trusted, struct error *err)
{
	int fd = trusted_file_open(path, trusted, err);
	struct jitdump *dump;

	if (fd < 0)
		return NULL;
	dump = map_file(fd, path, err);
	close(fd);
	return dump;
}

/* The file in the mount namespace of a process that still runs, trusted if the process's own user owns it. */
static struct jitdump *open_in_namespace(const char *path, uint32_t pid, struct error *err)
{
	struct jitdump *dump = NULL;
	struct stat st;
	char *inside;

	inside = xasprintf("/proc/%" PRIu32, pid);
	if (stat(inside, &st) == 0) {
		free(inside);
		inside = xasprintf("/proc/%" PRIu32 "/root%s", pid, path);
		if (access(inside, F_OK) == 0)
			dump = open_trusted(inside, st.st_uid, err);
	}
	free(inside);
	return dump;
}

struct jitdump *jitdump_open(const char *path, uint32_t pid, const char *symfs, struct error *err)
{
	struct jitdump *dump = *symfs ? NULL : open_in_namespace(path, pid, err);
	char *outside;

	if (dump)
		return dump;
	outside = xasprintf("%s%s", symfs, path);
	dump = open_trusted(outside, geteuid(), err);
	free(outside);
	return dump;
}

void jitdump_close(struct jitdump *dump)
{
	if (!dump)
		return;
	map_guard_remove(dump->guard);
	if (dump->mapped)
		munmap((void *)(uintptr_t)dump->bytes, dump->size);
	free(dump->codes);
	free(dump->placements);
	free(dump->path);
	free(dump);
}

/* --- lookups --------------------------------------------------------------------------- */

struct jit_bytes jitdump_bytes(const struct jitdump *dump)
{
	return (struct jit_bytes){ dump->bytes, dump->size };
}

const char *jitdump_path(const struct jitdump *dump)
{
	return dump->path;
}

uint16_t jitdump_elf_machine(const struct jitdump *dump)
{
	return dump->elf_machine;
}

bool jitdump_swap(const struct jitdump *dump)
{
	return dump->swap;
}

bool jitdump_has_own_clock(const struct jitdump *dump)
{
	return dump->has_own_clock;
}

size_t jitdump_bad_record_count(const struct jitdump *dump)
{
	return dump->bad_record_count;
}

size_t jitdump_code_count(const struct jitdump *dump)
{
	return dump->code_count;
}

const struct jit_code *jitdump_code(const struct jitdump *dump, size_t number)
{
	return &dump->codes[number];
}

const struct jit_code *jitdump_find(const struct jitdump *dump, uint64_t file_offset)
{
	const size_t low = PARTITION_POINT(i, 0, dump->code_count, dump->codes[i].file_offset <= file_offset);

	if (low == 0 || file_offset - dump->codes[low - 1].file_offset >= dump->codes[low - 1].size)
		return NULL;
	return &dump->codes[low - 1];
}

size_t jitdump_placement_count(const struct jitdump *dump)
{
	return dump->placement_count;
}

const struct jit_placement *jitdump_placement(const struct jitdump *dump, size_t number)
{
	return &dump->placements[number];
}

int jitdump_line(const struct jitdump *dump, const struct jit_code *code, uint64_t offset,
		 struct jit_line *line)
{
	static const char same_file[] = "\xff"; /* as a name: the name of the previous entry */
	struct byte_reader r = byte_reader_over(code->line_entries.at, code->line_entries.size, dump->swap);
	struct jit_line entry = { .file = NULL };
	uint64_t best = 0;
	bool found = false;

	for (uint64_t i = 0; i < code->line_entry_count; i++) {
		uint64_t start = byte_reader_u64(&r) - dump->line_address_shift - code->address;
		const char *file;

		entry.line = byte_reader_u32(&r);
		entry.discriminator = byte_reader_u32(&r);
		file = take_text(&r);
		if (!byte_reader_ok(&r))
			break;
		if (strcmp(file, same_file) != 0)
			entry.file = file;
		if (!entry.file || start > offset || (found && start < best))
			continue;
		best = start;
		*line = entry;
		found = true;
	}
	return found;
}

/*
 * Finds the end record from the back of the file, walks the central directory once, and keeps the stored entries that begin with
 * the ELF magic. The local header tells where the bytes of an entry begin. Lookups are linear, since few entries remain.
 */
#include "elf/zip_file.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/byte_reader.h"
#include "base/map_guard.h"
#include "base/regular_file.h"
#include "base/xalloc.h"

struct zip_file {
	uint8_t *bytes; /* mapped and guarded: if the file is cut short, the lost part reads as zeros */
	struct map_guard *guard;
	size_t size;
	struct zip_entry *entries;
	size_t count, capacity;
	struct arena arena;
};

enum {
	END_BYTES = 22, /* size of the end of central directory record, without its comment */
	MAX_COMMENT_BYTES = 65535,
	LOCAL_HEADER_BYTES = 30,
};

static const uint32_t END_SIGNATURE = 0x06054b50, CENTRAL_SIGNATURE = 0x02014b50,
		      LOCAL_SIGNATURE = 0x04034b50;

/* ZIP files are little-endian. */
static struct byte_reader reader_at(const struct zip_file *zip, uint64_t offset)
{
	const bool swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;

	if (offset > zip->size)
		offset = zip->size;
	return byte_reader_over(zip->bytes + offset, zip->size - (size_t)offset, swap);
}

/* The record is the last one in the file; only a comment may follow. */
static int find_end(const struct zip_file *zip, struct byte_reader *end)
{
	for (size_t back = END_BYTES; back <= zip->size && back <= END_BYTES + MAX_COMMENT_BYTES; back++) {
		struct byte_reader r = reader_at(zip, zip->size - back);

		*end = r;
		if (byte_reader_u32(&r) == END_SIGNATURE)
			return 0;
	}
	return -1;
}

/* The data follow the local header, whose name and extra field may differ in length from those of the directory. */
static int find_data(const struct zip_file *zip, uint64_t local_offset, struct zip_entry *entry)
{
	struct byte_reader r = reader_at(zip, local_offset);
	uint32_t signature = byte_reader_u32(&r);
	uint64_t skipped;

	byte_reader_skip(&r, 22);
	skipped = byte_reader_u16(&r);
	skipped += byte_reader_u16(&r);
	entry->file_offset = local_offset + LOCAL_HEADER_BYTES + skipped;
	if (!byte_reader_ok(&r) || signature != LOCAL_SIGNATURE || entry->file_offset > zip->size ||
	    entry->size > zip->size - entry->file_offset)
		return -1;
	return 0;
}

static bool is_elf(const struct zip_file *zip, const struct zip_entry *entry)
{
	return entry->size >= SELFMAG && memcmp(zip->bytes + entry->file_offset, ELFMAG, SELFMAG) == 0;
}

static void add_entry(struct zip_file *zip, const struct zip_entry *entry, const uint8_t *name, size_t size)
{
	char *kept = arena_alloc(&zip->arena, size + 1);

	memcpy(kept, name, size);
	kept[size] = '\0';
	zip->entries = array_grow(zip->entries, &zip->capacity, zip->count + 1, sizeof(*zip->entries));
	zip->entries[zip->count] = *entry;
	zip->entries[zip->count++].name = kept;
}

/* Reads one file of the directory. Returns false at the end. */
static bool read_central(struct zip_file *zip, struct byte_reader *r)
{
	enum { STORED = 0 };
	uint32_t signature = byte_reader_u32(r), stored_size, size, local_offset;
	uint16_t method, name_size, extra_size, comment_size;
	struct zip_entry entry;
	const uint8_t *name;

	byte_reader_skip(r, 6);
	method = byte_reader_u16(r);
	byte_reader_skip(r, 8);
	stored_size = byte_reader_u32(r);
	size = byte_reader_u32(r);
	name_size = byte_reader_u16(r);
	extra_size = byte_reader_u16(r);
	comment_size = byte_reader_u16(r);
	byte_reader_skip(r, 8);
	local_offset = byte_reader_u32(r);
	name = byte_reader_bytes(r, name_size);
	byte_reader_skip(r, (size_t)extra_size + comment_size);
	if (!byte_reader_ok(r) || signature != CENTRAL_SIGNATURE)
		return false;
	entry = (struct zip_entry){ .size = size };
	if (method == STORED && stored_size == size && find_data(zip, local_offset, &entry) == 0 &&
	    is_elf(zip, &entry))
		add_entry(zip, &entry, name, name_size);
	return true;
}

static int read_directory(struct zip_file *zip, const char *path, struct error *err)
{
	struct byte_reader r;
	uint32_t directory_offset;

	if (find_end(zip, &r) < 0)
		return error_set(err, "%s is not a ZIP file", path);
	byte_reader_skip(&r, 16);
	directory_offset = byte_reader_u32(&r);
	r = reader_at(zip, directory_offset);
	while (read_central(zip, &r))
		;
	return 0;
}

struct zip_file *zip_file_open(const char *path, struct error *err)
{
	int fd = regular_file_open(path, err);
	struct zip_file *zip = NULL;
	struct stat st;
	void *bytes;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) < 0 || st.st_size < END_BYTES) {
		error_set(err, "%s is not a ZIP file", path);
		goto out;
	}
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED) {
		error_set_errno(err, errno, "cannot map %s", path);
		goto out;
	}
	zip = xcalloc(1, sizeof(*zip));
	zip->bytes = bytes;
	zip->size = (size_t)st.st_size;
	zip->guard = map_guard_add(bytes, zip->size);
	if (read_directory(zip, path, err) < 0) {
		zip_file_close(zip);
		zip = NULL;
	}
out:
	close(fd);
	return zip;
}

void zip_file_close(struct zip_file *zip)
{
	if (!zip)
		return;
	map_guard_remove(zip->guard);
	munmap(zip->bytes, zip->size);
	free(zip->entries);
	arena_fini(&zip->arena);
	free(zip);
}

const struct zip_entry *zip_file_find(const struct zip_file *zip, const char *name)
{
	for (size_t i = 0; i < zip->count; i++)
		if (strcmp(zip->entries[i].name, name) == 0)
			return &zip->entries[i];
	return NULL;
}

const struct zip_entry *zip_file_at(const struct zip_file *zip, uint64_t file_offset)
{
	for (size_t i = 0; i < zip->count; i++)
		if (file_offset - zip->entries[i].file_offset < zip->entries[i].size)
			return &zip->entries[i];
	return NULL;
}

const uint8_t *zip_entry_bytes(const struct zip_file *zip, const struct zip_entry *entry)
{
	return zip->bytes + entry->file_offset;
}

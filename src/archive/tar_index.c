/*
 * Two phases. tar_index_read() passes over the tar once: read_entry() copies each file into the spool file, holes as holes.
 * tar_index_map() finds a name, follows at most MAX_LINKS links, and maps the file in place. MAX_RATIO and MAX_ENTRIES bound the
 * damage that a hostile tar can do.
 */
#include "archive/tar_index.h"

#include "archive/libarchive.h"

/* Adds to the message of libarchive_load() how to read the archive without the library. */
static enum archive_open without_library(const char *path, struct error *err)
{
	if (err)
		error_set(err, "%s: %s; or unpack the archive with tar, and name the directory", path,
			  err->message);
	return ARCHIVE_OPEN_NO_LIBRARY;
}

#ifdef HAVE_LIBARCHIVE

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash_table.h"
#include "base/spool_file.h"
#include "base/str_pool.h"
#include "base/xalloc.h"

enum {
	PAGE_BYTES = 1 << 16, /* the largest page size of Linux: files can be mapped on all machines */
	READ_BYTES = 1 << 16,
	MAX_ENTRIES = 1 << 20,
	MAX_LINKS = 8, /* one after the other */
	/*
	 * Limit for the unpacked size of a compressed tar, as a multiple of its own size. Stack dumps compress best of all parts
	 * of a recording.
	 */
	MAX_RATIO = 1024,
	MAX_FREE_BYTES = 64 << 20,
};

struct entry {
	uint32_t name;
	const char *link; /* target of a link, otherwise NULL; malloc()ed */
	uint64_t size;
	uint64_t spooled; /* offset in the spool */
};

struct tar_index {
	struct libarchive library;
	char *path;
	int spool;
	uint64_t spool_end;
	uint64_t written_bytes, limit_bytes; /* without holes */
	struct str_pool *names;
	struct entry *entries;
	size_t entry_count, entry_capacity;
	struct hash_table by_name; /* of entries; the last one of each name */
};

/* "./a//b/" → "a/b". Returns false if the name leads out of the archive, is empty or too long. */
static bool normalize(const char *name, char *out, size_t size)
{
	size_t used = 0;

	if (*name == '/')
		return false;
	while (*name) {
		size_t length = strcspn(name, "/");

		if (length == 2 && name[0] == '.' && name[1] == '.')
			return false;
		if (length && !(length == 1 && name[0] == '.')) {
			if (used + length + 2 > size)
				return false;
			if (used)
				out[used++] = '/';
			memcpy(out + used, name, length);
			used += length;
		}
		name += length + (name[length] == '/');
	}
	out[used] = '\0';
	return used > 0;
}

static bool has_name(const void *items, uint32_t item, const void *key)
{
	return ((const struct entry *)items)[item].name == *(const uint32_t *)key;
}

static const struct entry *find(const struct tar_index *index, const char *name)
{
	uint32_t number = str_pool_find(index->names, name);
	uint32_t found;

	if (number == UINT32_MAX)
		return NULL;
	found = hash_table_find(&index->by_name, hash_u64(number), has_name, index->entries, &number);
	return found == HASH_TABLE_NONE ? NULL : &index->entries[found];
}

/* Of several files with one name the last applies, as when they are unpacked. */
static void keep_entry(struct tar_index *index, const struct entry *entry)
{
	uint32_t found = hash_table_find(&index->by_name, hash_u64(entry->name), has_name, index->entries,
					 &entry->name);

	if (found != HASH_TABLE_NONE) {
		free((char *)index->entries[found].link);
		index->entries[found] = *entry;
		return;
	}
	hash_table_insert(&index->by_name, hash_u64(entry->name), (uint32_t)index->entry_count);
	*ARRAY_ADD(index->entries, index->entry_count, index->entry_capacity) = *entry;
}

static int damaged(const struct tar_index *index, struct archive *tar, struct error *err)
{
	const char *why = index->library.archive_error_string(tar);

	return error_set(err, "%s is a damaged archive, or cut short: %s", index->path,
			 why ? why : "its contents are invalid");
}

static int write_block(struct tar_index *index, const void *bytes, size_t size, uint64_t offset,
		       struct error *err)
{
	if (size > index->limit_bytes || index->written_bytes > index->limit_bytes - size)
		return error_set(err, "%s unpacks to more than %d times its size: it is damaged or malicious",
				 index->path, MAX_RATIO);
	index->written_bytes += size;
	if (lseek(index->spool, (off_t)offset, SEEK_SET) < 0)
		return error_set_errno(err, errno, "cannot create a temporary copy of %s", index->path);
	return spool_file_write(index->spool, bytes, size, index->path, err);
}

/* Each file begins on a page of the spool. */
static int read_data(struct tar_index *index, struct archive *tar, struct entry *entry, struct error *err)
{
	const struct libarchive *library = &index->library;
	const void *bytes;
	int64_t offset;
	size_t size;
	int status;

	entry->spooled = (index->spool_end + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
	index->spool_end = entry->spooled + entry->size;
	while ((status = library->archive_read_data_block(tar, &bytes, &size, &offset)) == ARCHIVE_OK) {
		if (size == 0)
			continue;
		if (offset < 0 || (uint64_t)offset > entry->size || size > entry->size - (uint64_t)offset)
			return error_set(err, "%s: file %s is longer than its header says", index->path,
					 str_pool_text(index->names, entry->name));
		if (write_block(index, bytes, size, entry->spooled + (uint64_t)offset, err) < 0)
			return -1;
	}
	if (status != ARCHIVE_EOF)
		return damaged(index, tar, err);
	if (ftruncate(index->spool, (off_t)index->spool_end) < 0) /* it may end in a hole */
		return error_set_errno(err, errno, "cannot create a temporary copy of %s", index->path);
	return 0;
}

/* Puts the directory part of a name before a link's target. An absolute target stays as it is, and leads out of the archive. */
static char *link_target(const char *name, const char *target)
{
	const char *slash = *target == '/' ? NULL : strrchr(name, '/');

	return slash ? xasprintf("%.*s/%s", (int)(slash - name), name, target) : xstrdup(target);
}

static int read_entry(struct tar_index *index, struct archive *tar, struct archive_entry *header,
		      struct error *err)
{
	const struct libarchive *library = &index->library;
	const char *raw = library->archive_entry_pathname(header);
	const char *hard = library->archive_entry_hardlink(header);
	const char *soft = library->archive_entry_symlink(header);
	struct entry entry = { .link = NULL };
	char name[4096];

	if (index->entry_count >= MAX_ENTRIES)
		return error_set(err, "%s has more than %d files: it is damaged or malicious", index->path,
				 MAX_ENTRIES);
	if (!raw || !normalize(raw, name, sizeof(name)))
		return 0;
	entry.name = str_pool_add(index->names, name);
	if (hard) {
		entry.link = xstrdup(hard);
	} else if (library->archive_entry_filetype(header) == AE_IFLNK && soft) {
		entry.link = link_target(name, soft);
	} else if (library->archive_entry_filetype(header) == AE_IFREG) {
		if (library->archive_entry_size(header) < 0)
			return error_set(err, "%s: file %s has no size in its header", index->path, name);
		entry.size = (uint64_t)library->archive_entry_size(header);
		if (read_data(index, tar, &entry, err) < 0)
			return -1;
	} else {
		return 0;
	}
	keep_entry(index, &entry);
	return 0;
}

static enum archive_open read_entries(struct tar_index *index, struct archive *tar, struct error *err)
{
	const struct libarchive *library = &index->library;
	struct archive_entry *header;
	bool any = false;
	int status;

	while ((status = library->archive_read_next_header(tar, &header)) == ARCHIVE_OK ||
	       status == ARCHIVE_WARN) {
		any = true;
		if (read_entry(index, tar, header, err) < 0)
			return ARCHIVE_OPEN_FAILED;
	}
	if (!any)
		return ARCHIVE_OPEN_NONE;
	if (status == ARCHIVE_EOF)
		return ARCHIVE_OPENED;
	damaged(index, tar, err);
	return ARCHIVE_OPEN_FAILED;
}

static enum archive_open read_tar(struct tar_index *index, int fd, struct error *err)
{
	const struct libarchive *library = &index->library;
	struct archive *tar = library->archive_read_new();
	enum archive_open result = ARCHIVE_OPEN_NONE;

	if (!tar) {
		error_set(err, "%s: no memory", index->path);
		return ARCHIVE_OPEN_FAILED;
	}
	/* Only filters that need no other program. */
	(void)library->archive_read_support_filter_gzip(tar);
	(void)library->archive_read_support_filter_bzip2(tar);
	(void)library->archive_read_support_filter_xz(tar);
	(void)library->archive_read_support_filter_zstd(tar);
	(void)library->archive_read_support_filter_lz4(tar);
	(void)library->archive_read_support_format_tar(tar);
	if (library->archive_read_open_fd(tar, fd, READ_BYTES) == ARCHIVE_OK)
		result = read_entries(index, tar, err);
	(void)library->archive_read_free(tar);
	return result;
}

enum archive_open tar_index_read(int fd, const char *path, struct tar_index **out, struct error *err)
{
	enum archive_open result = ARCHIVE_OPEN_FAILED;
	struct libarchive library;
	struct tar_index *index;
	struct stat st;

	if (libarchive_load(&library, err) < 0)
		return without_library(path, err);
	index = xcalloc(1, sizeof(*index));
	index->library = library;
	index->path = xstrdup(path);
	index->names = str_pool_create();
	index->spool = spool_file_create(path, err);
	if (index->spool >= 0 && fstat(fd, &st) == 0) {
		index->limit_bytes = (uint64_t)st.st_size * MAX_RATIO + MAX_FREE_BYTES;
		result = read_tar(index, fd, err);
	}
	if (result == ARCHIVE_OPENED)
		*out = index;
	else
		tar_index_close(index);
	return result;
}

void tar_index_close(struct tar_index *index)
{
	if (!index)
		return;
	for (size_t i = 0; i < index->entry_count; i++)
		free((char *)index->entries[i].link);
	if (index->spool >= 0)
		close(index->spool);
	str_pool_destroy(index->names);
	hash_table_fini(&index->by_name);
	free(index->entries);
	free(index->path);
	free(index);
}

/* Removes "x/..", which relative links contain. Returns false if the path leads out of the archive. */
static bool resolve(const char *path, char *out, size_t size)
{
	size_t used = 0;

	while (*path) {
		size_t length = strcspn(path, "/");

		if (length == 2 && path[0] == '.' && path[1] == '.') {
			if (!used)
				return false;
			while (used && out[--used] != '/')
				continue;
		} else if (length && !(length == 1 && path[0] == '.')) {
			if (used + length + 2 > size)
				return false;
			if (used)
				out[used++] = '/';
			memcpy(out + used, path, length);
			used += length;
		}
		path += length + (path[length] == '/');
	}
	out[used] = '\0';
	return used > 0;
}

/* Finds the beginning of a path that is a link, and the rest of the path after it. */
static const struct entry *find_link(const struct tar_index *index, const char *path, const char **rest)
{
	char prefix[4096];

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		const size_t length = (size_t)(slash - path);
		const struct entry *entry;

		if (length >= sizeof(prefix))
			return NULL;
		memcpy(prefix, path, length);
		prefix[length] = '\0';
		entry = find(index, prefix);
		if (entry && entry->link) {
			*rest = slash + 1;
			return entry;
		}
	}
	return NULL;
}

static const struct entry *find_file(const struct tar_index *index, const char *name)
{
	char path[4096];

	if (strlen(name) >= sizeof(path))
		return NULL;
	strcpy(path, name);
	for (int links = 0; links < MAX_LINKS; links++) {
		const struct entry *entry = find(index, path);
		const char *rest = "";
		char *joined;
		bool inside;

		if (entry && !entry->link)
			return entry;
		if (!entry)
			entry = find_link(index, path, &rest);
		if (!entry)
			return NULL;
		joined = xasprintf("%s/%s", entry->link, rest);
		inside = entry->link[0] != '/' && resolve(joined, path, sizeof(path));
		free(joined);
		if (!inside)
			return NULL;
	}
	return NULL;
}

int tar_index_map(const struct tar_index *index, const char *name, struct archive_image *image,
		  struct error *err)
{
	const struct entry *entry = find_file(index, name);
	void *bytes;

	if (!entry)
		return 0;
	if (entry->size == 0) {
		*image = (struct archive_image){ .bytes = (const uint8_t *)"" };
		return 1;
	}
	bytes = mmap(NULL, (size_t)entry->size, PROT_READ, MAP_PRIVATE, index->spool, (off_t)entry->spooled);
	if (bytes == MAP_FAILED)
		return error_set_errno(err, errno, "%s: cannot map %s", index->path,
				       str_pool_text(index->names, entry->name));
	*image = (struct archive_image){ .bytes = bytes,
					 .size = (size_t)entry->size,
					 .mapping = bytes,
					 .mapping_bytes = (size_t)entry->size };
	return 1;
}

#else /* no libarchive */

enum archive_open tar_index_read(int fd, const char *path, struct tar_index **out, struct error *err)
{
	(void)fd, (void)out;
	(void)libarchive_load(NULL, err);
	return without_library(path, err);
}

void tar_index_close(struct tar_index *index)
{
	(void)index;
}

int tar_index_map(const struct tar_index *index, const char *name, struct archive_image *image,
		  struct error *err)
{
	(void)index, (void)name, (void)image;
	return error_set(err, "this xprof was built without libarchive");
}

#endif

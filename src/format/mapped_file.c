/*
 * Pipes and wrapped files are first copied, or unpacked, into a spool file, which is then mapped like any other. The readers
 * that are handed out never exceed the mapping, and a guard turns a file that shrinks into zeros and a flag.
 */
#include "format/mapped_file.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/spool_file.h"

int mapped_file_init(struct mapped_file *file, int fd, const char *name, struct error *err)
{
	struct stat st;
	void *bytes;

	*file = (struct mapped_file){ 0 };
	if (fstat(fd, &st) != 0)
		return error_set_errno(err, errno, "cannot read %s", name);
	if (st.st_size == 0)
		return 0;
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return error_set_errno(err, errno, "cannot map %s", name);
	/* Records are walked front to back, once or twice. */
	(void)madvise(bytes, (size_t)st.st_size, MADV_SEQUENTIAL);
	*file = (struct mapped_file){ .bytes = bytes,
				      .size_bytes = (size_t)st.st_size,
				      .owned = true,
				      .guard = map_guard_add(bytes, (size_t)st.st_size) };
	return 0;
}

void mapped_file_init_memory(struct mapped_file *file, const void *bytes, size_t size_bytes)
{
	*file = (struct mapped_file){ .bytes = bytes, .size_bytes = size_bytes };
}

static int copy_rest(int to, int from, const char *name, struct error *err)
{
	char block[64 * 1024];

	for (;;) {
		ssize_t got = TEMP_FAILURE_RETRY(read(from, block, sizeof(block)));

		if (got == 0)
			return 0;
		if (got < 0)
			return error_set_errno(err, errno, "cannot read %s", name);
		if (spool_file_write(to, block, (size_t)got, name, err) != 0)
			return -1;
	}
}

int mapped_file_init_spooled(struct mapped_file *file, int fd, const void *first, size_t first_size,
			     const char *name, struct error *err)
{
	int copy = spool_file_create(name, err), result = -1;

	*file = (struct mapped_file){ 0 };
	if (copy < 0)
		return -1;
	if (spool_file_write(copy, first, first_size, name, err) == 0 && copy_rest(copy, fd, name, err) == 0)
		result = mapped_file_init(file, copy, name, err);
	close(copy);
	return result;
}

enum unwrap_status mapped_file_init_unwrapped(struct mapped_file *file, enum wrapping wrapping, int fd,
					      const void *first, size_t first_size, const char *name,
					      struct error *err)
{
	int copy = spool_file_create(name, err);
	enum unwrap_status status;

	*file = (struct mapped_file){ 0 };
	if (copy < 0)
		return UNWRAP_FAILED;
	status = unwrap(wrapping, fd, first, first_size, copy, name, err);
	if (status != UNWRAP_FAILED && mapped_file_init(file, copy, name, err) != 0)
		status = UNWRAP_FAILED;
	close(copy);
	return status;
}

void mapped_file_fini(struct mapped_file *file)
{
	map_guard_remove(file->guard);
	if (file->owned)
		munmap((void *)file->bytes, file->size_bytes);
	*file = (struct mapped_file){ 0 };
}

bool mapped_file_was_cut(const struct mapped_file *file)
{
	/* In the last page that is left, bytes after the new end read as zeros unnoticed by the guard: read the last byte. */
	if (file->guard)
		(void)*(const volatile uint8_t *)(file->bytes + file->size_bytes - 1);
	return map_guard_was_hit(file->guard);
}

size_t mapped_file_pages(const struct mapped_file *file, uint64_t start, uint64_t end, const uint8_t **pages)
{
	const uint64_t page_size = (uint64_t)sysconf(_SC_PAGESIZE);

	if (!file->owned || end > file->size_bytes)
		return 0;
	start &= ~(page_size - 1);
	end &= ~(page_size - 1);
	if (start >= end)
		return 0;
	*pages = file->bytes + start;
	return end - start;
}

void mapped_pages_release(const uint8_t *pages, size_t size_bytes)
{
	(void)madvise((void *)pages, size_bytes, MADV_DONTNEED);
}

struct byte_reader mapped_file_reader(const struct mapped_file *file, uint64_t file_offset, uint64_t size,
				      bool swap)
{
	if (file_offset >= file->size_bytes)
		return byte_reader_over(NULL, 0, swap);
	if (size > file->size_bytes - file_offset)
		size = file->size_bytes - file_offset;
	return byte_reader_over(file->bytes + file_offset, size, swap);
}

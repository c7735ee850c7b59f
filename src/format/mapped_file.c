#include "format/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"

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
	*file = (struct mapped_file){ .bytes = bytes, .size_bytes = (size_t)st.st_size, .owned = true };
	return 0;
}

void mapped_file_init_memory(struct mapped_file *file, const void *bytes, size_t size_bytes)
{
	*file = (struct mapped_file){ .bytes = bytes, .size_bytes = size_bytes };
}

static int open_unlinked(char *path)
{
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd >= 0)
		unlink(path);
	return fd;
}

static int write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t written = write(fd, bytes, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -1;
		bytes += written;
		size -= (size_t)written;
	}
	return 0;
}

static int copy_rest(int to, int from, const char *name, const char *directory, struct error *err)
{
	char block[64 * 1024];

	for (;;) {
		ssize_t got = read(from, block, sizeof(block));

		if (got == 0)
			return 0;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_set_errno(err, errno, "cannot read %s", name);
		if (write_all(to, block, (size_t)got) != 0)
			return error_set_errno(
				err, errno,
				"cannot keep a copy of %s in %s (set TMPDIR to a directory with room)", name,
				directory);
	}
}

int mapped_file_init_spooled(struct mapped_file *file, int fd, const void *first, size_t first_size,
			     const char *name, struct error *err)
{
	const char *directory = getenv("TMPDIR");
	char *path;
	int copy, result = -1;

	*file = (struct mapped_file){ 0 };
	/* Not /tmp, which may be memory: the copy is as large as the recording. */
	if (!directory || !*directory)
		directory = "/var/tmp";
	path = xasprintf("%s/xprof-XXXXXX", directory);
	copy = open_unlinked(path);
	free(path);
	if (copy < 0 || write_all(copy, first, first_size) != 0)
		error_set_errno(err, errno,
				"cannot keep a copy of %s in %s (set TMPDIR to a directory with room)", name,
				directory);
	else if (copy_rest(copy, fd, name, directory, err) == 0)
		result = mapped_file_init(file, copy, name, err);
	if (copy >= 0)
		close(copy);
	return result;
}

void mapped_file_fini(struct mapped_file *file)
{
	if (file->owned)
		munmap((void *)file->bytes, file->size_bytes);
	*file = (struct mapped_file){ 0 };
}

void mapped_file_release(const struct mapped_file *file, uint64_t start, uint64_t end)
{
	const uint64_t page_size = (uint64_t)sysconf(_SC_PAGESIZE);

	if (!file->owned || end > file->size_bytes)
		return;
	start &= ~(page_size - 1);
	end &= ~(page_size - 1);
	if (start < end)
		(void)madvise((void *)(file->bytes + start), end - start, MADV_DONTNEED);
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

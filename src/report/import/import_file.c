/*
 * The first bytes tell recordings and archives from everything else, so these cost no more than one read. tee(2) copies those of
 * a pipe into another pipe, and leaves them in the first.
 */
#include "report/import/import_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "report/load/time_range.h"

enum { FIRST_BYTES = 4096, UNPACKED_BYTES = 1024 };

struct first_bytes {
	uint8_t bytes[FIRST_BYTES];
	size_t size;
};

/* --- is it a recording or an archive? ------------------------------------------------------------------ */

/* Unpacks the first bytes. Returns 0 if they are no gzip. */
static size_t unpack_first(const struct first_bytes *first, uint8_t unpacked[UNPACKED_BYTES])
{
	enum { WITH_GZIP_HEADER = 16 };
	z_stream stream = { .next_in = (Bytef *)first->bytes,
			    .avail_in = (uInt)first->size,
			    .next_out = unpacked,
			    .avail_out = UNPACKED_BYTES };

	if (inflateInit2(&stream, MAX_WBITS + WITH_GZIP_HEADER) != Z_OK)
		return 0;
	(void)inflate(&stream, Z_SYNC_FLUSH);
	(void)inflateEnd(&stream);
	return UNPACKED_BYTES - stream.avail_out;
}

static bool is_recording_or_archive(const uint8_t *bytes, size_t size)
{
	static const char *const magics[] = { "PERFILE2", "2ELIFREP", "PERFFILE", "ELIFFREP" };
	static const char tar[] = "ustar";
	enum { TAR_MAGIC_OFFSET = 257 };

	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if (size >= 8 && !memcmp(bytes, magics[i], 8))
			return true;
	return size >= TAR_MAGIC_OFFSET + sizeof(tar) &&
	       !memcmp(bytes + TAR_MAGIC_OFFSET, tar, sizeof(tar) - 1);
}

/* False if it certainly is no profile of another tool: most recordings are large, and are not examined any further. */
static bool may_be_foreign(const struct first_bytes *first)
{
	uint8_t unpacked[UNPACKED_BYTES];
	size_t size;

	switch (wrapping_of(first->bytes, first->size)) {
	case WRAPPING_NONE: return first->size && !is_recording_or_archive(first->bytes, first->size);
	case WRAPPING_GZIP:
		size = unpack_first(first, unpacked);
		return size && !is_recording_or_archive(unpacked, size);
	case WRAPPING_XZ:
	case WRAPPING_ZSTD: break;
	}
	return false;
}

/* --- the first bytes ------------------------------------------------------------------------------- */

static void copy_from_pipe(struct first_bytes *first, int fd)
{
	struct pollfd readable = { .fd = fd, .events = POLLIN };
	int copy[2];
	ssize_t copied;

	(void)TEMP_FAILURE_RETRY(poll(&readable, 1, -1));
	if (pipe2(copy, O_CLOEXEC) < 0)
		return;
	copied = tee(fd, copy[1], FIRST_BYTES, 0);
	close(copy[1]);
	if (copied > 0)
		copied = read(copy[0], first->bytes, FIRST_BYTES);
	close(copy[0]);
	first->size = copied > 0 ? (size_t)copied : 0;
}

static void read_first(struct first_bytes *first, int fd)
{
	struct stat st;
	ssize_t got;

	first->size = 0;
	if (fstat(fd, &st) < 0)
		return;
	if (S_ISFIFO(st.st_mode)) {
		copy_from_pipe(first, fd);
		return;
	}
	got = S_ISREG(st.st_mode) ? pread(fd, first->bytes, FIRST_BYTES, 0) : 0;
	first->size = got > 0 ? (size_t)got : 0;
}

/* --- the file -------------------------------------------------------------------------------------- */

static bool is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* The whole file, unpacked. */
static int map_file(struct import_file *file, int fd, enum wrapping wrapping, struct error *err)
{
	if (wrapping != WRAPPING_NONE)
		return mapped_file_init_unwrapped(&file->map, wrapping, fd, "", 0, file->path, err) ==
				       UNWRAP_WHOLE ?
			       0 :
			       -1;
	return is_pipe(fd) ? mapped_file_init_spooled(&file->map, fd, "", 0, file->path, err) :
			     mapped_file_init(&file->map, fd, file->path, err);
}

/* A pipe can be read only once: the bytes of one that is no known profile cannot be put back, so it is an error at once. */
static enum import_open recognise(struct import_file *file, bool from_pipe, struct error *err)
{
	file->format = import_format_of((const char *)file->map.bytes, file->map.size_bytes);
	if (file->format)
		return IMPORT_FOUND;
	mapped_file_fini(&file->map);
	if (!from_pipe)
		return IMPORT_NONE_FOUND;
	error_set(err, "%s is neither a recording nor a profile in a known format",
		  strcmp(file->path, "-") ? file->path : "standard input");
	return IMPORT_FAILED;
}

static enum import_open open_fd(struct import_file *file, int fd, struct error *err)
{
	struct first_bytes first;

	read_first(&first, fd);
	if (!may_be_foreign(&first))
		return IMPORT_NONE_FOUND;
	if (map_file(file, fd, wrapping_of(first.bytes, first.size), err))
		return IMPORT_FAILED;
	return recognise(file, is_pipe(fd), err);
}

/*
 * Leaves a file that cannot be opened to the reader of recordings, which reports it; also a FIFO, which can be opened only once.
 */
enum import_open import_file_open(struct import_file *file, const char *path, struct error *err)
{
	enum import_open found;
	struct stat st;
	int fd;

	*file = (struct import_file){ .path = path };
	if (!strcmp(path, "-"))
		return open_fd(file, STDIN_FILENO, err);
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return IMPORT_NONE_FOUND;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return IMPORT_NONE_FOUND;
	found = open_fd(file, fd, err);
	close(fd);
	return found;
}

void import_file_close(struct import_file *file)
{
	mapped_file_fini(&file->map);
}

/* --- the profile ----------------------------------------------------------------------------------- */

static int load(const struct import_file *file, const struct import_request *request,
		struct loaded_profile *loaded, struct error *err)
{
	struct import_model model;

	import_model_init(&model, request->timeline);
	model.log = request->log;
	model.times = request->times;
	if (file->format->read(&model, (const char *)file->map.bytes, file->map.size_bytes, err)) {
		import_model_fini(&model);
		return error_wrap(err, "%s: %s", file->path, file->format->name);
	}
	import_model_finish(&model, file->path, file->format->summary, loaded);
	return 0;
}

/* Percentages need the times of the first and the last sample: reads the file twice. */
static int find_times(const struct import_file *file, const char *text, struct time_ranges *times,
		      struct error *err)
{
	struct loaded_profile all = { .profile = NULL };
	int status;

	if (load(file, &(struct import_request){ .times = NULL }, &all, err))
		return -1;
	if (!all.facts.last_time_ns)
		status = error_set(err, "%s: --time: its samples have no times", file->path);
	else
		status = time_ranges_parse(times, text, all.facts.first_time_ns, all.facts.last_time_ns, err);
	loaded_profile_fini(&all);
	return status;
}

int import_file_load(const struct import_file *file, const struct import_request *request,
		     struct loaded_profile *loaded, struct error *err)
{
	request->times->count = 0;
	if (request->time && find_times(file, request->time, request->times, err))
		return -1;
	return load(file, request, loaded, err);
}

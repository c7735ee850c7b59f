/* Opens a perf.data: detects its container, and reads header, attrs and feature table. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "format/perf_file_state.h"

static struct perf_file *file_create(const char *name)
{
	struct perf_file *file = xcalloc(1, sizeof(*file));

	file->path = xstrdup(name);
	file->source = &file->mapped_records;
	event_table_init(&file->events);
	feature_table_init(&file->features);
	strbuf_init(&file->tracing_data);
	strbuf_init(&file->map_pieces);
	strbuf_init(&file->split);
	return file;
}

void perf_file_free(struct perf_file *file)
{
	decompressor_destroy(file->decompressor); /* first, since its thread may be reading mapped bytes */
	for (size_t i = 0; i < file->map_count; i++)
		mapped_file_fini(&file->maps[i]);
	free(file->maps);
	byte_stream_destroy(file->stream);
	recording_directory_fini(&file->directory);
	event_table_fini(&file->events);
	feature_table_fini(&file->features);
	strbuf_fini(&file->tracing_data);
	strbuf_fini(&file->map_pieces);
	strbuf_fini(&file->split);
	for (size_t i = 0; i < file->joined_count; i++)
		free(file->joined_records[i]);
	free(file->joined_records);
	free(file->path);
	free(file);
}

static struct mapped_file *add_map(struct perf_file *file)
{
	return ARRAY_ADD(file->maps, file->map_count, file->map_capacity);
}

/* Makes the records between two offsets the current ones. They end earlier if the map does. */
static void set_records(struct perf_file *file, const struct mapped_file *map, uint64_t start, uint64_t end)
{
	struct byte_reader r = mapped_file_reader(map, start, end - start, file->header.swap);

	file->released_offset = start;
	file->mapped_records = (struct record_source){
		.next = r.next, .end = r.end, .file_offset = start, .swap = file->header.swap
	};
}

/*
 * struct perf_file_attr: the attr, then the section of its ids. The distance between two is the writer's sizeof; attr.size,
 * the size passed to the kernel, may be smaller.
 */
static int read_file_attr(struct perf_file *file, const struct mapped_file *map, uint64_t offset,
			  struct error *err)
{
	const bool swap = file->header.swap;
	uint64_t room = file->header.attr_size - sizeof(struct file_section), ids_offset, ids_size;
	struct byte_reader attr = mapped_file_reader(map, offset, room, swap), r = attr;
	struct byte_reader section =
		mapped_file_reader(map, offset + room, sizeof(struct file_section), swap);
	uint32_t attr_size;

	byte_reader_skip(&r, sizeof(uint32_t));
	attr_size = byte_reader_u32(&r);
	if (attr_size >= 64 && attr_size < byte_reader_left(&attr))
		attr = byte_reader_sub(&attr, attr_size);
	ids_offset = byte_reader_u64(&section);
	ids_size = byte_reader_u64(&section);
	if (!byte_reader_ok(&section))
		return error_set(err, "the file ends inside its event attributes");
	return perf_file_add_event(file, attr, mapped_file_reader(map, ids_offset, ids_size, swap), err);
}

static int read_attrs(struct perf_file *file, const struct mapped_file *map, struct error *err)
{
	const struct perf_header *header = &file->header;
	uint64_t count = header->attrs.size / header->attr_size;

	if (header->attrs.offset > map->size_bytes ||
	    header->attrs.size > map->size_bytes - header->attrs.offset)
		return error_set(err,
				 "the header claims %" PRIu64
				 " bytes of event attributes at offset 0x%" PRIx64
				 ", beyond the end of the file; it may be cut short",
				 header->attrs.size, header->attrs.offset);
	for (uint64_t i = 0; i < count; i++)
		if (read_file_attr(file, map, header->attrs.offset + i * header->attr_size, err) != 0)
			return -1;
	return 0;
}

/* simpleperf's INIT_MAP: records of the mappings that existed when the recording began. */
static void read_init_records(struct perf_file *file, const struct mapped_file *map,
			      struct file_section section)
{
	struct byte_reader bytes = mapped_file_reader(map, section.offset, section.size, file->header.swap);

	file->init_records = section;
	file->init_records.size = byte_reader_left(&bytes);
}

bool perf_file_next_section(struct perf_file *file)
{
	if (file->init_records.size == 0)
		return false;
	file->init_records.size = 0;
	set_records(file, &file->maps[0], file->header.data.offset,
		    file->header.data.offset + file->header.data.size);
	return true;
}

static void read_feature_section(struct perf_file *file, const struct mapped_file *map, unsigned int feature,
				 struct file_section section)
{
	struct byte_reader bytes = mapped_file_reader(map, section.offset, section.size, file->header.swap);
	struct error err;

	if (byte_reader_left(&bytes) < section.size) {
		file->damage.truncated = true;
		perf_file_note_damage(file, section.offset, 0, 0, "feature %u is beyond the end of the file",
				      feature);
		return;
	}
	if (feature == HEADER_SIMPLEPERF_INIT_MAP)
		read_init_records(file, map, section);
	if (feature_table_add(&file->features, feature, bytes, FEATURE_FROM_TABLE, &file->events, &err) != 0)
		perf_file_note_damage(file, section.offset, 0, section.size, "%s", err.message);
}

/* One struct perf_file_section per feature bit, in ascending order. */
static void read_feature_table(struct perf_file *file, const struct mapped_file *map, uint64_t table_offset)
{
	unsigned int count = perf_header_feature_count(&file->header);
	struct byte_reader r =
		mapped_file_reader(map, table_offset, count * sizeof(struct file_section), file->header.swap);

	for (unsigned int feature = 0; feature < HEADER_FEATURE_BITS; feature++) {
		struct file_section section;

		if (!perf_header_has(&file->header, feature))
			continue;
		section.offset = byte_reader_u64(&r);
		section.size = byte_reader_u64(&r);
		if (!byte_reader_ok(&r)) {
			file->damage.truncated = true;
			perf_file_note_damage(file, table_offset, 0, 0,
					      "the feature table is beyond the end of the file");
			return;
		}
		read_feature_section(file, map, feature, section);
	}
}

/*
 * perf writes the feature bits when it starts, and data.size and the feature table when it ends. With a data.size of 0, the
 * table would begin where the data does. Checks for one: perf puts the table's first section right behind it.
 */
static bool table_is_at(const struct perf_file *file, const struct mapped_file *map, uint64_t offset)
{
	uint64_t table_size = perf_header_feature_count(&file->header) * sizeof(struct file_section);
	struct byte_reader r = mapped_file_reader(map, offset, table_size, file->header.swap);

	return table_size > 0 && byte_reader_u64(&r) == offset + table_size && byte_reader_ok(&r);
}

/* Finds the data and the features behind it. */
static void read_data_and_features(struct perf_file *file, const struct mapped_file *map)
{
	const struct file_section data = file->header.data;
	uint64_t end;

	if (data.size == 0 && !table_is_at(file, map, data.offset)) {
		file->damage.truncated = true;
		perf_file_note_damage(
			file, data.offset, 0, 0,
			"the size of the data was never written: the recorder was killed, or still runs");
		set_records(file, map, data.offset, UINT64_MAX);
		return;
	}
	if (__builtin_add_overflow(data.offset, data.size, &end) || end > map->size_bytes) {
		file->damage.truncated = true;
		perf_file_note_damage(file, map->size_bytes, 0, 0,
				      "the file is cut short: its header promises %" PRIu64
				      " bytes of data from offset 0x%" PRIx64,
				      data.size, data.offset);
		set_records(file, map, data.offset, UINT64_MAX);
		return;
	}
	set_records(file, map, data.offset, end);
	if (perf_header_feature_count(&file->header) == 0)
		return;
	read_feature_table(file, map, end);
	/* Only a whole feature table can tell that no compressed records will come. */
	file->stable = !file->damage.truncated && !perf_header_has(&file->header, HEADER_COMPRESSED);
	if (file->init_records.size)
		set_records(file, map, file->init_records.offset,
			    file->init_records.offset + file->init_records.size);
}

static int read_map(struct perf_file *file, const struct mapped_file *map, struct error *err)
{
	if (perf_header_decode(&file->header, map->bytes, map->size_bytes, err) != 0)
		return -1;
	if (file->header.pipe) {
		file->mode = PERF_FILE_PIPE;
		set_records(file, map, PERF_PIPE_HEADER_SIZE, UINT64_MAX);
		return 0;
	}
	if (read_attrs(file, map, err) != 0)
		return -1;
	read_data_and_features(file, map);
	return 0;
}

static int open_map(struct perf_file *file, int fd, struct error *err)
{
	struct mapped_file *map = add_map(file);

	if (mapped_file_init(map, fd, file->path, err) != 0)
		return -1;
	file->size_bytes += map->size_bytes;
	return 0;
}

/* Opens a whole file that was compressed by gzip or a similar program. */
static int open_wrapped(struct perf_file *file, enum wrapping wrapping, int fd, const void *first,
			size_t first_size, struct error *err)
{
	struct mapped_file *map = add_map(file);

	switch (mapped_file_init_unwrapped(map, wrapping, fd, first, first_size, file->path, err)) {
	case UNWRAP_FAILED: return -1;
	case UNWRAP_CUT:
		if (map->size_bytes == 0) /* err describes the damage */
			return error_wrap(err, "%s is a damaged recording, a damaged archive, or cut short",
					  file->path);
		file->damage.truncated = true;
		perf_file_note_damage(file, map->size_bytes, 0, 0, "%s", err->message);
		break;
	case UNWRAP_WHOLE: break;
	}
	file->size_bytes += map->size_bytes;
	return 0;
}

static int open_map_or_wrapped(struct perf_file *file, int fd, struct error *err)
{
	uint8_t magic[WRAPPING_MAGIC_BYTES];
	ssize_t got = pread(fd, magic, sizeof(magic), 0);
	enum wrapping wrapping = wrapping_of(magic, got < 0 ? 0 : (size_t)got);

	return wrapping == WRAPPING_NONE ? open_map(file, fd, err) :
					   open_wrapped(file, wrapping, fd, NULL, 0, err);
}

/* Closes fd. */
static int open_regular(struct perf_file *file, int fd, struct error *err)
{
	int result = open_map_or_wrapped(file, fd, err);
	struct stat status;

	if (fstat(fd, &status) == 0)
		file->modified_s = status.st_mtime;
	close(fd);
	if (result == 0 && read_map(file, &file->maps[0], err) != 0)
		result = error_wrap(err, "%s", file->path);
	return result;
}

/* A file in the seekable layout came through a pipe: copies it, since features from behind the data are needed first. */
static int spool_stream(struct perf_file *file, int fd, struct error *err)
{
	struct record_source *source = byte_stream_source(file->stream);
	struct mapped_file *map = add_map(file);
	int result = mapped_file_init_spooled(map, fd, source->next, (size_t)(source->end - source->next),
					      file->path, err);

	byte_stream_destroy(file->stream);
	file->stream = NULL;
	if (result == 0 && read_map(file, map, err) != 0)
		result = error_wrap(err, "%s", file->path);
	return result;
}

static int unwrap_stream(struct perf_file *file, int fd, enum wrapping wrapping, struct error *err)
{
	struct record_source *source = byte_stream_source(file->stream);
	int result =
		open_wrapped(file, wrapping, fd, source->next, (size_t)(source->end - source->next), err);

	byte_stream_destroy(file->stream);
	file->stream = NULL;
	if (result == 0 && read_map(file, &file->maps[0], err) != 0)
		result = error_wrap(err, "%s", file->path);
	return result;
}

static int open_stream(struct perf_file *file, int fd, struct error *err)
{
	struct record_source *source;
	enum wrapping wrapping;

	file->stream = byte_stream_create(fd, file->path);
	source = byte_stream_source(file->stream);
	if (record_source_need(source, PERF_FILE_HEADER_SIZE, err) < 0)
		return -1;
	wrapping = wrapping_of(source->next, (size_t)(source->end - source->next));
	if (wrapping != WRAPPING_NONE)
		return unwrap_stream(file, fd, wrapping, err);
	if (perf_header_decode(&file->header, source->next, (size_t)(source->end - source->next), err) != 0)
		return error_wrap(err, "%s", file->path);
	if (!file->header.pipe)
		return spool_stream(file, fd, err);
	file->mode = PERF_FILE_PIPE;
	file->source = source;
	source->swap = file->header.swap;
	return record_source_skip(source, PERF_PIPE_HEADER_SIZE, err) < 0 ? -1 : 0;
}

static int explain_open(const char *path, int errno_value, struct error *err)
{
	const char *remedy = "";

	if (errno_value == ENOENT)
		remedy = " (record one with 'xprof record', or name another with -i FILE)";
	else if (errno_value == EACCES)
		remedy =
			" (recordings are private to the user who made them: read it as that user, or as root)";
	return error_set_errno(err, errno_value, "cannot open %s%s", path, remedy);
}

static int open_path(struct perf_file *file, const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return explain_open(path, errno, err);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return open_regular(file, fd, err);
	return open_stream(file, fd, err);
}

static int open_directory(struct perf_file *file, const char *path, struct error *err)
{
	if (recording_directory_init(&file->directory, path, err) != 0 ||
	    open_path(file, file->directory.paths[0], err) != 0)
		return -1;
	for (size_t i = 1; i < file->directory.count; i++) {
		struct stat st;

		if (stat(file->directory.paths[i], &st) == 0)
			file->size_bytes += (uint64_t)st.st_size;
	}
	if (!file->header.pipe)
		file->mode = PERF_FILE_DIRECTORY;
	return 0;
}

struct perf_file *perf_file_create_part(const struct perf_file *directory, const char *path,
					struct error *err)
{
	struct perf_file *part = file_create(path);
	int fd = open(path, O_RDONLY | O_CLOEXEC), result;

	part->is_part = true;
	part->header = directory->header;
	part->stable = directory->stable;
	result = fd < 0 ? explain_open(path, errno, err) : mapped_file_init(add_map(part), fd, path, err);
	if (fd >= 0)
		close(fd);
	if (result != 0) {
		perf_file_free(part);
		return NULL;
	}
	set_records(part, &part->maps[0], 0, UINT64_MAX);
	return part;
}

/* Without a file name, standard input is read if it is a pipe. The user may not be aware of that, so the message says so. */
static int explain_pipe(const struct error *why, struct error *err)
{
	const struct error copy = why ? *why : (struct error){ .message = "" };

	return error_set(err, "%s (standard input is a pipe: name a file to read that instead)",
			 copy.message);
}

static int open_standard_input(struct perf_file *file, struct error *err)
{
	int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	struct stat st;
	bool is_pipe;

	if (fd < 0 || fstat(fd, &st) != 0)
		return error_set_errno(err, errno, "cannot read standard input");
	/* xprof report -i - <perf.data */
	if (S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0)
		return open_regular(file, fd, err);
	is_pipe = S_ISFIFO(st.st_mode);
	if (open_stream(file, fd, err) == 0)
		return 0;
	return is_pipe ? explain_pipe(err, err) : -1;
}

static struct perf_file *file_or_null(struct perf_file *file, int result)
{
	if (result == 0)
		return file;
	perf_file_free(file);
	return NULL;
}

struct perf_file *perf_file_open(const char *path, struct error *err)
{
	const bool standard_input = strcmp(path, "-") == 0;
	struct perf_file *file = file_create(standard_input ? "standard input" : path);
	struct stat st;

	if (standard_input)
		return file_or_null(file, open_standard_input(file, err));
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return file_or_null(file, open_directory(file, path, err));
	return file_or_null(file, open_path(file, path, err));
}

struct perf_file *perf_file_open_stream(int fd, const char *name, struct error *err)
{
	struct perf_file *file = file_create(name);

	return file_or_null(file, open_stream(file, fd, err));
}

struct perf_file *perf_file_open_memory(const void *bytes, size_t size, const char *name, struct error *err)
{
	struct perf_file *file = file_create(name);

	mapped_file_init_memory(add_map(file), bytes, size);
	file->size_bytes = size;
	if (read_map(file, &file->maps[0], err) != 0)
		return file_or_null(file, error_wrap(err, "%s", name));
	return file;
}

struct perf_file *perf_file_open_again(const struct perf_file *file, struct error *err)
{
	const struct mapped_file *map = file->map_count ? &file->maps[0] : NULL;

	if (map && !map->owned && map->bytes)
		return perf_file_open_memory(map->bytes, map->size_bytes, file->path, err);
	return perf_file_open(file->path, err);
}

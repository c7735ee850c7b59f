/*
 * Looks at the bytes without perf_file.h, and so works for a file that does not open. A byte_reader reads the fields, and stops
 * at the end. tee(2) peeks at a pipe on standard input.
 */
#include "report/dump/dump_layout.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/perf_abi.h"
#include "format/perf_header.h"
#include "report/dump/dump_feature.h"

/*
 * tee(2) copies bytes of a pipe and leaves them there. Even if the writer has written only a few by now, the magic number is
 * among them.
 */
static size_t peek_pipe(int fd, uint8_t *bytes, size_t size)
{
	struct pollfd readable = { .fd = fd, .events = POLLIN };
	ssize_t copied = -1;
	int scratch[2];

	if (poll(&readable, 1, -1) < 0 || pipe2(scratch, O_CLOEXEC) != 0)
		return 0;
	if (tee(fd, scratch[1], size, 0) > 0)
		copied = read(scratch[0], bytes, size);
	close(scratch[0]);
	close(scratch[1]);
	return copied > 0 ? (size_t)copied : 0;
}

static void look_at(struct dump_source *source, int fd, const char *path)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return;
	if (S_ISREG(st.st_mode)) {
		if (mapped_file_init(&source->map, fd, path, NULL) != 0)
			mapped_file_init_memory(&source->map, NULL, 0);
	} else if (S_ISFIFO(st.st_mode)) {
		mapped_file_init_memory(&source->map, source->first,
					peek_pipe(fd, source->first, sizeof(source->first)));
	}
}

void dump_source_init(struct dump_source *source, const char *path)
{
	char in_directory[4096];
	struct stat st;
	int fd;

	mapped_file_init_memory(&source->map, NULL, 0);
	if (strcmp(path, "-") == 0) {
		look_at(source, STDIN_FILENO, path);
		return;
	}
	if (stat(path, &st) != 0 || !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		return; /* do not open a named pipe here: its writer would take this for the reader */
	if (S_ISDIR(st.st_mode)) {
		snprintf(in_directory, sizeof(in_directory), "%s/data", path);
		path = in_directory;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	look_at(source, fd, path);
	close(fd);
}

void dump_source_init_memory(struct dump_source *source, const void *bytes, size_t size)
{
	mapped_file_init_memory(&source->map, bytes, size);
}

void dump_source_fini(struct dump_source *source)
{
	mapped_file_fini(&source->map);
}

/* Other files that are mistaken for a perf.data, by their first bytes. */
static const char *other_format(const uint8_t *bytes, size_t size)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *name;
	} formats[] = {
		{ "\x1f\x8b", 2, "gzip: unpack it first" },
		{ "\xfd\x37zXZ", 5, "xz: unpack it first" },
		{ "\x28\xb5\x2f\xfd", 4, "zstd: unpack it first" },
		{ "BZh", 3, "bzip2: unpack it first" },
		{ "PK\x03\x04", 4, "zip: unpack it first" },
		{ "\x7f\x45LF", 4, "ELF: a program or library" },
		{ "SIMPLEPERF", 10, "simpleperf's report in protocol buffers" },
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (size >= formats[i].size && memcmp(bytes, formats[i].bytes, formats[i].size) == 0)
			return formats[i].name;
	return NULL;
}

static void dump_section(struct dump_out *out, const char *name, uint64_t offset, uint64_t size,
			 uint64_t file_size)
{
	dump_row(out);
	dump_word(out, "name", name);
	dump_hex(out, "offset", offset);
	dump_unsigned(out, "size", size);
	if (size && (offset > file_size || size > file_size - offset))
		dump_lead_word(out, "problem", "beyond the end of the file", COLOR_WARNING);
	dump_row_end(out);
}

/* struct perf_file_section of each feature bit, in ascending order, after the data. */
static void dump_feature_sections(struct dump_out *out, const struct mapped_file *map,
				  const struct perf_header *header)
{
	struct byte_reader r = mapped_file_reader(map, header->data.offset + header->data.size,
						  perf_header_feature_count(header) * 16, header->swap);
	char name[24];

	for (unsigned int feature = 0; feature < HEADER_FEATURE_BITS; feature++) {
		uint64_t offset, size;

		if (!perf_header_has(header, feature))
			continue;
		offset = byte_reader_u64(&r);
		size = byte_reader_u64(&r);
		if (!byte_reader_ok(&r)) {
			dump_row(out);
			dump_lead_word(out, "problem", "the table of features is missing", COLOR_WARNING);
			dump_row_end(out);
			return;
		}
		dump_section(out, dump_feature_name(feature, name), offset, size, map->size_bytes);
	}
}

static void dump_sections(struct dump_out *out, const struct mapped_file *map, struct byte_reader *r)
{
	static const char *const names[] = { "attrs", "data", "event_types" };
	struct perf_header header;

	dump_rows(out, "sections");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		uint64_t offset = byte_reader_u64(r), size = byte_reader_u64(r);

		if (!byte_reader_ok(r))
			break;
		dump_section(out, names[i], offset, size, map->size_bytes);
	}
	if (perf_header_decode(&header, map->bytes, map->size_bytes, NULL) == 0 && header.data.size)
		dump_feature_sections(out, map, &header);
	dump_rows_end(out);
}

/* The fields after the magic number, as far as the file has them. */
static void dump_header_fields(struct dump_out *out, const struct mapped_file *map, bool swap)
{
	struct byte_reader r = byte_reader_over(map->bytes, map->size_bytes, swap);
	uint64_t size, attr_size;

	byte_reader_skip(&r, sizeof(uint64_t));
	dump_word(out, "byte_order", swap == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ? "little" : "big");
	size = byte_reader_u64(&r);
	if (!byte_reader_ok(&r))
		return;
	dump_unsigned(out, "header_size", size);
	if (size == PERF_PIPE_HEADER_SIZE) {
		dump_word(out, "mode", "pipe");
		return;
	}
	dump_word(out, "mode", "file");
	attr_size = byte_reader_u64(&r);
	if (!byte_reader_ok(&r))
		return;
	dump_unsigned(out, "attr_size", attr_size);
	dump_sections(out, map, &r);
}

void dump_layout(struct dump_out *out, const struct dump_source *source)
{
	const struct mapped_file *map = &source->map;
	const size_t magic_size = map->size_bytes < 8 ? map->size_bytes : 8;
	struct perf_header header = { .swap = false };
	const char *other;
	uint64_t magic = 0;

	if (map->bytes != source->first && map->size_bytes == 0)
		return;
	dump_entry(out, "header", "header");
	if (map->bytes != source->first)
		dump_unsigned(out, "file_size", map->size_bytes);
	dump_string_n(out, "magic", (const char *)map->bytes, magic_size);
	memcpy(&magic, map->bytes, magic_size);
	/* Only for the byte order, which it determines first. */
	(void)perf_header_decode(&header, map->bytes, map->size_bytes, NULL);
	if (magic == PERF_FILE_MAGIC2 || magic == __builtin_bswap64(PERF_FILE_MAGIC2) ||
	    memcmp(&magic, "PERFFILE", 8) == 0) {
		dump_header_fields(out, map, header.swap);
	} else {
		other = other_format(map->bytes, map->size_bytes);
		dump_bytes(out, "first_bytes", map->bytes, map->size_bytes < 16 ? map->size_bytes : 16);
		if (other)
			dump_word(out, "looks_like", other);
	}
	dump_entry_end(out);
}

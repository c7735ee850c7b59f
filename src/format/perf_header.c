/*
 * decode_magic() finds the byte order, then the sections follow in the order of struct perf_file_header. Two cases need a
 * guess, explained there: the old magic "PERFFILE", and the feature bitmap of big-endian 32-bit writers.
 */
#include "format/perf_header.h"

#include <inttypes.h>
#include <string.h>

#include "base/byte_reader.h"

enum {
	HEADER_SIZE_WITHOUT_FEATURES = 72,  /* Linux before 2.6.32: the header ends before adds_features */
	FILE_ATTR_SIZE_MIN_BYTES = 64 + 16, /* PERF_ATTR_SIZE_VER0 and the section of the ids */
	FILE_ATTR_SIZE_MAX_BYTES = 4096, /* far above any attr's size: tells the byte order of "PERFFILE" */
};

/*
 * "PERFILE2" was written as an integer, so its bytes tell the byte order. The older "PERFFILE" was written as text: there
 * only the size of an attr tells, which is plausible in one order only.
 */
static int decode_magic(struct perf_header *header, const uint8_t *bytes, size_t size, struct error *err)
{
	uint64_t magic, attr_size;

	memcpy(&magic, bytes, sizeof(magic));
	if (magic == PERF_FILE_MAGIC2 || magic == __builtin_bswap64(PERF_FILE_MAGIC2)) {
		header->swap = magic != PERF_FILE_MAGIC2;
		return 0;
	}
	if (memcmp(bytes, "PERFFILE", 8) == 0 && size >= 24) {
		memcpy(&attr_size, bytes + 16, sizeof(attr_size));
		header->swap = attr_size > FILE_ATTR_SIZE_MAX_BYTES;
		return 0;
	}
	return error_set(err, "not a perf.data file: it does not begin with PERFILE2");
}

static struct file_section read_section(struct byte_reader *r)
{
	struct file_section section = { .offset = byte_reader_u64(r) };

	section.size = byte_reader_u64(r);
	return section;
}

static void swap_halves(uint64_t words[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		words[i] = words[i] >> 32 | words[i] << 32;
}

/*
 * adds_features is a bitmap of unsigned longs, so its layout in big-endian files depends on the writer's word size. Every
 * writer since Linux 2.6.32 sets HOSTNAME, which reveals the layout.
 */
static void decode_features(struct perf_header *header, struct byte_reader *r)
{
	const size_t count = sizeof(header->features) / sizeof(header->features[0]);

	for (size_t i = 0; i < count; i++)
		header->features[i] = byte_reader_u64(r);
	if (!header->swap || perf_header_has(header, HEADER_HOSTNAME))
		return;
	swap_halves(header->features, count);
	if (!perf_header_has(header, HEADER_HOSTNAME))
		swap_halves(header->features, count);
}

/* struct perf_file_header, tools/perf/util/header.h */
static int decode_file_header(struct perf_header *header, struct byte_reader *r, uint64_t header_size,
			      struct error *err)
{
	header->attr_size = byte_reader_u64(r);
	header->attrs = read_section(r);
	header->data = read_section(r);
	(void)read_section(r); /* event_types: names of events, before there was EVENT_DESC */
	if (header_size >= PERF_FILE_HEADER_SIZE)
		decode_features(header, r);
	if (!byte_reader_ok(r))
		return error_set(err, "the file ends inside its header");
	if (header->attr_size < FILE_ATTR_SIZE_MIN_BYTES)
		return error_set(err,
				 "damaged header: attributes of %" PRIu64 " bytes, fewer than the minimum %d",
				 header->attr_size, FILE_ATTR_SIZE_MIN_BYTES);
	return 0;
}

int perf_header_decode(struct perf_header *header, const uint8_t *bytes, size_t size, struct error *err)
{
	struct byte_reader r;
	uint64_t header_size;

	*header = (struct perf_header){ 0 };
	if (size == 0)
		return error_set(err, "the file is empty; nothing was recorded into it");
	if (size < sizeof(uint64_t) ||
	    (size < PERF_PIPE_HEADER_SIZE && decode_magic(header, bytes, size, NULL) == 0))
		return error_set(err, "too short for a perf.data file: %zu bytes", size);
	if (decode_magic(header, bytes, size, err) != 0)
		return -1;
	r = byte_reader_over(bytes, size, header->swap);
	byte_reader_skip(&r, sizeof(uint64_t));
	header_size = byte_reader_u64(&r);
	if (header_size == PERF_PIPE_HEADER_SIZE) {
		header->pipe = true;
		return 0;
	}
	if (header_size < HEADER_SIZE_WITHOUT_FEATURES)
		return error_set(err, "damaged header: it claims a size of %" PRIu64 " bytes", header_size);
	return decode_file_header(header, &r, header_size, err);
}

unsigned int perf_header_feature_count(const struct perf_header *header)
{
	unsigned int count = 0;

	for (size_t i = 0; i < sizeof(header->features) / sizeof(header->features[0]); i++)
		count += (unsigned int)__builtin_popcountll(header->features[i]);
	return count;
}

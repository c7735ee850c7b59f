/*
 * Reduces a recording made with --evidence=all to what `xprof record -g` would have written: the same records, each sample
 * reduced by the same code. So the stacks of the very same samples can be compared, from all bytes and from the least.
 *
 * usage: reduce IN OUT [none]
 *
 * `none`: as with --evidence=none. IN is a plain file; OUT has no feature table, as if its recorder had been killed.
 *
 * Prints how many samples became a chain, became a dump up to the start of their stack, or stayed as they were.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "record/stack/evidence.h"

/* struct perf_file_header of tools/perf/util/header.h: magic, size, attr_size, then sections of offset and size */
enum { ATTR_SIZE = 16, ATTRS = 24, DATA = 40, FEATURES = 72, HEADER_SIZE = 104 };

static uint64_t word_at(const struct strbuf *file, uint64_t offset)
{
	uint64_t word;

	if (offset > file->size || file->size - offset < sizeof(word)) {
		fprintf(stderr, "reduce: the file ends before %" PRIu64 "\n", offset);
		exit(1);
	}
	memcpy(&word, file->bytes + offset, sizeof(word));
	return word;
}

static void read_file(struct strbuf *file, const char *path)
{
	FILE *in = fopen(path, "rbe");
	char piece[65536];
	size_t size;

	strbuf_init(file);
	while (in && (size = fread(piece, 1, sizeof(piece), in)) > 0)
		strbuf_add(file, piece, size);
	if (!in || ferror(in) || file->size < HEADER_SIZE) {
		fprintf(stderr, "reduce: %s: cannot be read\n", path);
		exit(1);
	}
	fclose(in);
}

/* Visits each record of the data. */
static void each_record(const struct strbuf *file, uint64_t offset, uint64_t end,
			void (*visit)(const uint8_t *record, size_t size, bool is_sample, void *context),
			void *context)
{
	while (offset + sizeof(struct perf_event_header) <= end) {
		struct perf_event_header header;

		memcpy(&header, file->bytes + offset, sizeof(header));
		if (header.size < sizeof(header) || header.size > end - offset)
			break;
		visit((const uint8_t *)file->bytes + offset, header.size, header.type == PERF_RECORD_SAMPLE,
		      context);
		offset += header.size;
	}
}

struct reduction {
	struct evidence *evidence;
	struct strbuf out;
};

static void note(const uint8_t *record, size_t size, bool is_sample, void *context)
{
	const struct reduction *reduction = context;

	if (!is_sample)
		evidence_note(reduction->evidence, record, size);
}

static void reduce(const uint8_t *record, size_t size, bool is_sample, void *context)
{
	struct reduction *reduction = context;

	if (is_sample)
		evidence_append(reduction->evidence, &reduction->out, record, size);
	else
		strbuf_add(&reduction->out, record, size);
}

static void write_file(const struct strbuf *out, const char *path)
{
	FILE *file = fopen(path, "wbe");

	if (!file || fwrite(out->bytes, 1, out->size, file) != out->size || fclose(file) != 0) {
		fprintf(stderr, "reduce: %s: %s\n", path, strerror(errno));
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct reduction reduction = { .evidence = NULL };
	const struct evidence_counts *counts;
	struct perf_event_attr attr = { 0 };
	struct written_event sampler = { .attr = &attr };
	struct strbuf file;
	uint64_t data, end, size, attr_size;

	if (argc != 3 && (argc != 4 || strcmp(argv[3], "none") != 0)) {
		fprintf(stderr, "usage: reduce IN OUT [none]\n");
		return 2;
	}
	read_file(&file, argv[1]);
	data = word_at(&file, DATA);
	end = data + word_at(&file, DATA + 8);
	(void)word_at(&file, word_at(&file, ATTRS) + 64); /* an attr has at least 64 bytes */
	attr_size = word_at(&file, ATTR_SIZE) - 16; /* the attr without the section of its ids behind it */
	memcpy(&attr, file.bytes + word_at(&file, ATTRS),
	       attr_size < sizeof(attr) ? (size_t)attr_size : sizeof(attr));
	reduction.evidence = evidence_create(&sampler, 1, argc == 4 ? EVIDENCE_NONE : EVIDENCE_LEAST);
	if (!reduction.evidence) {
		fprintf(stderr, "reduce: %s: its samples have no stack dumps\n", argv[1]);
		return 1;
	}
	strbuf_init(&reduction.out);
	strbuf_add(&reduction.out, file.bytes, (size_t)data);
	each_record(&file, data, end, note, &reduction);
	each_record(&file, data, end, reduce, &reduction);
	size = reduction.out.size - data;
	memcpy(reduction.out.bytes + DATA + 8, &size, sizeof(size));
	memset(reduction.out.bytes + FEATURES, 0, HEADER_SIZE - FEATURES);
	write_file(&reduction.out, argv[2]);
	counts = evidence_counts(reduction.evidence);
	printf("%" PRIu64 " chains, %" PRIu64 " dumps, %" PRIu64 " unproved\n", counts->chains, counts->dumps,
	       counts->unproved);
	evidence_destroy(reduction.evidence);
	strbuf_fini(&reduction.out);
	strbuf_fini(&file);
	return 0;
}

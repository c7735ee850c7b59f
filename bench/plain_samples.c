/*
 * Writes a perf.data of plain samples, as `perf record -a` makes them on 8 CPUs: IP, TID, TIME, CPU and
 * PERIOD, 48 bytes each, in rounds to which each CPU adds 512. 16 threads of 4 processes run code at
 * 20,000 addresses of one program, half of the time at a tenth of them.
 *
 * usage: plain_samples SIZE_BYTES FILE [LEVEL]      LEVEL: COMPRESSED records of that zstd level
 */

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/write/compress.h"

enum {
	THREADS = 16,
	CPUS = 8,
	ADDRESSES = 20000,
	TURN_SAMPLES = 64, /* for which a thread keeps its CPU */
	ROUND_TURNS = 8,
	SAMPLE_INTERVAL_NS = 250000,
	FINISHED_ROUND = 68,
	HEADER_BYTES = 104,
	ATTRS_OFFSET = 104,
	ATTR_BYTES = sizeof(struct perf_event_attr),
	DATA_OFFSET = ATTRS_OFFSET + ATTR_BYTES + 16,
	FEATURES_BYTES = 16 + 20, /* after the data */
};

struct sample {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, reserved;
	uint64_t period;
};

struct writer {
	FILE *out;
	uint64_t bytes;                /* of data in the file so far */
	struct compressor *compressor; /* NULL if records are not compressed */
	struct strbuf records, packed; /* a round, before and after compression */
};

static void fail(const char *what)
{
	fprintf(stderr, "plain_samples: %s\n", what);
	exit(1);
}

static void put_in_file(struct writer *writer, const void *bytes, size_t size)
{
	if (fwrite(bytes, 1, size, writer->out) != size)
		fail("cannot write");
	writer->bytes += size;
}

static void put(struct writer *writer, const void *bytes, size_t size)
{
	if (writer->compressor)
		strbuf_add(&writer->records, bytes, size);
	else
		put_in_file(writer, bytes, size);
}

static void put_compressed(struct writer *writer)
{
	struct error err;

	if (!writer->compressor)
		return;
	strbuf_reset(&writer->packed);
	if (compressor_pack(writer->compressor, writer->records.bytes, writer->records.size, &writer->packed,
			    &err) != 0)
		fail(err.message);
	put_in_file(writer, writer->packed.bytes, writer->packed.size);
	strbuf_reset(&writer->records);
}

/*
 * struct perf_file_header: magic, size, attr_size, the sections of attrs, data and event types, and the
 * bits of the features, of which bit 27 is COMPRESSED
 */
static void put_header(struct writer *writer, uint64_t data_bytes)
{
	const uint64_t header[HEADER_BYTES / 8] = {
		0x32454c4946524550u,
		HEADER_BYTES,
		ATTR_BYTES + 16,
		ATTRS_OFFSET,
		ATTR_BYTES + 16,
		DATA_OFFSET,
		data_bytes,
		0,
		0,
		writer->compressor ? 1u << 27 : 0,
	};
	const uint64_t no_ids[2] = { DATA_OFFSET, 0 };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = SAMPLE_INTERVAL_NS,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_PERIOD,
		.sample_id_all = 1,
		.mmap = 1,
		.comm = 1,
	};

	put_in_file(writer, header, sizeof(header));
	put_in_file(writer, &attr, sizeof(attr));
	put_in_file(writer, no_ids, sizeof(no_ids));
	writer->bytes = 0;
}

/* The table with one feature section, then the section: version, type (zstd), level, ratio, mmap_len of HEADER_COMPRESSED. */
static void put_features(struct writer *writer, uint32_t level)
{
	const uint32_t compressed[5] = { 1, 1, level, 1, DECOMPRESSED_MAX_BYTES };
	const uint64_t section[2] = { DATA_OFFSET + writer->bytes + sizeof(section), sizeof(compressed) };

	put_in_file(writer, section, sizeof(section));
	put_in_file(writer, compressed, sizeof(compressed));
}

/* pid and tid, time, cpu: struct sample_id of the attr above */
static void put_trailer(struct writer *writer, uint32_t pid, uint32_t tid)
{
	const uint32_t ids[2] = { pid, tid };
	const uint64_t time_and_cpu[2] = { 0 };

	put(writer, ids, sizeof(ids));
	put(writer, time_and_cpu, sizeof(time_and_cpu));
}

static void put_comm(struct writer *writer, uint32_t pid, uint32_t tid)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[16];
	} record = { .header = { .type = PERF_RECORD_COMM, .size = sizeof(record) + 24 },
		     .pid = pid,
		     .tid = tid };

	snprintf(record.comm, sizeof(record.comm), "worker-%" PRIu32, tid % THREADS);
	put(writer, &record, sizeof(record));
	put_trailer(writer, pid, tid);
}

static void put_mmap(struct writer *writer, uint32_t pid, const char *path)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t start, length, file_offset;
		char path[256];
	} record = { .header = { .type = PERF_RECORD_MMAP,
				 .misc = PERF_RECORD_MISC_USER,
				 .size = sizeof(record) + 24 },
		     .pid = pid,
		     .tid = pid,
		     .start = 0x400000,
		     .length = 0x1000000 };

	snprintf(record.path, sizeof(record.path), "%s", path);
	put(writer, &record, sizeof(record));
	put_trailer(writer, pid, pid);
}

struct generator {
	uint64_t random;
	uint64_t time_ns; /* start of the round */
};

/* xorshift64, Marsaglia, "Xorshift RNGs" */
static uint64_t next_random(struct generator *generator)
{
	generator->random ^= generator->random << 13;
	generator->random ^= generator->random >> 7;
	generator->random ^= generator->random << 17;
	return generator->random;
}

/* The fourth power of a uniform random number puts 56% of the addresses into the first tenth. */
static uint64_t next_address(struct generator *generator)
{
	const double even = (double)(next_random(generator) >> 11) / (double)(1ull << 53);

	return 0x401000 + (uint64_t)(even * even * even * even * ADDRESSES) * 16;
}

static void put_turn(struct writer *writer, struct generator *generator, uint32_t cpu, uint64_t time_ns)
{
	const uint32_t thread = cpu + CPUS * (next_random(generator) >> 63);

	for (int i = 0; i < TURN_SAMPLES; i++) {
		const struct sample sample = {
			.header = { .type = PERF_RECORD_SAMPLE,
				    .misc = PERF_RECORD_MISC_USER,
				    .size = sizeof(sample) },
			.ip = next_address(generator),
			.pid = 1000 + thread / 4,
			.tid = 1000 + thread,
			.time_ns = time_ns + (uint64_t)i * SAMPLE_INTERVAL_NS,
			.cpu = cpu,
			.period = SAMPLE_INTERVAL_NS,
		};

		put(writer, &sample, sizeof(sample));
	}
}

/* Writes CPU by CPU, as perf record empties its buffers: with each CPU the times start again. */
static void put_round(struct writer *writer, struct generator *generator)
{
	const struct perf_event_header finished = { .type = FINISHED_ROUND, .size = sizeof(finished) };
	const uint64_t turn_ns = (uint64_t)TURN_SAMPLES * SAMPLE_INTERVAL_NS;

	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		for (uint64_t turn = 0; turn < ROUND_TURNS; turn++)
			put_turn(writer, generator, cpu, generator->time_ns + turn * turn_ns + cpu);
	generator->time_ns += ROUND_TURNS * turn_ns;
	put_compressed(writer);
	put_in_file(writer, &finished, sizeof(finished));
}

static void put_records(struct writer *writer, const char *program, uint64_t size_bytes)
{
	struct generator generator = { .random = 88172645463325252u, .time_ns = 1000000000 };
	const uint64_t round_bytes = (uint64_t)CPUS * ROUND_TURNS * TURN_SAMPLES * sizeof(struct sample);

	for (uint32_t thread = 0; thread < THREADS; thread++)
		put_comm(writer, 1000 + thread / 4, 1000 + thread);
	for (uint32_t process = 0; process < THREADS / 4; process++)
		put_mmap(writer, 1000 + process, program);
	for (uint64_t bytes = 0; bytes < size_bytes; bytes += round_bytes)
		put_round(writer, &generator);
}

int main(int argc, char **argv)
{
	const uint32_t level = argc == 4 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
	char program[256] = "";
	struct writer writer = { 0 };
	struct error err;

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: plain_samples SIZE_BYTES FILE [LEVEL]\n");
		return 2;
	}
	strbuf_init(&writer.records);
	strbuf_init(&writer.packed);
	writer.out = fopen(argv[2], "we");
	if (!writer.out || readlink("/proc/self/exe", program, sizeof(program) - 1) < 0)
		fail("cannot create the file");
	if (level && !(writer.compressor = compressor_create(level, false, &err)))
		fail(err.message);
	put_header(&writer, 0);
	put_records(&writer, program, strtoull(argv[1], NULL, 10));
	if (level)
		put_features(&writer, level);
	rewind(writer.out);
	put_header(&writer, writer.bytes - (level ? FEATURES_BYTES : 0));
	if (fclose(writer.out) != 0)
		fail("cannot write");
	compressor_destroy(writer.compressor);
	strbuf_fini(&writer.records);
	strbuf_fini(&writer.packed);
	return 0;
}

/*
 * Stands in for a machine with many CPUs: fills rings in ordinary memory with the records of a recording, all at once and half
 * full, and lets the recorder's lanes read, unwind and write them as they do with the kernel's rings. Filling is not measured.
 * The programs that ran on the recorded machine must still exist as files, for the unwinder.
 *
 * usage: ring_feed FILE RINGS LANES LEVEL EVIDENCE OUTPUT
 *
 * FILE has one event and is not compressed. LEVEL is that of compression, 0 for none. EVIDENCE is least or none. There are no
 * copies of stacks here. For a copied stack the recorder writes only a chain, and `none` does the same for a dump.
 */

#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "format/perf_file.h"
#include "format/write/perf_writer.h"
#include "record/drain_team.h"
#include "support/fake_rings.h"

enum {
	RING_BYTES = 1 << 20,
	ROUNDS = 20,
	TIME_NOISE_NS = 1000 * 1000,
	ATTRS_OFFSET_AT = 24, /* offset of attrs.offset in struct perf_file_header */
};

/* Whole records of a recording, one after the other. */
struct records {
	struct strbuf bytes;
	size_t *offsets;
	size_t count, capacity;
};

struct feed {
	struct records states, samples;
	struct perf_event_attr attr;
	uint64_t id;
	struct fake_rings fake;
	struct lane_surroundings surroundings;
	struct drain_plan plan;
	struct evidence *evidences[DRAIN_PLAN_MAX_LANES];
	struct perf_writer *writer;
	uint8_t record[1 << 16]; /* the one being put into a ring */
	size_t time_offset;
	size_t next;                       /* number of the next sample to put into a ring */
	double before_mb;                  /* peak memory with rings and records, before any are read */
	uint64_t fed_bytes, packed_before; /* in the measured rounds; in the round before */
};

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double peak_mb(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss / 1024;
}

static void add_record(struct records *records, const struct event *event)
{
	const struct perf_event_header header = { .type = event->type,
						  .misc = event->misc,
						  .size = (uint16_t)event->size };

	records->offsets = array_grow(records->offsets, &records->capacity, records->count + 1,
				      sizeof(*records->offsets));
	records->offsets[records->count++] = records->bytes.size;
	strbuf_add(&records->bytes, &header, sizeof(header));
	strbuf_add(&records->bytes, event->payload, event->payload_size);
}

/* Reads the attr of the file's only event, as the kernel had it. */
static int read_attr(const char *path, struct perf_event_attr *attr)
{
	uint64_t offset;
	FILE *file = fopen(path, "rb");
	int result = -1;

	if (file && fseek(file, ATTRS_OFFSET_AT, SEEK_SET) == 0 &&
	    fread(&offset, sizeof(offset), 1, file) == 1 && fseek(file, (long)offset, SEEK_SET) == 0 &&
	    fread(attr, PERF_ATTR_SIZE_VER7, 1, file) == 1)
		result = 0;
	if (file)
		fclose(file);
	return result;
}

static int read_records(struct feed *feed, const char *path, struct error *err)
{
	struct perf_file *file = perf_file_open(path, err);
	struct event event;
	int status = -1;

	while (file && (status = perf_file_next(file, &event, err)) == 1) {
		if (event.type == PERF_RECORD_SAMPLE)
			add_record(&feed->samples, &event);
		else if (event.type < 64)
			add_record(&feed->states, &event);
	}
	perf_file_close(file);
	if (status == 0 && (feed->samples.count == 0 || read_attr(path, &feed->attr) < 0))
		return error_set(err, "%s: no samples", path);
	return status;
}

/* Fills every ring half, which is when a recorder wakes up. */
static void fill_rings(struct feed *feed)
{
	const struct records *samples = &feed->samples;

	for (size_t ring = 0; ring < feed->fake.count; ring++)
		for (size_t filled = 0; filled < RING_BYTES / 2;) {
			struct perf_event_header header;
			uint64_t time_ns;

			memcpy(&header, samples->bytes.bytes + samples->offsets[feed->next], sizeof(header));
			memcpy(feed->record, samples->bytes.bytes + samples->offsets[feed->next],
			       header.size);
			/* Change the times, because a repeated sample would compress to nothing. */
			memcpy(&time_ns, feed->record + feed->time_offset, sizeof(time_ns));
			time_ns += (uint64_t)random() % TIME_NOISE_NS;
			memcpy(feed->record + feed->time_offset, &time_ns, sizeof(time_ns));
			fake_rings_put(&feed->fake, ring, feed->record, header.size);
			feed->next = (feed->next + 1) % samples->count;
			filled += header.size;
			feed->fed_bytes += header.size;
		}
}

static void ignore(const uint8_t *record, size_t size, void *context)
{
	(void)record;
	(void)size;
	(void)context;
}

static int write_run(void *context, const uint8_t *records, size_t size, struct error *err)
{
	return perf_writer_append(context, records, size, err);
}

static int open_writer(struct feed *feed, char *const *argv, struct error *err)
{
	const struct perf_writer_options options = { .compression_level =
							     (unsigned int)strtoul(argv[0], NULL, 10) };
	const enum evidence_level evidence = strcmp(argv[1], "none") == 0 ? EVIDENCE_NONE : EVIDENCE_LEAST;
	const struct written_event event = {
		.attr = &feed->attr, .name = "fed", .ids = &feed->id, .id_count = 1
	};

	feed->writer = perf_writer_over(output_file_create(argv[2], err));
	if (!feed->writer || perf_writer_configure(feed->writer, &options, err) < 0 ||
	    perf_writer_begin(feed->writer, &event, 1, err) < 0)
		return -1;
	for (size_t i = 0; i < feed->plan.lane_count; i++) {
		feed->evidences[i] = evidence_create(&event, 1, evidence);
		if (feed->evidences[i])
			evidence_note(feed->evidences[i], (const uint8_t *)feed->states.bytes.bytes,
				      feed->states.bytes.size);
	}
	return 0;
}

static void make_plan(struct feed *feed, size_t rings, size_t lanes)
{
	feed->plan = (struct drain_plan){ .lane_count = lanes,
					  .lane_of_ring = xcalloc(rings, sizeof(size_t)),
					  .cpus = xcalloc(lanes, sizeof(cpu_set_t)) };
	for (size_t i = 0; i < rings; i++)
		feed->plan.lane_of_ring[i] = i * lanes / rings;
	for (size_t i = 0; i < lanes; i++)
		(void)sched_getaffinity(0, sizeof(cpu_set_t), &feed->plan.cpus[i]);
	feed->time_offset = event_attr_sample_time_offset(&feed->attr);
	fake_rings_init(&feed->fake, rings, RING_BYTES);
	for (size_t i = 0; i < rings; i++)
		memset((uint8_t *)feed->fake.rings[i].data, 1, RING_BYTES);
	feed->before_mb = peak_mb();
	feed->surroundings = (struct lane_surroundings){ .rings = feed->fake.rings,
							 .ring_count = rings,
							 .time_offset = feed->time_offset,
							 .look_at_other = ignore };
}

/* With one thread, as in a recorder without a team, or with several. */
static int drain(struct feed *feed, struct ring_lane *lane, struct drain_team *team,
		 const struct ring_spans *round, struct error *err)
{
	const struct lane_sink sink = { write_run, feed->writer };
	int result = 0;

	if (team)
		return drain_team_round(team, round, LANE_AT_EASE, &sink, err);
	ring_lane_note(lane);
	for (size_t i = 0; i < feed->fake.count && result == 0; i++)
		result = ring_lane_drain(lane, i, &round[i], true, &sink, err);
	return result;
}

static int run(struct feed *feed, struct error *err)
{
	struct evidence *const *evidences = feed->evidences[0] ? feed->evidences : NULL;
	struct drain_team *team = feed->plan.lane_count > 1 ?
					  drain_team_create(&feed->surroundings, &feed->plan, evidences) :
					  NULL;
	struct ring_lane *lane = team ? NULL : ring_lane_create(&feed->surroundings, feed->evidences[0]);
	struct ring_spans *round = xcalloc(feed->fake.count, sizeof(*round));
	double wall_s = 0, cpu_s = 0, samples = 0;
	int result = 0;

	/* The first round, in which files are read, is not measured. */
	for (int i = 0; i <= ROUNDS && result == 0; i++) {
		double wall_start_s, cpu_start_s, counted = 0;

		fill_rings(feed);
		wall_start_s = seconds(CLOCK_MONOTONIC);
		cpu_start_s = seconds(CLOCK_PROCESS_CPUTIME_ID);
		for (size_t ring = 0; ring < feed->fake.count; ring++)
			round[ring] = ring_buffer_peek(&feed->fake.rings[ring]);
		result = drain(feed, lane, team, round, err);
		if (result == 0)
			result = perf_writer_flush(feed->writer, err);
		for (size_t number = 0; number < feed->plan.lane_count; number++)
			counted += (double)(team ? drain_team_take_counts(team, number) :
						   ring_lane_take_counts(lane))
					   .samples;
		if (i == 0) {
			feed->fed_bytes = 0;
			feed->packed_before = perf_writer_compression(feed->writer).packed_bytes;
			continue;
		}
		samples += counted;
		wall_s += seconds(CLOCK_MONOTONIC) - wall_start_s;
		cpu_s += seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start_s;
	}
	printf("lanes %zu rings %zu samples %.0f bytes_in %.0f bytes_out %.1f samples_per_s %.0f "
	       "samples_per_cpu_s %.0f us_per_sample %.2f own_mb %.0f\n",
	       feed->plan.lane_count, feed->fake.count, samples, (double)feed->fed_bytes / samples,
	       (double)(perf_writer_compression(feed->writer).packed_bytes - feed->packed_before) / samples,
	       samples / wall_s, samples / cpu_s, cpu_s / samples * 1e6, peak_mb() - feed->before_mb);
	ring_lane_destroy(lane);
	drain_team_destroy(team);
	free(round);
	return result;
}

int main(int argc, char **argv)
{
	static struct feed feed = { .id = 1 };
	struct error err;
	size_t rings, lanes;

	if (argc != 7 || (rings = strtoul(argv[2], NULL, 10)) == 0 ||
	    (lanes = strtoul(argv[3], NULL, 10)) == 0 || lanes > DRAIN_PLAN_MAX_LANES) {
		fprintf(stderr, "usage: ring_feed FILE RINGS LANES LEVEL EVIDENCE OUTPUT\n");
		return 2;
	}
	strbuf_init(&feed.states.bytes);
	strbuf_init(&feed.samples.bytes);
	if (read_records(&feed, argv[1], &err) == 0) {
		make_plan(&feed, rings, lanes);
		if (open_writer(&feed, argv + 4, &err) == 0 && run(&feed, &err) == 0)
			return 0; /* the output is not needed, and all memory goes with the process */
	}
	fprintf(stderr, "ring_feed: %s\n", err.message);
	return 1;
}

/*
 * One table maps names to clock ids, in both directions. The sections are those that perf writes, HEADER_CLOCKID and
 * HEADER_CLOCK_DATA of perf.data-file-format.txt.
 */
#include "record/event/sample_clock.h"

#include <strings.h>
#include <time.h>

#include "base/strbuf.h"
#include "cli/option.h"
#include "format/perf_abi.h"

const char *const sample_clock_names[] = { "monotonic", "monotonic_raw", "realtime", "boottime", "tai", NULL };

/* The clocks of perf_event_set_clock(), kernel/events/core.c; the names that xprof prints come first. */
static const struct clock_id {
	const char *name;
	int id;
} clocks[] = {
	{ "monotonic", CLOCK_MONOTONIC },
	{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
	{ "realtime", CLOCK_REALTIME },
	{ "boottime", CLOCK_BOOTTIME },
	{ "tai", CLOCK_TAI },
	{ "mono", CLOCK_MONOTONIC },
	{ "raw", CLOCK_MONOTONIC_RAW },
	{ "real", CLOCK_REALTIME },
	{ "boot", CLOCK_BOOTTIME },
	{ "clocktai", CLOCK_TAI },
};

enum { CLOCK_COUNT = sizeof(clocks) / sizeof(clocks[0]) };

int sample_clock_parse(struct sample_clock *clock, const char *text, struct error *err)
{
	const char *name = strncasecmp(text, "CLOCK_", 6) == 0 ? text + 6 : text;
	uint64_t number;
	const bool is_number = option_parse_u64(text, &number, err) == 0;

	for (size_t i = 0; i < CLOCK_COUNT; i++) {
		if (is_number ? number != (uint64_t)clocks[i].id : strcasecmp(name, clocks[i].name) != 0)
			continue;
		*clock = (struct sample_clock){ .given = true, .id = clocks[i].id };
		return 0;
	}
	return error_set(err, "'%s' is not a clock of the kernel for samples: use %s, %s, %s, %s or %s", text,
			 sample_clock_names[0], sample_clock_names[1], sample_clock_names[2],
			 sample_clock_names[3], sample_clock_names[4]);
}

const char *sample_clock_name(int id)
{
	for (size_t i = 0; i < CLOCK_COUNT; i++)
		if (clocks[i].id == id)
			return clocks[i].name;
	return "?";
}

static uint64_t in_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

/* CLOCKID: u64 resolution in ns. CLOCK_DATA: u32 version, u32 clockid, u64 wall clock in ns, u64 clockid's time in ns */
void sample_clock_set_features(const struct sample_clock *clock, struct perf_writer *writer)
{
	enum { VERSION = 1 };
	struct timespec resolution, wall, time;
	struct strbuf section = STRBUF_INIT;

	if (clock_getres(clock->id, &resolution) != 0 || clock_gettime(CLOCK_REALTIME, &wall) != 0 ||
	    clock_gettime(clock->id, &time) != 0)
		return;
	strbuf_add_u64(&section, in_ns(&resolution), false);
	perf_writer_set_feature(writer, HEADER_CLOCKID, section.bytes, section.size);
	strbuf_reset(&section);
	strbuf_add_u32(&section, VERSION, false);
	strbuf_add_u32(&section, (uint32_t)clock->id, false);
	strbuf_add_u64(&section, in_ns(&wall), false);
	strbuf_add_u64(&section, in_ns(&time), false);
	perf_writer_set_feature(writer, HEADER_CLOCK_DATA, section.bytes, section.size);
	strbuf_fini(&section);
}

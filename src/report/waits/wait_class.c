/*
 * Below a second each unit has ten classes. The last one ends at 1024, a little above the beginning of the
 * next unit.
 */
#include "report/waits/wait_class.h"

#include <inttypes.h>

enum { CLASSES_OF_A_UNIT = 10 };

static const struct unit {
	uint64_t ns;
	unsigned int first, count; /* classes */
	const char *name;
} units[] = {
	{ 1000, 1, CLASSES_OF_A_UNIT, "us" },
	{ 1000000, 1 + CLASSES_OF_A_UNIT, CLASSES_OF_A_UNIT, "ms" },
	{ 1000000000, 1 + 2 * CLASSES_OF_A_UNIT, WAIT_CLASSES - (1 + 2 * CLASSES_OF_A_UNIT), " s" },
};

enum { UNITS = sizeof(units) / sizeof(*units) };

uint64_t wait_class_duration_ns(const struct off_cpu_wait *wait)
{
	const bool is_ready = wait->state == OFF_CPU_RUNQUEUE || wait->state == OFF_CPU_PREEMPTED;

	return is_ready ? wait->waiting_ns : wait->blocked_ns;
}

unsigned int wait_class_of(uint64_t duration_ns)
{
	for (size_t i = UNITS; i-- > 0;) {
		unsigned int number = 0;

		if (duration_ns < units[i].ns)
			continue;
		while (number + 1 < units[i].count && duration_ns / units[i].ns >= (uint64_t)2 << number)
			number++;
		return units[i].first + number;
	}
	return 0;
}

void wait_class_add_text(struct strbuf *out, unsigned int wait_class)
{
	for (size_t i = UNITS; i-- > 0;)
		if (wait_class >= units[i].first) {
			const uint64_t from = (uint64_t)1 << (wait_class - units[i].first);

			strbuf_addf(out, "%4" PRIu64 "-%-4" PRIu64 " %s", from, from * 2, units[i].name);
			return;
		}
	strbuf_adds(out, "   0-1    us");
}

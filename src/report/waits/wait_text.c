/* wait_text_add() has a case for each key; the classes of durations follow powers of two of microseconds. */
#include "report/waits/wait_text.h"

#include <inttypes.h>

#include "text/safe_text.h"

static void add_waker(struct strbuf *out, const struct off_cpu_wait *wait)
{
	if (wait->waker_kind == OFF_CPU_WAKER_THREAD && wait->waker_comm[0])
		safe_text_add(out, wait->waker_comm);
	else
		strbuf_addf(out, "[%s]", off_cpu_waker_name(wait->waker_kind));
}

/* The part of the wait that the sample is of. */
static uint64_t duration_of(const struct off_cpu_wait *wait)
{
	const bool is_ready = wait->state == OFF_CPU_RUNQUEUE || wait->state == OFF_CPU_PREEMPTED;

	return is_ready ? wait->waiting_ns : wait->blocked_ns;
}

static void add_class(struct strbuf *out, uint64_t duration_ns)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, " s" }, { 1000000, "ms" }, { 1000, "us" } };
	uint64_t from = 1;

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (duration_ns < units[i].ns)
			continue;
		/* 512-1024 of a smaller unit is the last class before this one. */
		while (from * 2 * units[i].ns <= duration_ns && from < (uint64_t)1 << 32)
			from *= 2;
		strbuf_addf(out, "%4" PRIu64 "-%-4" PRIu64 " %s", from, from * 2, units[i].name);
		return;
	}
	strbuf_adds(out, "   0-1    us");
}

void wait_text_add(struct strbuf *out, enum sample_key key, const struct off_cpu_wait *wait)
{
	if (!wait) {
		strbuf_adds(out, key == SAMPLE_KEY_STATE ? "running" : "-");
		return;
	}
	switch (key) {
	case SAMPLE_KEY_STATE: strbuf_adds(out, off_cpu_state_name(wait->state)); break;
	case SAMPLE_KEY_WAIT: strbuf_adds(out, off_cpu_kind_name(wait->kind)); break;
	case SAMPLE_KEY_WAKER: add_waker(out, wait); break;
	default: add_class(out, duration_of(wait)); break;
	}
}

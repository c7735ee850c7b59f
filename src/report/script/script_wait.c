/*
 * A line that says what the thread waited for and who woke it, then a line for each frame of the waker, all of them
 * comments. perf prints the bytes in hexadecimal instead; -F bpf-output does so here.
 */
#include "report/script/script_sample.h"

#include <inttypes.h>
#include <linux/perf_event.h>

#include "format/callchain.h"
#include "format/off_cpu_wait.h"
#include "report/waits/sample_wait.h"
#include "text/safe_text.h"

static void add_duration(struct strbuf *out, uint64_t duration_ns)
{
	strbuf_addf(out, "%" PRIu64 ".%03u ms", duration_ns / 1000000,
		    (unsigned int)(duration_ns / 1000 % 1000));
}

/* "sleeping (futex) 17.054 ms, then 0.030 ms for a CPU". */
static void add_times(struct strbuf *out, const struct off_cpu_wait *wait)
{
	strbuf_adds(out, off_cpu_state_name(wait->state));
	if (wait->kind != OFF_CPU_KIND_NONE)
		strbuf_addf(out, " (%s)", off_cpu_kind_name(wait->kind));
	strbuf_addc(out, ' ');
	if (wait->blocked_ns || !wait->waiting_ns)
		add_duration(out, wait->blocked_ns);
	if (wait->blocked_ns && wait->waiting_ns)
		strbuf_adds(out, ", then ");
	if (wait->waiting_ns) {
		add_duration(out, wait->waiting_ns);
		strbuf_adds(out, " for a CPU");
	}
	if (wait->flags & OFF_CPU_UNFINISHED)
		strbuf_adds(out, ", unfinished");
}

static void add_waker(struct strbuf *out, const struct off_cpu_waking *waker)
{
	strbuf_addf(out, "woken by %s", off_cpu_waker_name(waker->kind));
	if (waker->kind == OFF_CPU_WAKER_THREAD) {
		strbuf_addf(out, " %" PRIu32 " ", waker->tid);
		safe_text_add(out, waker->comm);
	}
}

static void add_frame(struct script_writer *writer, const struct script_sample *sample, uint32_t pid,
		      uint16_t cpumode, uint64_t address)
{
	struct script_place place;

	if (cpumode == PERF_RECORD_MISC_USER)
		script_places_find_left(writer->places, &place, pid, sample->state_time_ns, address);
	else
		script_places_find(writer->places, &place, pid, sample->state_time_ns, cpumode, address);
	strbuf_adds(&writer->out, "#\t");
	strbuf_add_hex(&writer->out, place.shown, 16);
	script_chain_add_place(writer, &sample->desc->attr, &place);
	strbuf_addc(&writer->out, '\n');
}

static void add_chain(struct script_writer *writer, const struct script_sample *sample,
		      const struct off_cpu_wait *wait, const struct off_cpu_waking *waker)
{
	uint16_t cpumode = PERF_RECORD_MISC_KERNEL;

	for (size_t i = 0; i < waker->chain_count; i++) {
		const uint64_t word = off_cpu_wait_chain_word(wait, waker, i);

		if (!callchain_is_marker(word))
			add_frame(writer, sample, waker->pid, cpumode, word);
		else
			cpumode = word == (uint64_t)PERF_CONTEXT_USER ? PERF_RECORD_MISC_USER :
									PERF_RECORD_MISC_KERNEL;
	}
	if (waker->is_cut)
		strbuf_adds(&writer->out, "#\t[its callers are not known]\n");
}

bool script_wait_add(struct script_writer *writer, const struct script_sample *sample)
{
	struct off_cpu_wait wait;

	if (!sample_wait_read(&wait, script_event_name(writer, sample->event), sample->sample))
		return false;
	strbuf_adds(&writer->out, "# [wait] ");
	add_times(&writer->out, &wait);
	if (wait.wakers[0].kind != OFF_CPU_WAKER_NONE) {
		strbuf_adds(&writer->out, "; ");
		add_waker(&writer->out, &wait.wakers[0]);
	}
	strbuf_addc(&writer->out, '\n');
	add_chain(writer, sample, &wait, &wait.wakers[0]);
	for (size_t i = 1; i <= wait.further_count; i++) {
		strbuf_adds(&writer->out, "# which was ");
		add_waker(&writer->out, &wait.wakers[i]);
		strbuf_addc(&writer->out, '\n');
		add_chain(writer, sample, &wait, &wait.wakers[i]);
	}
	return true;
}

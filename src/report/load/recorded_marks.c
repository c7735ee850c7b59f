/* Thread, CPU and time of a record come from the fields at its end (sample_id_all). */
#include "report/load/recorded_marks.h"

#include <linux/perf_event.h>
#include <string.h>

#include "format/off_cpu_wait.h"
#include "profile/stack_node.h"

/* False if the record has no time. */
static bool find_place(const struct perf_file *file, const struct event *event, struct mark *mark)
{
	const struct event_desc *desc = perf_file_event(file, perf_file_event_of(file, event));
	const uint64_t needed = PERF_SAMPLE_TIME | PERF_SAMPLE_TID;
	struct sample_id id;

	if (!desc)
		desc = perf_file_event(file, 0);
	if (!desc || !perf_attr_has(&desc->attr, PERF_ATTR_SAMPLE_ID_ALL) ||
	    (desc->attr.sample_type & needed) != needed || event_sample_id(event, &desc->attr, &id, NULL) < 0)
		return false;
	*mark = (struct mark){
		.begin_ns = id.time_ns,
		.end_ns = id.time_ns,
		.pid = id.pid,
		.tid = id.tid,
		.cpu = desc->attr.sample_type & PERF_SAMPLE_CPU ? id.cpu : PROFILE_NONE,
	};
	return id.time_ns != 0;
}

static bool of_loss(const struct event *event, struct mark *mark)
{
	struct lost_record lost;

	if (event_decode_lost(event, &lost, NULL) < 0 || !lost.lost)
		return false;
	mark->kind = MARK_LOST;
	mark->count = lost.lost;
	return true;
}

static bool of_switch(struct mark_log *log, const struct event *event, struct mark *mark)
{
	struct switch_record record;

	if (event_decode_switch(event, &record, NULL) < 0)
		return false;
	mark->kind = record.out ? MARK_OUT : MARK_IN;
	if (record.out && record.preempt)
		mark->state = mark_log_text_number(log, off_cpu_state_name(OFF_CPU_PREEMPTED));
	return true;
}

static bool of_record(struct mark_log *log, const struct perf_file *file, const struct event *event,
		      struct mark *mark)
{
	switch (event->type) {
	case PERF_RECORD_LOST: return find_place(file, event, mark) && of_loss(event, mark);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE: return find_place(file, event, mark) && of_switch(log, event, mark);
	default: return false;
	}
}

static bool is_ready(const struct off_cpu_wait *wait)
{
	return wait->state == OFF_CPU_RUNQUEUE || wait->state == OFF_CPU_PREEMPTED;
}

static bool of_sample(struct mark_log *log, const struct stream_sample *sample, struct mark *mark)
{
	const struct sample *of = &sample->sample;
	struct off_cpu_wait wait;
	struct error unreadable;

	if (!of->raw || !sample->desc || sample->desc->attr.type != PERF_TYPE_SOFTWARE ||
	    !sample->desc->name || strcmp(sample->desc->name, OFF_CPU_EVENT_NAME) != 0 ||
	    off_cpu_wait_decode(&wait, of->raw, of->raw_size, of->swap, &unreadable) < 0 || !wait.begin_ns)
		return false;
	*mark = (struct mark){
		.kind = MARK_WAIT,
		.begin_ns = wait.begin_ns + (is_ready(&wait) ? wait.blocked_ns : 0),
		.pid = of->pid,
		.tid = of->tid,
		.cpu = PROFILE_NONE,
		.state = mark_log_text_number(log, off_cpu_state_name(wait.state)),
	};
	mark->end_ns = mark->begin_ns + (is_ready(&wait) ? wait.waiting_ns : wait.blocked_ns);
	if (wait.kind != OFF_CPU_KIND_NONE && wait.kind != OFF_CPU_KIND_UNKNOWN)
		mark->wait = mark_log_text_number(log, off_cpu_kind_name(wait.kind));
	if (wait.wakers[0].kind == OFF_CPU_WAKER_THREAD)
		mark->waker = mark_log_text_number(log, wait.wakers[0].comm);
	else if (wait.wakers[0].kind != OFF_CPU_WAKER_NONE && wait.wakers[0].kind != OFF_CPU_WAKER_UNKNOWN)
		mark->waker = mark_log_text_number(log, off_cpu_waker_name(wait.wakers[0].kind));
	return mark->end_ns >= mark->begin_ns;
}

static void keep(const struct recorded_marks *marks, const struct mark *mark)
{
	const struct sample at = { .time_ns = mark->begin_ns };

	if (!marks->keep || marks->keep(&at, marks->context))
		mark_log_add(marks->log, mark);
}

void recorded_marks_see_record(const struct recorded_marks *marks, const struct perf_file *file,
			       const struct event *event)
{
	struct mark mark;

	if (marks->log && of_record(marks->log, file, event, &mark))
		keep(marks, &mark);
}

void recorded_marks_see_sample(const struct recorded_marks *marks, const struct stream_sample *sample)
{
	struct mark mark;

	if (marks->log && of_sample(marks->log, sample, &mark))
		keep(marks, &mark);
}

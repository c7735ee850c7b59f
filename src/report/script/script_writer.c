/*
 * Two things that all lines share: the columns at their beginning, and holes for the texts of tracepoints. Another process makes
 * these texts, in the order of the requests; script_fill_holes() inserts many at a time.
 */
#include "report/script/script_writer.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "text/safe_text.h"

enum { NS_PER_US = 1000, NS_PER_S = 1000000000 };

void script_writer_init(struct script_writer *writer, const struct script_style *style,
			const struct perf_file *file, struct process_table *processes)
{
	*writer = (struct script_writer){ .style = *style, .file = file, .processes = processes };
	strbuf_init(&writer->out);
}

void script_writer_fini(struct script_writer *writer)
{
	for (size_t i = 0; i < writer->tracepoint_name_count; i++)
		free(writer->tracepoint_names[i]);
	free(writer->tracepoint_names);
	free(writer->holes);
	strbuf_fini(&writer->out);
}

/* --- what comes from tracepoints' formats ---------------------------------------- */

/*
 * Strings of a tracepoint come from the recorded program and are cleaned. Keeps a newline at the end, as of trace_printk(): it
 * ends the sample's line.
 */
static void clean_trace(struct strbuf *out, size_t start)
{
	const bool ends_line = out->size > start && out->bytes[out->size - 1] == '\n';

	if (ends_line)
		strbuf_cut(out, out->size - 1);
	safe_text_clean(out, start);
	if (ends_line)
		strbuf_addc(out, '\n');
}

void script_fill_holes(struct script_writer *writer)
{
	struct strbuf filled = STRBUF_INIT;
	size_t done = 0;

	if (writer->hole_count == 0)
		return;
	for (size_t i = 0; i < writer->hole_count; i++) {
		struct error err;
		size_t start;

		strbuf_add(&filled, writer->out.bytes + done, writer->holes[i].offset - done);
		done = writer->holes[i].offset;
		start = filled.size;
		if (tracepoint_formats_answer(writer->tracepoints, &filled, &err) != 0)
			strbuf_addf(&filled, "[%s]", err.message);
		clean_trace(&filled, start);
	}
	strbuf_add(&filled, writer->out.bytes + done, writer->out.size - done);
	strbuf_fini(&writer->out);
	writer->out = filled;
	writer->hole_count = 0;
}

static char *tracepoint_name(struct script_writer *writer, uint64_t config)
{
	struct strbuf name = STRBUF_INIT;
	char *copy;

	script_fill_holes(writer); /* answers come in the order of the requests */
	copy = tracepoint_formats_name(writer->tracepoints, config, &name) == 0 ? xstrdup(name.bytes) : NULL;
	strbuf_fini(&name);
	return copy;
}

const char *script_event_name(struct script_writer *writer, size_t event)
{
	const struct event_desc *desc = perf_file_event(writer->file, event);
	char **known;

	/* perf_attr_name() names an event so if only its number is known. */
	if (!writer->tracepoints || desc->attr.type != PERF_TYPE_TRACEPOINT ||
	    strncmp(desc->name, "tracepoint ", 11) != 0)
		return desc->name;
	writer->tracepoint_names = array_grow(writer->tracepoint_names, &writer->tracepoint_name_capacity,
					      event + 1, sizeof(writer->tracepoint_names[0]));
	while (writer->tracepoint_name_count <= event)
		writer->tracepoint_names[writer->tracepoint_name_count++] = NULL;
	known = &writer->tracepoint_names[event];
	if (!*known)
		*known = tracepoint_name(writer, desc->attr.config);
	if (!*known)
		*known = xstrdup(desc->name);
	return *known;
}

/* --- the beginning of every line ----------------------------------------------- */

static void add_comm(struct script_writer *writer, const struct perf_attr *attr, const char *comm)
{
	const bool chain_below = script_writer_has(writer, attr, SCRIPT_IP) && writer->style.callchains &&
				 attr->sample_type & PERF_SAMPLE_CALLCHAIN;
	const size_t start = writer->out.size;

	strbuf_add_right(&writer->out, comm, chain_below ? 0 : 16);
	safe_text_clean(&writer->out, start); /* a name with a newline would forge a line */
	strbuf_addc(&writer->out, ' ');
}

/* perf prints ids and CPUs as signed: -1 for idle tasks and unknown ones. */
static void add_id(struct strbuf *out, uint32_t id, unsigned int width)
{
	if (id > INT32_MAX)
		strbuf_addf(out, "%*" PRId32, (int)width, (int32_t)id);
	else
		strbuf_add_decimal(out, id, width);
}

static void add_ids(struct script_writer *writer, const struct perf_attr *attr, uint32_t pid, uint32_t tid)
{
	const bool with_pid = script_writer_has(writer, attr, SCRIPT_PID),
		   with_tid = script_writer_has(writer, attr, SCRIPT_TID);

	if (with_pid && with_tid) {
		strbuf_addf(&writer->out, "%5" PRId32 "/%-5" PRId32 " ", (int32_t)pid, (int32_t)tid);
	} else if (with_pid || with_tid) {
		add_id(&writer->out, with_pid ? pid : tid, 5);
		strbuf_addc(&writer->out, ' ');
	}
}

static void add_cpu(struct strbuf *out, uint32_t cpu)
{
	if (cpu > INT32_MAX) {
		strbuf_addf(out, "[%03" PRId32 "] ", (int32_t)cpu);
		return;
	}
	strbuf_addc(out, '[');
	strbuf_add_decimal_zeros(out, cpu, 3);
	strbuf_adds(out, "] ");
}

/* perf tests the mode's bits one by one, so that the hypervisor's 3 is kernel and user, too. */
static void add_misc(struct script_writer *writer, uint32_t record_type, uint16_t misc)
{
	static const struct {
		uint16_t bits;
		char letter;
	} modes[] = { { PERF_RECORD_MISC_KERNEL, 'K' },
		      { PERF_RECORD_MISC_USER, 'U' },
		      { PERF_RECORD_MISC_HYPERVISOR, 'H' },
		      { PERF_RECORD_MISC_GUEST_KERNEL, 'G' },
		      { PERF_RECORD_MISC_GUEST_USER, 'g' } };
	const size_t start = writer->out.size;

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if ((misc & modes[i].bits) == modes[i].bits)
			strbuf_addc(&writer->out, modes[i].letter);
	if ((record_type == PERF_RECORD_MMAP || record_type == PERF_RECORD_MMAP2) &&
	    misc & RECORD_MISC_MMAP_DATA)
		strbuf_addc(&writer->out, 'M');
	if (record_type == PERF_RECORD_COMM && misc & RECORD_MISC_COMM_EXEC)
		strbuf_addc(&writer->out, 'E');
	if ((record_type == PERF_RECORD_SWITCH || record_type == PERF_RECORD_SWITCH_CPU_WIDE) &&
	    misc & PERF_RECORD_MISC_SWITCH_OUT)
		strbuf_adds(&writer->out, misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "Sp" : "S");
	strbuf_addf(&writer->out, "%*s", 6 - (int)(writer->out.size - start), " ");
}

/* Writes the wall-clock time at a time of the recording's clock. */
static void add_time_of_day(struct script_writer *writer, uint64_t time_ns)
{
	const struct perf_features *features = perf_file_features(writer->file);
	const uint64_t wall_ns = features->clock_wall_ns + (time_ns - features->clock_clockid_ns);
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	struct tm local;
	char date[64];

	if (features->clock_id < 0) { /* happens only in a pipe, which cannot be checked in advance */
		strbuf_adds(&writer->out, "disabled ");
		return;
	}
	if (!localtime_r(&seconds, &local) || !strftime(date, sizeof(date), "%F %H:%M:%S", &local)) {
		strbuf_adds(&writer->out, "failed ");
		return;
	}
	if (writer->style.nanoseconds)
		strbuf_addf(&writer->out, "%s.%09" PRIu64 " ", date, wall_ns % NS_PER_S);
	else
		strbuf_addf(&writer->out, "%s.%06" PRIu64 " ", date, wall_ns % NS_PER_S / NS_PER_US);
}

static uint64_t shown_time(struct script_writer *writer, uint64_t time_ns)
{
	uint64_t before_ns = writer->time_before_ns;

	if (!writer->first_time_ns)
		writer->first_time_ns = time_ns;
	writer->time_before_ns = time_ns;
	if (writer->style.relative_time)
		return time_ns - writer->first_time_ns;
	if (writer->style.delta_time)
		return before_ns ? time_ns - before_ns : 0;
	return time_ns;
}

static void add_time(struct script_writer *writer, uint64_t time_ns)
{
	const uint64_t shown_ns = shown_time(writer, time_ns);
	const uint64_t fraction_ns = shown_ns % NS_PER_S;
	struct strbuf *out = &writer->out;

	/* perf prints "%5lu.%09lu: ", or "%12s: " of seconds and microseconds, which leaves 5 of the 12 for the seconds. */
	strbuf_add_decimal(out, shown_ns / NS_PER_S, 5);
	strbuf_addc(out, '.');
	if (writer->style.nanoseconds)
		strbuf_add_decimal_zeros(out, fraction_ns, 9);
	else
		strbuf_add_decimal_zeros(out, fraction_ns / NS_PER_US, 6);
	strbuf_adds(out, ": ");
}

void script_start_write(struct script_writer *writer, const struct perf_attr *attr,
			const struct script_start *start)
{
	if (script_writer_has(writer, attr, SCRIPT_COMM))
		add_comm(writer, attr, start->comm);
	add_ids(writer, attr, start->pid, start->tid);
	if (script_writer_has(writer, attr, SCRIPT_CPU))
		add_cpu(&writer->out, start->cpu);
	if (script_writer_has(writer, attr, SCRIPT_MISC))
		add_misc(writer, start->record_type, start->misc);
	if (script_writer_has(writer, attr, SCRIPT_TOD))
		add_time_of_day(writer, start->time_ns);
	if (script_writer_has(writer, attr, SCRIPT_TIME))
		add_time(writer, start->time_ns);
}

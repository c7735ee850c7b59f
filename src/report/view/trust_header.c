#include "report/view/trust_header.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/remedy/name_remedy.h"
#include "text/safe_text.h"

enum {
	MAX_EVENT_LINES = 16, /* a recording of all tracepoints has thousands of events */
	MAX_GAP_LINES = 3,    /* DSOs without names: 'xprof report --names' has them all */
};

static const double least_gap_percent = 0.5;

/* "12,912" */
static void add_count(struct strbuf *out, uint64_t count)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, count), i;

	for (i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			strbuf_addc(out, ',');
		strbuf_addc(out, digits[i]);
	}
}

static void add_share(struct strbuf *out, uint64_t part, uint64_t whole)
{
	add_count(out, part);
	if (whole)
		strbuf_addf(out, " (%.1f%%)", 100.0 * (double)part / (double)whole);
}

static double duration_s(const struct load_summary *summary)
{
	if (summary->first_time_ns >= summary->last_time_ns)
		return 0;
	return (double)(summary->last_time_ns - summary->first_time_ns) / 1e9;
}

/* --- what was recorded ------------------------------------------------------- */

static void add_events(struct strbuf *out, const struct loaded_profile *loaded)
{
	uint32_t count = profile_event_count(loaded->profile), shown = 0, i;
	double seconds = duration_s(&loaded->summary);

	for (i = 0; i < count && shown < MAX_EVENT_LINES; i++) {
		const struct profile_event *event = profile_event_at(loaded->profile, i);

		if (!event->samples)
			continue;
		strbuf_adds(out, "# ");
		add_count(out, event->samples);
		strbuf_adds(out, " samples of ");
		safe_text_add(out, profile_text(loaded->profile, event->name));
		strbuf_adds(out, ", event count ");
		add_count(out, event->weight);
		if (seconds > 0)
			strbuf_addf(out, ", in %.3g s", seconds);
		strbuf_addc(out, '\n');
		shown++;
	}
	if (!shown)
		strbuf_adds(out, "# no samples: was anything running, and long enough?\n");
}

static void add_known(struct strbuf *out, const char *separator, const char *text)
{
	if (!text || !*text)
		return;
	strbuf_adds(out, separator);
	safe_text_add(out, text);
}

static void add_machine(struct strbuf *out, const struct perf_features *features)
{
	if (!features->hostname && !features->os_release && !features->arch)
		return;
	strbuf_adds(out, "# recorded");
	add_known(out, " on ", features->hostname);
	add_known(out, ", Linux ", features->os_release);
	add_known(out, " ", features->arch);
	if (features->cpus_online)
		strbuf_addf(out, ", %" PRIu32 " CPU%s", features->cpus_online,
			    features->cpus_online == 1 ? "" : "s");
	add_known(out, " ", features->cpu_description);
	add_known(out, ", recorder ", features->perf_version);
	strbuf_addc(out, '\n');
}

static void add_command(struct strbuf *out, const struct perf_features *features)
{
	size_t i;

	if (!features->command_line_count)
		return;
	strbuf_adds(out, "# command:");
	for (i = 0; i < features->command_line_count; i++) {
		const char *word = features->command_line[i];
		bool quoted = !*word || strpbrk(word, " \t\n'\"\\$*?;|&<>()");

		strbuf_adds(out, quoted ? " '" : " ");
		safe_text_add(out, word);
		strbuf_adds(out, quoted ? "'" : "");
	}
	strbuf_addc(out, '\n');
}

/* --- rate -------------------------------------------------------------------- */

/* Of clock events the event count is the time that was sampled in nanoseconds, so what was achieved can be told. */
static bool counts_time(const char *name)
{
	return !strncmp(name, "cpu-clock", 9) || !strncmp(name, "task-clock", 10);
}

static void add_rate(struct strbuf *out, const struct loaded_profile *loaded)
{
	uint64_t throttled = loaded->summary.throttle_records;
	uint32_t i;

	for (i = 0; i < profile_event_count(loaded->profile); i++) {
		const struct profile_event *event = profile_event_at(loaded->profile, i);
		const char *name = profile_text(loaded->profile, event->name);

		if (!event->frequency || !event->samples || !event->weight || !counts_time(name))
			continue;
		strbuf_adds(out, "# rate: ");
		safe_text_add(out, name);
		strbuf_addf(out, " at %.0f Hz of running CPU time, %" PRIu64 " Hz asked for\n",
			    (double)event->samples * 1e9 / (double)event->weight, event->period_or_freq);
		break; /* they have one rate */
	}
	if (!throttled)
		return;
	strbuf_adds(out, "# throttled: ");
	add_count(out, throttled);
	strbuf_adds(out, " times the kernel stopped sampling for a while: sample less often ('-F'), or raise "
			 "kernel.perf_cpu_time_max_percent\n");
}

/* --- loss -------------------------------------------------------------------- */

static void add_loss_line(struct strbuf *out, const char *what, uint64_t count, const char *remedy)
{
	if (!count)
		return;
	strbuf_adds(out, "# ");
	strbuf_adds(out, what);
	add_count(out, count);
	strbuf_adds(out, remedy);
	strbuf_addc(out, '\n');
}

static void add_loss(struct strbuf *out, const struct perf_file *file, const struct load_summary *summary)
{
	const struct perf_file_damage *damage = perf_file_damage(file);
	static const char larger_rings[] =
		": use larger buffers ('xprof record -m 8M') or sample less often ('-F')";

	/* The same loss in two units: records of any kind, and samples. */
	if (summary->lost_samples)
		add_loss_line(out, "lost samples: ", summary->lost_samples, larger_rings);
	else
		add_loss_line(out, "lost records: ", summary->lost_records, larger_rings);
	add_loss_line(out, "samples of unknown events: ", summary->unknown_event_samples,
		      ", left out: the file has no attr for their id");
	add_loss_line(out, "damaged records: ",
		      damage->skipped_records + summary->damaged_samples + summary->damaged_records,
		      ", left out: see 'xprof dump'");
	if (damage->truncated)
		strbuf_adds(out, "# cut off: the file ends in the middle; everything up to there is shown\n");
	else if (damage->unfinished)
		strbuf_adds(
			out,
			"# not finished: the recorder was killed or is still at work; everything that it has "
			"written is shown\n");
}

/* --- stacks ------------------------------------------------------------------ */

static void add_end(struct strbuf *out, uint64_t count, uint64_t samples, const char *what)
{
	if (!count)
		return;
	strbuf_adds(out, "#   ");
	add_share(out, count, samples);
	strbuf_adds(out, what);
	strbuf_addc(out, '\n');
}

/* What was recorded of stacks. */
struct stack_evidence {
	uint32_t dump_bytes; /* the largest dump; 0: none */
	bool chain_and_dump; /* one event has both, of user space */
};

static struct stack_evidence stack_evidence_of(const struct perf_file *file)
{
	struct stack_evidence evidence = { .dump_bytes = 0 };

	for (size_t i = 0; i < perf_file_event_count(file); i++) {
		const struct perf_attr *attr = &perf_file_event(file, i)->attr;

		if (!(attr->sample_type & PERF_SAMPLE_STACK_USER))
			continue;
		if (attr->sample_stack_user > evidence.dump_bytes)
			evidence.dump_bytes = attr->sample_stack_user;
		evidence.chain_and_dump |= attr->sample_type & PERF_SAMPLE_CALLCHAIN &&
					   !perf_attr_has(attr, PERF_ATTR_EXCLUDE_CALLCHAIN_USER);
	}
	return evidence;
}

/* What deeper stacks need, said in the way that these were recorded. */
static const char *deeper_dumps(const struct stack_evidence *evidence)
{
	enum { LARGEST_BYTES = 60000 }; /* a record of 64 KiB has more than the dump in it */

	if (evidence->dump_bytes >= LARGEST_BYTES)
		return " are deeper than their stack dump, which cannot be larger";
	return evidence->chain_and_dump ? " are deeper than their stack dump: '--call-graph auto,65528'" :
					  " are deeper than their stack dump: '--call-graph dwarf,65528'";
}

static const char *broken_chains(const struct stack_evidence *evidence)
{
	return evidence->dump_bytes ?
		       " end before: code without frame pointers breaks the chain; build it with "
		       "-fno-omit-frame-pointer" :
		       " end before: code without frame pointers breaks the chain: record with "
		       "'xprof record -g', or build it with -fno-omit-frame-pointer";
}

static void add_stacks(struct strbuf *out, const struct perf_file *file, const struct load_summary *summary)
{
	const struct stack_evidence evidence = stack_evidence_of(file);
	const uint64_t *ended = summary->stacks_ended;
	uint64_t without = ended[STACK_END_NO_CHAIN] + ended[STACK_END_UNKNOWN];
	uint64_t samples = summary->samples;

	if (without == samples && !summary->dumps_not_unwound)
		return; /* none were asked for */
	if (ended[STACK_END_ROOT] == samples && !summary->guessed_samples)
		return;
	strbuf_adds(out, "# stacks: ");
	add_share(out, ended[STACK_END_ROOT], samples);
	strbuf_adds(out, " reach the start of their thread\n");
	add_end(out, ended[STACK_END_JOINED], samples,
		" are deeper than their stack dump, and joined to another stack of their thread, which is most likely "
		"right: '--no-join-stacks' leaves them cut off");
	add_end(out, summary->guessed_samples, samples, " have callers that were guessed, marked [guessed]");
	add_end(out, ended[STACK_END_CHAIN], samples, broken_chains(&evidence));
	add_end(out, ended[STACK_END_UNNAMED], samples,
		" end in the C library, at the start of their thread or where the chain breaks: install its debug "
		"symbols (libc6-dbg, glibc-debuginfo) to tell");
	add_end(out, ended[STACK_END_DEPTH], samples,
		" are as deep as the kernel follows: 'sysctl kernel.perf_event_max_stack=512' before recording");
	add_end(out, summary->dumps_not_unwound, samples,
		" have a stack dump that cannot be unwound: of a 32-bit program, or a machine other than x86-64 and arm64");
	if (without > summary->dumps_not_unwound)
		add_end(out, without - summary->dumps_not_unwound, samples,
			" have none: it was not recorded, or could not be copied in that moment");
	add_end(out, ended[STACK_END_DUMP], samples, deeper_dumps(&evidence));
	add_end(out, ended[STACK_END_OUT_OF_REACH], samples,
		" go on where no stack dump reaches: below a signal handler's own stack, or a page never touched");
	add_end(out, ended[STACK_END_NO_CFI], samples, " end in code without unwind information");
	add_end(out, ended[STACK_END_BAD_CFI], samples, " end where the unwind information leads nowhere");
	add_end(out, ended[STACK_END_BAD_RETURN], samples, " end at a return address that is none");
	if (ended[STACK_END_NO_CFI] + ended[STACK_END_BAD_CFI] + ended[STACK_END_BAD_RETURN] > samples / 50)
		strbuf_adds(out, "#   'xprof report --stacks' says in which files\n");
}

/* --- symbols ----------------------------------------------------------------- */

static void add_symbols(struct strbuf *out, const struct loaded_profile *loaded)
{
	const uint64_t unresolved = loaded->summary.unresolved_samples;
	struct strbuf gaps;
	size_t shown;

	strbuf_init(&gaps);
	shown = name_remedies_render(&gaps, loaded, "#   ", least_gap_percent, MAX_GAP_LINES);
	if (unresolved) {
		strbuf_adds(out, "# without a function name: ");
		add_share(out, unresolved, loaded->summary.samples);
		strbuf_adds(out, " samples\n");
	} else if (shown) {
		strbuf_adds(out, "# without a function name: callers of samples\n");
	}
	if (shown)
		strbuf_add(out, gaps.bytes, gaps.size);
	strbuf_fini(&gaps);
}

/* Names that stand in for others have to be said, even where every address has one. */
static void add_jit_code(struct strbuf *out, const struct load_summary *summary)
{
	if (!summary->jit_dumps_untold)
		return;
	strbuf_adds(out, "# JIT code: in ");
	add_count(out, summary->jit_dumps_untold);
	strbuf_addf(
		out,
		" process%s code took turns at addresses, and the last one's name is shown for all: record with "
		"'-k monotonic' to tell them apart\n",
		summary->jit_dumps_untold == 1 ? "" : "es");
}

void trust_header_render(struct strbuf *out, const struct perf_file *file,
			 const struct loaded_profile *loaded, unsigned int lines)
{
	if (lines & TRUST_EVENTS)
		add_events(out, loaded);
	if (lines & TRUST_MACHINE)
		add_machine(out, perf_file_features(file));
	if (lines & TRUST_COMMAND)
		add_command(out, perf_file_features(file));
	if (lines & TRUST_RATE)
		add_rate(out, loaded);
	if (lines & TRUST_LOSS)
		add_loss(out, file, &loaded->summary);
	if (lines & TRUST_STACKS)
		add_stacks(out, file, &loaded->summary);
	if (lines & TRUST_SYMBOLS) {
		add_symbols(out, loaded);
		add_jit_code(out, &loaded->summary);
	}
}

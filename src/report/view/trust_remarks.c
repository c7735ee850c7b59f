/*
 * The remarks of the header above a report. Each function below writes one, and says how bad it is, so that the worst
 * comes first: lost samples spoil every number, cut stacks the callers, missing names only the reading.
 */
#include "report/view/trust_remarks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/remedy/interpreter_hint.h"
#include "report/remedy/name_remedy.h"
#include "report/remedy/run_time_code.h"
#include "report/view/perf_options.h"

enum { MAX_GAP_LINES = 3 /* DSOs without names: 'xprof report --names' has them all */ };

static const double least_gap_percent = 0.5;
static const double least_interpreted_percent = 10;

/* Harm of faults that have no share of the samples. */
static const double damage_harm = 1000, trace_harm = 50, throttle_harm = 5, waiting_harm = 3, jit_harm = 1,
		    least_loss_harm = 1;

struct subject {
	const struct loaded_profile *loaded;
	const struct profile_facts *facts;
	bool brief;
};

void trust_count_add(struct strbuf *out, uint64_t count)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, count), i;

	for (i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			strbuf_addc(out, ',');
		strbuf_addc(out, digits[i]);
	}
}

static double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* "12,912 (30.1%)" */
static void add_share(struct strbuf *out, uint64_t part, uint64_t whole)
{
	trust_count_add(out, part);
	if (whole)
		strbuf_addf(out, " (%.1f%%)", percent_of(part, whole));
}

/* --- damage ------------------------------------------------------------------ */

static void add_left_out(struct strbuf *out, uint64_t count, const char *what)
{
	if (!count)
		return;
	strbuf_adds(out, "# left out: ");
	trust_count_add(out, count);
	strbuf_adds(out, what);
}

static double add_damage(const struct subject *subject, struct strbuf *out)
{
	const struct profile_facts *facts = subject->facts;

	if (facts->is_cut_off)
		strbuf_adds(out, "# cut off: the file ends in the middle; everything up to there is shown\n");
	else if (facts->is_unfinished)
		strbuf_adds(out,
			    "# not finished: the recorder was killed or is still at work; everything that it "
			    "has written is shown\n");
	add_left_out(out, facts->skipped_records + facts->damaged_samples + facts->damaged_records,
		     " damaged records: see 'xprof dump'\n");
	add_left_out(out, facts->unknown_event_samples,
		     " samples of events that the file does not describe\n");
	return damage_harm;
}

/* --- traces ------------------------------------------------------------------ */

static double add_traces(const struct subject *subject, struct strbuf *out)
{
	if (!subject->facts->has_hardware_traces)
		return 0;
	strbuf_addf(out, "# traces: %s\n", perf_options_traces_are_left_out);
	return trace_harm;
}

/* --- loss -------------------------------------------------------------------- */

/* The kernel reports the same loss in two units: records of any kind, and samples. */
static double add_loss(const struct subject *subject, struct strbuf *out)
{
	const struct profile_facts *facts = subject->facts;
	const uint64_t lost = facts->lost_samples ? facts->lost_samples : facts->lost_records;
	const uint64_t others = facts->lost_others;
	const double percent = percent_of(lost, lost + facts->samples);

	if (!lost && !others)
		return 0;
	if (lost) {
		strbuf_adds(out, facts->lost_samples ? "# lost samples: " : "# lost records: ");
		add_share(out, lost, lost + facts->samples);
		if (others) {
			strbuf_adds(out, " and ");
			trust_count_add(out, others);
			strbuf_adds(out, " other records");
		}
		strbuf_adds(out, ", so that shares may be wrong");
	} else {
		strbuf_adds(out, "# lost records other than samples: ");
		trust_count_add(out, others);
	}
	if (others) /* of mappings, names or forks */
		strbuf_adds(out, lost ? " and names missing" : ", so that names may be missing");
	strbuf_adds(out, ": record with larger buffers ('-m 8M') or sample less often ('-F')\n");
	return percent > least_loss_harm ? percent : least_loss_harm;
}

/* --- stacks ------------------------------------------------------------------ */

/* Why stacks end before their thread's first function. */
struct cause {
	uint64_t samples;
	const char *why;
	const char *advice; /* helps most of them; may be NULL */
	bool names_files;   /* 'xprof report --stacks' says more */
};

enum { MAX_CAUSES = 10 };

struct causes {
	struct cause items[MAX_CAUSES];
	size_t count;
	uint64_t samples;
};

/* The remedy for stacks deeper than their dump, which depends on how they were recorded. */
static const char *deeper_dumps(const struct profile_facts *facts)
{
	enum { LARGEST_BYTES = 60000 }; /* a record of 64 KiB also has other fields */

	if (facts->has_copied_stacks)
		return "they are deeper than a record holds, and were not followed to their start while recording";
	if (facts->largest_dump_bytes >= LARGEST_BYTES)
		return "they are deeper than their stack dump, which cannot be larger";
	return facts->has_user_chains_beside_dump ?
		       "they are deeper than their stack dump: record with '--call-graph auto,65528'" :
		       "they are deeper than their stack dump: record with '--call-graph dwarf,65528'";
}

static const char *beyond_dumps(const struct profile_facts *facts)
{
	return facts->has_copied_stacks ?
		       "they continue in memory that is not the thread's stack, or that could not be copied" :
		       "they continue where no stack dump reaches: beyond a signal handler's own stack, or in a "
		       "page that was not in memory";
}

static const char *broken_chains(const struct profile_facts *facts)
{
	return facts->largest_dump_bytes ?
		       "code without frame pointers breaks the chain: build it with -fno-omit-frame-pointer" :
		       "code without frame pointers breaks the chain: record with 'xprof record -g', or build it "
		       "with -fno-omit-frame-pointer";
}

static void add_cause(struct causes *causes, uint64_t samples, const char *why, bool names_files)
{
	if (!samples)
		return;
	causes->items[causes->count++] =
		(struct cause){ .samples = samples, .why = why, .names_files = names_files };
	causes->samples += samples;
}

static int most_first(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	return x->samples < y->samples ? 1 : x->samples > y->samples ? -1 : x < y ? -1 : 1;
}

/* A cause of less than 2% is not worth a look at files, nor at what made its code. */
static bool is_worth_a_look(uint64_t cause, uint64_t samples)
{
	return cause > samples / 50;
}

static void find_causes(struct causes *causes, const struct subject *subject)
{
	const uint64_t *ended = subject->facts->stacks_ended;
	const uint64_t without = ended[STACK_END_NO_CHAIN] + ended[STACK_END_UNKNOWN];
	const uint64_t not_unwound = subject->facts->dumps_not_unwound;

	*causes = (struct causes){ .count = 0 };
	add_cause(causes, ended[STACK_END_CHAIN], broken_chains(subject->facts), false);
	add_cause(causes, ended[STACK_END_DUMP], deeper_dumps(subject->facts), false);
	add_cause(causes, ended[STACK_END_DEPTH],
		  "they are deeper than the kernel follows: 'sysctl kernel.perf_event_max_stack=512' before "
		  "recording",
		  false);
	add_cause(
		causes, not_unwound,
		"stack dumps of 32-bit programs on arm64, and of machines other than x86 and arm64, are not unwound",
		false);
	add_cause(causes, without > not_unwound ? without - not_unwound : 0,
		  "no stack was recorded, or it could not be copied at that moment", false);
	add_cause(causes, ended[STACK_END_OUT_OF_REACH], beyond_dumps(subject->facts), false);
	add_cause(causes, ended[STACK_END_NO_CFI], "code has no unwind information", true);
	if (is_worth_a_look(ended[STACK_END_NO_CFI], subject->facts->samples))
		causes->items[causes->count - 1].advice = run_time_advice_for_most(subject->loaded->profile);
	add_cause(causes, ended[STACK_END_BAD_CFI], "the unwind information leads nowhere", true);
	add_cause(causes, ended[STACK_END_BAD_RETURN], "a return address leads to no code", true);
	qsort(causes->items, causes->count, sizeof(*causes->items), most_first);
}

static const char ends_in_c_library[] =
	" end in the C library: only its debug symbols show whether that is the start of the thread (package "
	"libc6-dbg or glibc-debuginfo)";
static const char joined_stacks[] =
	" are deeper than their stack dump, and joined to another stack of their thread, which is most likely "
	"right: '--no-join-stacks' leaves them cut off";
static const char continued_stacks[] =
	" are deeper than their stack dump, and the rest was read from the process before and after the "
	"sample: 'xprof script' prints '# [continued]' before it";
static const char assumed_stacks[] =
	" reach the start of their thread through callers that are likely but not proved: 'xprof script' "
	"prints '# [assumed]' before them";
static const char guessed_stacks[] = " have callers that were guessed, marked [guessed]";

static void add_why(struct strbuf *out, const struct cause *cause, uint64_t samples)
{
	strbuf_adds(out, cause->why);
	if (cause->advice)
		strbuf_addf(out, " (most of it made at run time: %s)", cause->advice);
	if (cause->names_files && is_worth_a_look(cause->samples, samples))
		strbuf_adds(out, ": 'xprof report --stacks' says in which files");
	strbuf_addc(out, '\n');
}

/* Adds a line about the most frequent fault. Returns its share in percent, which is its harm. */
static double add_stack_headline(const struct subject *subject, const struct causes *causes,
				 struct strbuf *out)
{
	const struct profile_facts *facts = subject->facts;
	const uint64_t *ended = facts->stacks_ended;
	const double cut = percent_of(causes->samples, facts->samples);
	const double unnamed = percent_of(ended[STACK_END_UNNAMED], facts->samples);
	const double joined = percent_of(ended[STACK_END_JOINED], facts->samples);
	const double guessed = percent_of(facts->guessed_samples, facts->samples);
	const double assumed = percent_of(ended[STACK_END_ASSUMED], facts->samples);
	const double continued = percent_of(facts->continued_samples, facts->samples);

	if (causes->samples && cut >= unnamed / 2) {
		strbuf_addf(out,
			    "# call stacks: %.1f%% are cut short (outer callers are missing), %sbecause ",
			    cut, causes->count > 1 ? "most of them " : "");
		add_why(out, &causes->items[0], facts->samples);
		return cut;
	}
	strbuf_adds(out, "# call stacks: ");
	if (ended[STACK_END_UNNAMED]) {
		strbuf_addf(out, "%.1f%%%s\n", unnamed, ends_in_c_library);
		return unnamed / 2;
	}
	if (guessed > joined) {
		strbuf_addf(out, "%.1f%%%s\n", guessed, guessed_stacks);
		return guessed;
	}
	if (assumed > joined && assumed >= continued) {
		strbuf_addf(out, "%.1f%%%s\n", assumed, assumed_stacks);
		return assumed / 10;
	}
	if (continued > joined) {
		strbuf_addf(out, "%.1f%%%s\n", continued, continued_stacks);
		return continued / 100;
	}
	strbuf_addf(out, "%.1f%%%s\n", joined, joined_stacks);
	return joined / 10;
}

static void add_detail(struct strbuf *out, uint64_t count, uint64_t samples, const char *what)
{
	if (!count)
		return;
	strbuf_adds(out, "#   ");
	add_share(out, count, samples);
	strbuf_adds(out, what);
	strbuf_addc(out, '\n');
}

static void add_stack_details(const struct subject *subject, const struct causes *causes, struct strbuf *out)
{
	const struct profile_facts *facts = subject->facts;
	const uint64_t *ended = facts->stacks_ended;
	const uint64_t samples = facts->samples;

	strbuf_adds(out, "#   ");
	add_share(out, ended[STACK_END_ROOT], samples);
	strbuf_adds(out, " reach the start of their thread\n");
	add_detail(out, facts->continued_samples, samples, continued_stacks);
	add_detail(out, ended[STACK_END_ASSUMED], samples, assumed_stacks);
	add_detail(out, ended[STACK_END_JOINED], samples, joined_stacks);
	add_detail(out, facts->guessed_samples, samples, guessed_stacks);
	add_detail(out, ended[STACK_END_UNNAMED], samples, ends_in_c_library);
	add_detail(out, ended[STACK_END_REPLACED], samples,
		   " were taken in execve, which had removed the program's stack already");
	for (size_t i = 0; i < causes->count; i++) {
		strbuf_adds(out, "#   ");
		add_share(out, causes->items[i].samples, samples);
		strbuf_adds(out, " end early: ");
		add_why(out, &causes->items[i], samples);
	}
}

static double add_stacks(const struct subject *subject, struct strbuf *out)
{
	const struct profile_facts *facts = subject->facts;
	const uint64_t *ended = facts->stacks_ended;
	const uint64_t without = ended[STACK_END_NO_CHAIN] + ended[STACK_END_UNKNOWN];
	struct causes causes;
	double harm;

	if (without == facts->samples && !facts->dumps_not_unwound)
		return 0; /* none were asked for */
	if (ended[STACK_END_ROOT] == facts->samples && !facts->guessed_samples && !facts->continued_samples)
		return 0;
	find_causes(&causes, subject);
	harm = add_stack_headline(subject, &causes, out);
	if (!subject->brief)
		add_stack_details(subject, &causes, out);
	return harm;
}

/* --- names ------------------------------------------------------------------- */

static double add_names(const struct subject *subject, struct strbuf *out)
{
	const struct profile_facts *facts = subject->facts;
	const double percent = percent_of(facts->unresolved_samples, facts->samples);
	struct strbuf gaps = STRBUF_INIT;
	size_t shown;

	shown = subject->brief ? name_remedies_brief(&gaps, subject->loaded, least_gap_percent) :
				 name_remedies_render(&gaps, subject->loaded, "#   ", least_gap_percent,
						      MAX_GAP_LINES);
	if (facts->unresolved_samples)
		strbuf_addf(out, "# names: %.1f%% of the samples are in functions without a name", percent);
	else if (shown)
		strbuf_adds(out, "# names: some callers have none");
	if (shown && subject->brief)
		strbuf_addf(out, "; %s\n", gaps.bytes);
	else if (shown || facts->unresolved_samples)
		strbuf_addf(out, "\n%s", gaps.size ? gaps.bytes : "");
	strbuf_fini(&gaps);
	return percent >= least_gap_percent || !shown ? percent : least_gap_percent;
}

/* The names that are shown are right, so this comes after functions without any name. */
static double add_interpreted(const struct subject *subject, struct strbuf *out)
{
	return interpreter_hint_add(out, subject->loaded, "# interpreted: ", least_interpreted_percent) / 4;
}

/* --- others ------------------------------------------------------------------ */

static double add_throttling(const struct subject *subject, struct strbuf *out)
{
	if (!subject->facts->throttle_records)
		return 0;
	strbuf_adds(out, "# throttled: the kernel stopped sampling for a while, ");
	trust_count_add(out, subject->facts->throttle_records);
	strbuf_adds(out, " times: sample less often ('-F'), or raise kernel.perf_cpu_time_max_percent\n");
	return throttle_harm;
}

static void add_seconds(struct strbuf *out, double seconds)
{
	if (seconds < 0.0995)
		strbuf_addf(out, seconds < 0.0095 ? "%.2g ms" : "%.0f ms", seconds * 1e3);
	else
		strbuf_addf(out, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
}

/* Events whose samples show where threads wait; xprof's recorder (format/off_cpu_wait.h) and perf have offcpu-time. */
static bool has_waits(const struct profile *profile)
{
	static const char *const names[] = { "offcpu-time", "sched:sched_switch", "context-switches" };

	for (uint32_t i = 0; i < profile_event_count(profile); i++)
		for (size_t j = 0; j < sizeof(names) / sizeof(*names); j++)
			if (strcmp(profile_text(profile, profile_event_at(profile, i)->name), names[j]) == 0)
				return true;
	return false;
}

/* Samples show time on a CPU; they show nothing of threads that wait, unless that was recorded, too. */
static double add_waiting(const struct subject *subject, struct strbuf *out)
{
	const struct running_time *time = &subject->facts->running;

	if (!time->is_known || !time->mostly_waited || has_waits(subject->loaded->profile))
		return 0;
	strbuf_adds(out, "# waiting: of its ");
	add_seconds(out, time->span_s);
	strbuf_addf(out, " %s ran for %s", time->of_command ? "the command" : "what was recorded",
		    time->is_bound    ? "less than " :
		    time->is_estimate ? "about " :
					"");
	add_seconds(out, time->running_s);
	if (time->threads > 1)
		strbuf_addf(out, ", its %" PRIu32 " threads together,", time->threads);
	strbuf_adds(
		out,
		" and waited otherwise (for input, locks, timers or a free CPU), which the table does not show: "
		"record with '--off-cpu -g' (as root) to see where and for what, or with '-e context-switches -c 1 -g'\n");
	return waiting_harm;
}

/* A name that stands in for others needs a remark, even if every address has a name. */
static double add_jit_code(const struct subject *subject, struct strbuf *out)
{
	const uint64_t unclear = subject->facts->jit_dumps_unclear;

	if (!unclear)
		return 0;
	strbuf_adds(out, "# JIT code: in ");
	trust_count_add(out, unclear);
	strbuf_addf(
		out,
		" process%s functions replaced each other at the same addresses, and the last one's name is "
		"shown for all: record with '-k monotonic' to tell them apart\n",
		unclear == 1 ? "" : "es");
	return jit_harm;
}

/* --- all remarks ----------------------------------------------------------------- */

static const struct {
	unsigned int kind;
	double (*add)(const struct subject *subject, struct strbuf *out);
} kinds_of_remarks[TRUST_REMARKS_MAX] = {
	{ REMARK_DAMAGE, add_damage },   { REMARK_LOSS, add_loss },
	{ REMARK_STACKS, add_stacks },   { REMARK_NAMES, add_names },
	{ REMARK_RATE, add_throttling }, { REMARK_WAITING, add_waiting },
	{ REMARK_JIT, add_jit_code },    { REMARK_INTERPRETED, add_interpreted },
	{ REMARK_TRACES, add_traces },
};

/* Insertion: remarks are few, and equally bad ones keep their order. */
static void insert(struct trust_remarks *remarks, const struct trust_remark *remark)
{
	size_t at = remarks->count++;

	for (; at && remarks->items[at - 1].harm < remark->harm; at--)
		remarks->items[at] = remarks->items[at - 1];
	remarks->items[at] = *remark;
}

void trust_remarks_make(struct trust_remarks *remarks, const struct loaded_profile *loaded,
			unsigned int kinds, bool brief)
{
	const struct subject subject = { loaded, &loaded->facts, brief };

	remarks->count = 0;
	for (size_t i = 0; i < TRUST_REMARKS_MAX; i++) {
		struct trust_remark remark;

		if (!(kinds & kinds_of_remarks[i].kind))
			continue;
		strbuf_init(&remark.text);
		remark.harm = kinds_of_remarks[i].add(&subject, &remark.text);
		if (remark.text.size)
			insert(remarks, &remark);
		else
			strbuf_fini(&remark.text);
	}
}

void trust_remarks_fini(struct trust_remarks *remarks)
{
	for (size_t i = 0; i < remarks->count; i++)
		strbuf_fini(&remarks->items[i].text);
}

/*
 * The lines above a report: remarks on what is wrong (trust_remarks.c), then what was recorded, in five lines or in full.
 */
#include "report/view/trust_header.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/event_unit.h"
#include "report/view/trust_remarks.h"
#include "text/safe_text.h"

enum {
	MAX_EVENT_LINES = 16,      /* a recording of all tracepoints has thousands of events */
	BRIEF_COMMAND_BYTES = 120, /* a longer command is cut: its beginning says what runs */
};

static const double least_brief_harm = 0.5; /* percent: less harm is not worth one of five lines */

/* --- what was recorded ------------------------------------------------------- */

static void add_imported_weight(struct strbuf *out, const struct profile *profile, uint32_t event)
{
	struct strbuf words = STRBUF_INIT;

	event_unit_add_words(&words, profile, event);
	trust_count_add(out, profile_event_at(profile, event)->weight);
	strbuf_addc(out, ' ');
	safe_text_add(out, words.bytes);
	strbuf_fini(&words);
}

static void add_event(struct strbuf *out, const struct profile *profile, uint32_t event)
{
	const struct profile_event *of = profile_event_at(profile, event);
	const bool is_imported = event_unit_is_imported(profile, event);

	if (is_imported && of->weight == of->samples) {
		add_imported_weight(out, profile, event);
		return;
	}
	trust_count_add(out, of->samples);
	strbuf_adds(out, " samples of ");
	safe_text_add(out, profile_text(profile, of->name));
	strbuf_adds(out, is_imported ? ", weight " : ", event count ");
	if (is_imported)
		add_imported_weight(out, profile, event);
	else
		trust_count_add(out, of->weight);
}

static void add_events(struct strbuf *out, const struct loaded_profile *loaded)
{
	uint32_t count = profile_event_count(loaded->profile), shown = 0, i;
	double seconds = profile_facts_seconds(&loaded->facts);

	for (i = 0; i < count && shown < MAX_EVENT_LINES; i++) {
		const struct profile_event *event = profile_event_at(loaded->profile, i);

		if (!event->samples)
			continue;
		strbuf_adds(out, "# ");
		add_event(out, loaded->profile, i);
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

static void add_host(struct strbuf *out, const struct profile_facts *facts)
{
	add_known(out, " on ", facts->hostname);
	add_known(out, ", Linux ", facts->os_release);
	add_known(out, " ", facts->arch);
	if (facts->cpus_online)
		strbuf_addf(out, ", %" PRIu32 " CPU%s", facts->cpus_online,
			    facts->cpus_online == 1 ? "" : "s");
}

static void add_machine(struct strbuf *out, const struct profile_facts *facts)
{
	if (!facts->hostname && !facts->os_release && !facts->arch)
		return;
	strbuf_adds(out, "# recorded");
	add_host(out, facts);
	add_known(out, " ", facts->cpu_description);
	add_known(out, ", recorder ", facts->recorder);
	strbuf_addc(out, '\n');
}

static void add_word(struct strbuf *out, const char *word)
{
	bool quoted = !*word || strpbrk(word, " \t\n'\"\\$*?;|&<>()");

	strbuf_adds(out, quoted ? "'" : "");
	safe_text_add(out, word);
	strbuf_adds(out, quoted ? "'" : "");
}

static void add_command(struct strbuf *out, const struct profile_facts *facts)
{
	if (!facts->command_line_count)
		return;
	strbuf_adds(out, "# command:");
	for (size_t i = 0; i < facts->command_line_count; i++) {
		strbuf_addc(out, ' ');
		add_word(out, facts->command_line[i]);
	}
	strbuf_addc(out, '\n');
}

/* --- rate -------------------------------------------------------------------- */

/* The event count of a clock event is the sampled time in nanoseconds, so the achieved rate can be told. */
static bool counts_time(const char *name)
{
	return !strncmp(name, "cpu-clock", 9) || !strncmp(name, "task-clock", 10);
}

static void add_rate(struct strbuf *out, const struct loaded_profile *loaded)
{
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
		break; /* all have one rate */
	}
}

/* --- in full ------------------------------------------------------------------ */

static unsigned int kinds_of(unsigned int lines)
{
	return (lines & TRUST_RATE ? REMARK_RATE : 0) |
	       (lines & TRUST_LOSS ? REMARK_DAMAGE | REMARK_LOSS | REMARK_TRACES : 0) |
	       (lines & TRUST_STACKS ? REMARK_STACKS : 0) |
	       (lines & TRUST_SYMBOLS ? REMARK_NAMES | REMARK_JIT | REMARK_INTERPRETED : 0) |
	       (lines & TRUST_WAITING ? REMARK_WAITING : 0);
}

static void render_full(struct strbuf *out, const struct loaded_profile *loaded, unsigned int lines)
{
	struct trust_remarks remarks;

	trust_remarks_make(&remarks, loaded, kinds_of(lines), false);
	for (size_t i = 0; i < remarks.count; i++)
		strbuf_add(out, remarks.items[i].text.bytes, remarks.items[i].text.size);
	trust_remarks_fini(&remarks);
	if (lines & TRUST_EVENTS)
		add_events(out, loaded);
	if (lines & TRUST_MACHINE)
		add_machine(out, &loaded->facts);
	if (lines & TRUST_COMMAND)
		add_command(out, &loaded->facts);
	if (lines & TRUST_RATE)
		add_rate(out, loaded);
}

/* --- in five lines -------------------------------------------------------------- */

/* "xprof record -g -- ./work", without the folder that the recorder was in. */
static void add_brief_command(struct strbuf *out, const struct profile_facts *facts)
{
	const size_t start = out->size;

	for (size_t i = 0; i < facts->command_line_count; i++) {
		const char *word = facts->command_line[i];

		if (out->size - start > BRIEF_COMMAND_BYTES) {
			strbuf_adds(out, " ...");
			break;
		}
		strbuf_adds(out, i ? " " : ": ");
		add_word(out, i ? word : basename(word));
	}
}

/* "recorded 5.2 s on vm, Linux 6.18.44 x86_64, 2 CPUs: xprof record -g -- ./work" */
static void add_recorded(struct strbuf *out, const struct profile_facts *facts)
{
	const double seconds = facts->first_record_ns < facts->last_record_ns ?
				       (double)(facts->last_record_ns - facts->first_record_ns) / 1e9 :
				       0;

	if (facts->format)
		strbuf_addf(out, "a profile of another tool: %s", facts->format);
	else
		strbuf_adds(out, "recorded");
	if (seconds > 0)
		strbuf_addf(out, " %.3g s", seconds);
	add_host(out, facts);
	add_brief_command(out, facts);
}

static void add_first_line(struct strbuf *out, const struct strbuf *text)
{
	const char *end = memchr(text->bytes, '\n', text->size);

	strbuf_add(out, text->bytes, end ? (size_t)(end - text->bytes) + 1 : text->size);
}

static void render_brief(struct strbuf *out, const struct loaded_profile *loaded)
{
	struct trust_remarks remarks;
	size_t shown = 0, hidden;

	trust_remarks_make(&remarks, loaded, REMARK_ALL, true);
	while (shown < remarks.count && shown < TRUST_BRIEF_LINES - 1 &&
	       remarks.items[shown].harm >= least_brief_harm)
		add_first_line(out, &remarks.items[shown++].text);
	hidden = remarks.count - shown;
	trust_remarks_fini(&remarks);
	strbuf_adds(out, "# ");
	add_recorded(out, &loaded->facts);
	if (hidden)
		strbuf_addf(out, " (%zu lesser remark%s: --header)", hidden, hidden == 1 ? "" : "s");
	strbuf_addc(out, '\n');
}

void trust_header_render(struct strbuf *out, const struct loaded_profile *loaded, unsigned int lines)
{
	if (lines & TRUST_BRIEF)
		render_brief(out, loaded);
	else
		render_full(out, loaded, lines);
}

/*
 * The options of the filter are tried one by one, in the order of `kinds`. The first that lets no sample pass by itself
 * is the culprit, and add_names() lists the most frequent names that the recording has instead. If each option alone
 * matches some sample, the combination is to blame.
 */
#include "report/view/empty_choice.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/str_pool.h"
#include "base/xalloc.h"
#include "report/view/event_choice.h"
#include "report/view/stack_pattern.h"
#include "text/safe_text.h"

enum { SHOWN_NAMES = 5, SHOWN_COLUMNS = 200 };

struct explaining {
	const struct profile *profile;
	const struct sample_choice *choice;
	const char *event; /* of samples that count; NULL: any */
	bool *stacks;      /* those that --stack lets pass; NULL: all */
};

/* One option, and the name that it goes by in a sample. */
struct kind {
	const char *option;
	void (*add_name)(struct strbuf *out, const struct explaining *explaining,
			 const struct profile_sample *sample); /* adds nothing if there is none */
};

/* --- names of samples ------------------------------------------------------------------------------------- */

static const struct profile_location *leaf_of(const struct explaining *explaining,
					      const struct profile_sample *sample)
{
	const struct profile *profile = explaining->profile;
	const uint32_t stack = profile_compiled_stack(profile, sample->stack);

	return stack == PROFILE_NONE ?
		       NULL :
		       profile_location_at(profile, profile_stack_at(profile, stack)->location);
}

static const struct profile_thread *thread_of(const struct explaining *explaining,
					      const struct profile_sample *sample)
{
	return profile_thread_at(explaining->profile, sample->thread);
}

static void add_comm(struct strbuf *out, const struct explaining *explaining,
		     const struct profile_sample *sample)
{
	safe_text_add(out, profile_text(explaining->profile, thread_of(explaining, sample)->comm));
}

static void add_dso(struct strbuf *out, const struct explaining *explaining,
		    const struct profile_sample *sample)
{
	const struct profile_location *leaf = leaf_of(explaining, sample);

	if (leaf && leaf->dso != PROFILE_NONE)
		safe_text_add(out, profile_text(explaining->profile,
						profile_dso_at(explaining->profile, leaf->dso)->name));
}

static void add_symbol(struct strbuf *out, const struct explaining *explaining,
		       const struct profile_sample *sample)
{
	const struct profile_location *leaf = leaf_of(explaining, sample);

	if (leaf && leaf->function != PROFILE_NONE)
		safe_text_add(out,
			      profile_text(explaining->profile,
					   profile_function_at(explaining->profile, leaf->function)->name));
}

static void add_cgroup(struct strbuf *out, const struct explaining *explaining,
		       const struct profile_sample *sample)
{
	safe_text_add(out, profile_text(explaining->profile, sample->cgroup));
}

static void add_pid(struct strbuf *out, const struct explaining *explaining,
		    const struct profile_sample *sample)
{
	strbuf_addf(out, "%" PRIu32 " ", thread_of(explaining, sample)->pid);
	add_comm(out, explaining, sample);
}

static void add_tid(struct strbuf *out, const struct explaining *explaining,
		    const struct profile_sample *sample)
{
	strbuf_addf(out, "%" PRIu32 " ", thread_of(explaining, sample)->tid);
	add_comm(out, explaining, sample);
}

static void add_cpu(struct strbuf *out, const struct explaining *explaining,
		    const struct profile_sample *sample)
{
	(void)explaining;
	if (sample->cpu != PROFILE_NONE)
		strbuf_addf(out, "%" PRIu32, sample->cpu);
}

static void add_stack(struct strbuf *out, const struct explaining *explaining,
		      const struct profile_sample *sample)
{
	const struct profile *profile = explaining->profile;
	uint32_t nodes[64], node = sample->stack;
	size_t count = 0;

	for (; node != PROFILE_NONE && count < 64; node = profile_stack_at(profile, node)->parent)
		nodes[count++] = node;
	if (node != PROFILE_NONE)
		strbuf_adds(out, "...;");
	while (count--) {
		const struct profile_location *location =
			profile_location_at(profile, profile_stack_at(profile, nodes[count])->location);

		if (location->function == PROFILE_NONE)
			strbuf_adds(out, "...");
		else
			safe_text_add(out,
				      profile_text(profile,
						   profile_function_at(profile, location->function)->name));
		if (count)
			strbuf_addc(out, ';');
	}
}

/* --- options ---------------------------------------------------------------------------------------------- */

enum { COMMS, PIDS, TIDS, CPUS, CGROUPS, DSOS, SYMBOLS, STACKS, KIND_COUNT };

static const struct kind kinds[KIND_COUNT] = {
	[COMMS] = { "--comms", add_comm },       [PIDS] = { "--pid", add_pid },
	[TIDS] = { "--tid", add_tid },           [CPUS] = { "--cpu", add_cpu },
	[CGROUPS] = { "--cgroups", add_cgroup }, [DSOS] = { "--dsos", add_dso },
	[SYMBOLS] = { "--symbols", add_symbol }, [STACKS] = { "--stack", add_stack },
};

/* The part of a filter that is of one option. */
struct part {
	bool is_given;
	struct filter filter;
};

static void take_apart(struct part parts[KIND_COUNT], const struct filter *all)
{
	parts[COMMS] = (struct part){ all->comms, { .comms = all->comms } };
	parts[PIDS] = (struct part){ all->pid_count, { .pids = all->pids, .pid_count = all->pid_count } };
	parts[TIDS] = (struct part){ all->tid_count, { .tids = all->tids, .tid_count = all->tid_count } };
	parts[CPUS] = (struct part){ all->cpu_count, { .cpus = all->cpus, .cpu_count = all->cpu_count } };
	parts[CGROUPS] = (struct part){ all->cgroups, { .cgroups = all->cgroups } };
	parts[DSOS] = (struct part){ all->dsos, { .dsos = all->dsos } };
	parts[SYMBOLS] = (struct part){ all->symbols, { .symbols = all->symbols } };
	parts[STACKS] = (struct part){ all->stacks, { .stacks = all->stacks } };
}

/* --- samples ---------------------------------------------------------------------------------------------- */

static bool counts(const struct explaining *explaining, const struct profile_sample *sample)
{
	const struct profile *profile = explaining->profile;

	return !explaining->event ||
	       event_choice_is_named(profile_text(profile, profile_event_at(profile, sample->event)->name),
				     explaining->event);
}

static bool any_passes(const struct explaining *explaining, const struct filter *filter)
{
	const uint32_t samples = profile_sample_count(explaining->profile);

	for (uint32_t i = 0; i < samples; i++) {
		const struct profile_sample *sample = profile_sample_at(explaining->profile, i);

		if (counts(explaining, sample) && filter_passes(filter, explaining->profile, sample))
			return true;
	}
	return false;
}

/* --- names in the recording ------------------------------------------------------------------------------- */

struct name_count {
	uint32_t name;
	uint64_t count;
};

static int most_frequent_first(const void *one, const void *other)
{
	const struct name_count *a = one, *b = other;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* Adds up samples by name. Returns the number of all that count. */
static uint64_t count_names(const struct explaining *explaining, const struct kind *kind,
			    struct str_pool *pool, struct name_count *names)
{
	const uint32_t samples = profile_sample_count(explaining->profile);
	struct strbuf text = STRBUF_INIT;
	uint64_t total = 0;

	for (uint32_t i = 0; i < samples; i++) {
		const struct profile_sample *sample = profile_sample_at(explaining->profile, i);
		uint32_t name;

		if (!counts(explaining, sample))
			continue;
		total += sample->count;
		strbuf_reset(&text);
		kind->add_name(&text, explaining, sample);
		if (!text.size)
			continue;
		name = str_pool_add(pool, text.bytes);
		names[name].name = name;
		names[name].count += sample->count;
	}
	strbuf_fini(&text);
	return total;
}

static void add_names(struct strbuf *out, const struct explaining *explaining, const struct kind *kind)
{
	const size_t most = (size_t)profile_sample_count(explaining->profile) + 2;
	struct name_count *names = xcalloc(most, sizeof(*names));
	struct str_pool *pool = str_pool_create();
	const uint64_t total = count_names(explaining, kind, pool, names);
	const size_t start = out->size;

	qsort(names, most, sizeof(*names), most_frequent_first);
	for (size_t i = 0; i < SHOWN_NAMES && i < most && names[i].count; i++) {
		strbuf_adds(out, i ? ", " : "; recorded: ");
		safe_text_add_cut(out, str_pool_text(pool, names[i].name), SHOWN_COLUMNS);
		strbuf_addf(out, " (%.1f%%)", 100.0 * (double)names[i].count / (double)total);
		if (kind->add_name == add_stack) /* one stack is long enough */
			break;
	}
	if (out->size == start)
		strbuf_adds(out, "; no sample has this information");
	str_pool_destroy(pool);
	free(names);
}

static void add_combination(struct strbuf *out, const struct part parts[KIND_COUNT])
{
	const char *separator = "";

	for (size_t i = 0; i < KIND_COUNT; i++)
		if (parts[i].is_given) {
			strbuf_addf(out, "%s%s", separator, kinds[i].option);
			separator = ", ";
		}
	strbuf_adds(out, ": samples match each of them, but none matches all");
}

/* Names the first option that lets nothing pass by itself, else all of them. */
static void explain(struct strbuf *out, const struct explaining *explaining, const struct filter *all)
{
	struct part parts[KIND_COUNT];

	take_apart(parts, all);
	for (size_t i = 0; i < KIND_COUNT; i++) {
		if (!parts[i].is_given || any_passes(explaining, &parts[i].filter))
			continue;
		strbuf_addf(out, "%s: no sample matches", kinds[i].option);
		add_names(out, explaining, &kinds[i]);
		return;
	}
	add_combination(out, parts);
}

bool empty_choice_explain(struct strbuf *out, const struct profile *profile,
			  const struct sample_choice *choice)
{
	struct explaining explaining = { .profile = profile, .choice = choice, .event = choice->event };
	const struct filter everything = { .comms = NULL };
	struct filter filter = sample_choice_filter(choice);
	struct frame_table frames;
	bool empty;

	if (choice->stack) {
		frame_table_init(&frames, profile);
		explaining.stacks = stack_pattern_match(choice->stack, profile, &frames);
		filter.stacks = explaining.stacks;
		frame_table_fini(&frames);
	}
	empty = any_passes(&explaining, &everything) && !any_passes(&explaining, &filter);
	if (empty)
		explain(out, &explaining, &filter);
	free(explaining.stacks);
	return empty;
}

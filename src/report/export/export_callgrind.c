/*
 * The format of callgrind, for KCachegrind and callgrind_annotate (valgrind's manual, "Callgrind Format Specification").
 * callgrind_annotate takes the cost of a function with all it calls from its callers, KCachegrind from its calls. For both to
 * match the total of xprof report, nothing may occur twice on a path: it begins with the thread's command, and a function that is
 * called again below itself is named "NAME'2" there, then "NAME'3", as callgrind does.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/saturating.h"
#include "base/xalloc.h"
#include "build_options.h"
#include "report/export/export_format.h"
#include "report/export/export_frames.h"
#include "report/export/export_samples.h"
#include "report/rows/frame_text.h"
#include "text/safe_text.h"

/*
 * A node of paths: the number of a function in export_frames and, in the bits above it, how often the function is on the path
 * before, at most MOST_LEVELS - 1; or NODE_THREAD and the string of a command's name.
 */
enum { LEVEL_SHIFT = 24, MOST_LEVELS = 128 };
#define NODE_FUNCTION ((UINT32_C(1) << LEVEL_SHIFT) - 1)
#define NODE_THREAD (UINT32_C(1) << 31)

/* Cost of a line of a function, or of its calls of another function in that line. */
struct cost {
	uint32_t node;
	uint32_t line;
	uint32_t callee; /* node; PROFILE_NONE: its own cost */
	uint64_t weight, calls;
};

struct step {
	uint32_t node, line;
};

struct seen {
	uint32_t stamp; /* the last stack that had the function, + 1 */
	uint32_t times; /* how often it had it */
};

struct callgrind {
	const struct export_input *input;
	struct export_out *out;
	struct export_frames frames;
	struct cost *costs;
	size_t count, capacity;
	struct hash_table index;
	struct step *path; /* of the current stack, leaf first */
	size_t path_capacity;
	struct seen *seen; /* by function */
	size_t seen_capacity;
	uint64_t sum;
	uint32_t *named; /* nodes whose names were written; later lines have their numbers, from 1 */
	size_t named_count, named_capacity;
	struct hash_table named_index;
};

static bool is_same(const void *items, uint32_t item, const void *key)
{
	const struct cost *cost = (const struct cost *)items + item, *wanted = key;

	return cost->node == wanted->node && cost->line == wanted->line && cost->callee == wanted->callee;
}

static void add_cost(struct callgrind *grind, const struct cost *cost)
{
	const uint64_t hash = hash_combine(hash_combine(cost->node, cost->line), cost->callee);
	uint32_t number = hash_table_find(&grind->index, hash, is_same, grind->costs, cost);

	if (number == HASH_TABLE_NONE) {
		number = (uint32_t)grind->count;
		grind->costs =
			array_grow(grind->costs, &grind->capacity, grind->count + 1, sizeof(*grind->costs));
		grind->costs[grind->count++] = *cost;
		hash_table_insert(&grind->index, hash, number);
		return;
	}
	saturating_add(&grind->costs[number].weight, cost->weight);
	saturating_add(&grind->costs[number].calls, cost->calls);
}

static const struct profile_location *location_of(const struct callgrind *grind, uint32_t node)
{
	const struct profile *profile = grind->input->view.profile;

	return profile_location_at(profile, profile_stack_at(profile, node)->location);
}

/* Line numbers refer to the function's file: 0 for lines of other files, as of macros. */
static uint32_t line_of(const struct callgrind *grind, uint32_t node, uint32_t function)
{
	const struct profile_location *location = location_of(grind, node);

	return location->file == location_of(grind, grind->frames.nodes[function])->file ? location->line : 0;
}

/* How often the function was on the path before; at most MOST_LEVELS - 1. */
static uint32_t level_of(struct callgrind *grind, uint32_t function, uint32_t stamp)
{
	const size_t before = grind->seen_capacity;
	struct seen *seen;

	if (function >= before) {
		grind->seen = array_grow(grind->seen, &grind->seen_capacity, (size_t)function + 1,
					 sizeof(*grind->seen));
		memset(grind->seen + before, 0, (grind->seen_capacity - before) * sizeof(*grind->seen));
	}
	seen = &grind->seen[function];
	if (seen->stamp != stamp)
		*seen = (struct seen){ .stamp = stamp };
	return seen->times < MOST_LEVELS - 1 ? seen->times++ : MOST_LEVELS - 1;
}

/* Returns the number of steps. */
static size_t make_path(struct callgrind *grind, uint32_t leaf, uint32_t stamp)
{
	const struct profile *profile = grind->input->view.profile;
	size_t count = 0;

	for (uint32_t node = leaf; node != PROFILE_NONE; node = profile_stack_at(profile, node)->parent) {
		const uint32_t function = export_frames_number(&grind->frames, node);

		grind->path = array_grow(grind->path, &grind->path_capacity, count + 1, sizeof(*grind->path));
		grind->path[count++] = (struct step){ function, line_of(grind, node, function) };
	}
	for (size_t i = count; i-- > 0;)
		grind->path[i].node |= level_of(grind, grind->path[i].node, stamp) << LEVEL_SHIFT;
	return count;
}

static void add_sample(struct callgrind *grind, const struct profile_sample *sample, uint32_t stamp)
{
	const size_t count = make_path(grind, sample->stack, stamp);
	const uint32_t thread =
		NODE_THREAD | profile_thread_at(grind->input->view.profile, sample->thread)->comm;
	uint32_t callee = PROFILE_NONE;

	saturating_add(&grind->sum, sample->weight);
	for (size_t i = 0; i <= count; i++) {
		const struct step step = i < count ? grind->path[i] : (struct step){ thread, 0 };

		if (step.node != callee) /* equal only beyond the levels that are counted */
			add_cost(grind, &(struct cost){ .node = step.node,
							.line = step.line,
							.callee = callee,
							.weight = sample->weight,
							.calls = sample->count });
		callee = step.node;
	}
}

static int by_node(const void *one, const void *other)
{
	const struct cost *a = one, *b = other;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if ((a->callee == PROFILE_NONE) != (b->callee == PROFILE_NONE))
		return a->callee == PROFILE_NONE ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->callee < b->callee ? -1 : a->callee > b->callee;
}

/* --- text -------------------------------------------------------------------------------------------- */

static void add_text(struct callgrind *grind, const char *key, const char *text)
{
	strbuf_adds(&grind->out->text, key);
	safe_text_add(&grind->out->text, text);
	strbuf_addc(&grind->out->text, '\n');
}

static void add_node_name(struct callgrind *grind, struct strbuf *out, uint32_t node)
{
	const struct view_input *view = &grind->input->view;
	uint32_t stack;

	if (node & NODE_THREAD) {
		strbuf_adds(out, "[thread ");
		safe_text_add(out, profile_text(view->profile, node & ~NODE_THREAD));
		strbuf_addc(out, ']');
		return;
	}
	stack = grind->frames.nodes[node & NODE_FUNCTION];
	frame_text_add(out, view->profile,
		       &view->frames->frames[frame_table_of_stack(view->frames, view->profile, stack)], true);
	if (node >> LEVEL_SHIFT)
		strbuf_addf(out, "'%" PRIu32, (node >> LEVEL_SHIFT) + 1);
}

static bool is_node(const void *items, uint32_t item, const void *key)
{
	return ((const uint32_t *)items)[item] == *(const uint32_t *)key;
}

/* Numbers from 0. Sets `is_new` if the node has not been named yet. */
static uint32_t number_of(struct callgrind *grind, uint32_t node, bool *is_new)
{
	const uint64_t hash = hash_combine(0, node);
	const uint32_t known = hash_table_find(&grind->named_index, hash, is_node, grind->named, &node);

	*is_new = known == HASH_TABLE_NONE;
	if (!*is_new)
		return known;
	grind->named = array_grow(grind->named, &grind->named_capacity, grind->named_count + 1,
				  sizeof(*grind->named));
	grind->named[grind->named_count] = node;
	hash_table_insert(&grind->named_index, hash, (uint32_t)grind->named_count);
	return (uint32_t)grind->named_count++;
}

/* Adds KEY=(NUMBER) NAME, with the name only the first time. */
static void add_function(struct callgrind *grind, const char *key, uint32_t node)
{
	struct strbuf *out = &grind->out->text;
	bool is_new;
	const uint32_t number = number_of(grind, node, &is_new) + 1;

	strbuf_adds(out, key);
	strbuf_adds(out, "=(");
	strbuf_add_decimal(out, number, 0);
	strbuf_addc(out, ')');
	if (is_new) {
		strbuf_addc(out, ' ');
		add_node_name(grind, out, node);
	}
	strbuf_addc(out, '\n');
}

/* Object and source file of a function: of the caller, or of the callee of the next call. */
static void add_places(struct callgrind *grind, uint32_t node, bool is_callee)
{
	const struct profile *profile = grind->input->view.profile;
	const struct profile_location *location =
		node & NODE_THREAD ? NULL : location_of(grind, grind->frames.nodes[node & NODE_FUNCTION]);
	const char *object = "[unknown]", *file = "???";

	if (location && location->dso != PROFILE_NONE)
		object = profile_text(profile, profile_dso_at(profile, location->dso)->path);
	if (location && location->file)
		file = profile_text(profile, location->file);
	add_text(grind, is_callee ? "cob=" : "ob=", object);
	add_text(grind, is_callee ? "cfi=" : "fl=", file);
}

static void add_costs(struct callgrind *grind)
{
	struct strbuf *out = &grind->out->text;
	uint32_t node = PROFILE_NONE;

	for (size_t i = 0; i < grind->count; i++) {
		const struct cost *cost = &grind->costs[i];

		if (cost->node != node) {
			node = cost->node;
			strbuf_addc(out, '\n');
			add_places(grind, node, false);
			add_function(grind, "fn", node);
		}
		if (cost->callee != PROFILE_NONE) {
			add_places(grind, cost->callee, true);
			add_function(grind, "cfn", cost->callee);
			strbuf_adds(out, "calls=");
			strbuf_add_decimal(out, cost->calls, 0);
			strbuf_adds(out, " 0\n");
		}
		strbuf_add_decimal(out, cost->line, 0);
		strbuf_addc(out, ' ');
		strbuf_add_decimal(out, cost->weight, 0);
		strbuf_addc(out, '\n');
		export_out_flow(grind->out);
	}
}

/* Names of events are single words in this format. */
static void add_event_name(struct callgrind *grind)
{
	struct strbuf *out = &grind->out->text;
	const size_t from = out->size;

	safe_text_add(out, export_samples_type(grind->input, grind->input->event));
	for (size_t i = from; i < out->size; i++)
		if (out->bytes[i] == ' ' || out->bytes[i] == ':')
			out->bytes[i] = '_';
}

static void add_text_of_all(struct callgrind *grind)
{
	const struct profile_facts *facts = grind->input->view.facts;
	struct strbuf *out = &grind->out->text;

	strbuf_adds(out, "# callgrind format\nversion: 1\ncreator: xprof " XPROF_VERSION "\ncmd:");
	for (size_t i = 0; i < facts->command_line_count; i++) {
		strbuf_addc(out, ' ');
		safe_text_add(out, facts->command_line[i]);
	}
	strbuf_adds(out, "\npositions: line\nevents: ");
	add_event_name(grind);
	strbuf_addf(out, "\nsummary: %" PRIu64 "\n", grind->sum);
	add_costs(grind);
	strbuf_addf(out, "\ntotals: %" PRIu64 "\n", grind->sum);
}

static void write_callgrind(const struct export_input *input, struct export_out *out)
{
	struct callgrind grind = { .input = input, .out = out };
	bool *chosen = export_samples_chosen(input);
	struct sample_walk walk;
	uint32_t stamp = 0;

	export_frames_init(&grind.frames, input);
	hash_table_init(&grind.index);
	hash_table_init(&grind.named_index);
	sample_walk_init(&walk, input->view.profile, input->sums);
	while (sample_walk_next(&walk))
		if (chosen[walk.number])
			add_sample(&grind, &walk.sample, ++stamp);
	if (grind.count)
		qsort(grind.costs, grind.count, sizeof(*grind.costs), by_node);
	add_text_of_all(&grind);
	free(grind.named);
	free(grind.path);
	free(grind.costs);
	free(grind.seen);
	free(chosen);
	hash_table_fini(&grind.named_index);
	hash_table_fini(&grind.index);
	export_frames_fini(&grind.frames);
}

const struct export_format export_callgrind = {
	.name = "callgrind",
	.help = "for KCachegrind and callgrind_annotate: lines and calls",
	.file = "callgrind.out.xprof",
	.suffixes = ".callgrind",
	.traits = EXPORT_ONE_EVENT | EXPORT_SUMS | EXPORT_LINES,
	.write = write_callgrind,
};

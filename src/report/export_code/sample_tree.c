/* Functions, lines and calls are arrays, with parents by number and an index each; writing sorts them. */
#include "report/export_code/sample_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/str_pool.h"
#include "base/xalloc.h"

#define OUTERMOST UINT32_MAX

struct place {
	uint32_t of; /* the function that it is in, or OUTERMOST */
	uint32_t line, discriminator;
	uint32_t name; /* of what was inlined or called there; 0: of a line itself */
};

struct entry {
	struct place place;
	uint64_t count; /* of a function, its weight */
	uint64_t head;  /* of a function */
};

struct entries {
	struct entry *items;
	size_t count, capacity;
	struct hash_table index;
};

struct sample_tree {
	struct str_pool *names;
	struct entries functions, lines, calls;
};

struct sample_tree *sample_tree_create(void)
{
	struct sample_tree *tree = xcalloc(1, sizeof(*tree));

	tree->names = str_pool_create();
	hash_table_init(&tree->functions.index);
	hash_table_init(&tree->lines.index);
	hash_table_init(&tree->calls.index);
	return tree;
}

static void entries_fini(struct entries *entries)
{
	free(entries->items);
	hash_table_fini(&entries->index);
}

void sample_tree_destroy(struct sample_tree *tree)
{
	entries_fini(&tree->functions);
	entries_fini(&tree->lines);
	entries_fini(&tree->calls);
	str_pool_destroy(tree->names);
	free(tree);
}

/* --- adding ---------------------------------------------------------------------------------- */

static bool is_equal(const void *items, uint32_t item, const void *key)
{
	const struct place *a = &((const struct entry *)items)[item].place, *b = key;

	return a->of == b->of && a->line == b->line && a->discriminator == b->discriminator &&
	       a->name == b->name;
}

static uint32_t number_of(struct entries *entries, struct place place)
{
	const uint64_t hash = hash_combine(
		hash_combine((uint64_t)place.of << 32 | place.line, place.discriminator), place.name);
	uint32_t number = hash_table_find(&entries->index, hash, is_equal, entries->items, &place);

	if (number != HASH_TABLE_NONE)
		return number;
	number = (uint32_t)entries->count;
	*ARRAY_ADD(entries->items, entries->count, entries->capacity) = (struct entry){ .place = place };
	hash_table_insert(&entries->index, hash, number);
	return number;
}

static uint32_t outermost(struct sample_tree *tree, const char *name)
{
	return number_of(&tree->functions,
			 (struct place){ OUTERMOST, 0, 0, str_pool_add(tree->names, name) });
}

/* The function of the last site; adds `weight` to each function on the way. */
static uint32_t function_of(struct sample_tree *tree, const struct source_site *sites, size_t depth,
			    uint64_t weight)
{
	uint32_t function = outermost(tree, sites[0].function);

	tree->functions.items[function].count += weight;
	for (size_t i = 1; i < depth; i++) {
		function = number_of(&tree->functions,
				     (struct place){ function, sites[i - 1].line, sites[i - 1].discriminator,
						     str_pool_add(tree->names, sites[i].function) });
		tree->functions.items[function].count += weight;
	}
	return function;
}

static struct entry *line_of(struct sample_tree *tree, uint32_t function, const struct source_site *site)
{
	const uint32_t number =
		number_of(&tree->lines, (struct place){ function, site->line, site->discriminator, 0 });

	return &tree->lines.items[number];
}

void sample_tree_add(struct sample_tree *tree, const struct source_site *sites, size_t depth, uint64_t count,
		     uint64_t weight)
{
	struct entry *line = line_of(tree, function_of(tree, sites, depth, weight), &sites[depth - 1]);

	if (line->count < count)
		line->count = count;
}

void sample_tree_add_call(struct sample_tree *tree, const struct source_site *sites, size_t depth,
			  const char *callee, uint64_t count)
{
	const struct source_site *site = &sites[depth - 1];
	const uint32_t function = function_of(tree, sites, depth, 0);
	const uint32_t call =
		number_of(&tree->calls, (struct place){ function, site->line, site->discriminator,
							str_pool_add(tree->names, callee) });

	(void)line_of(tree, function, site);
	tree->calls.items[call].count += count;
}

void sample_tree_add_head(struct sample_tree *tree, const char *function, uint64_t count)
{
	const uint32_t number = outermost(tree, function);

	tree->functions.items[number].head += count;
}

/* --- writing ----------------------------------------------------------------------------------- */

struct writing {
	struct sample_tree *tree;
	const struct entry **lines, **calls,
		**functions; /* sorted by function that they are in, line, discriminator */
	struct strbuf *out;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *left = &(*(const struct entry *const *)a)->place,
			   *right = &(*(const struct entry *const *)b)->place;

	if (left->of != right->of)
		return left->of < right->of ? -1 : 1;
	if (left->line != right->line)
		return left->line < right->line ? -1 : 1;
	if (left->discriminator != right->discriminator)
		return left->discriminator < right->discriminator ? -1 : 1;
	return left->name < right->name ? -1 : left->name > right->name;
}

static const struct entry **sort(const struct entries *entries)
{
	const struct entry **sorted = xmalloc((entries->count + 1) * sizeof(*sorted));

	for (size_t i = 0; i < entries->count; i++)
		sorted[i] = &entries->items[i];
	sorted[entries->count] = NULL;
	if (entries->count)
		qsort(sorted, entries->count, sizeof(*sorted), compare_places);
	return sorted;
}

static int compare_weights(const void *a, const void *b)
{
	const struct entry *left = *(const struct entry *const *)a, *right = *(const struct entry *const *)b;

	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	return left < right ? -1 : left > right;
}

/* The first entry in the function. */
static const struct entry **first_of(const struct entry **sorted, size_t count, uint32_t function)
{
	size_t first = 0, end = count;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (sorted[middle]->place.of < function)
			first = middle + 1;
		else
			end = middle;
	}
	return sorted + first;
}

static void add_indent(struct strbuf *out, unsigned int depth)
{
	while (depth--)
		strbuf_addc(out, ' ');
}

static void add_site(struct strbuf *out, const struct place *place)
{
	strbuf_addf(out, "%" PRIu32, place->line);
	if (place->discriminator)
		strbuf_addf(out, ".%" PRIu32, place->discriminator);
	strbuf_adds(out, ": ");
}

static bool is_same_site(const struct place *a, const struct place *b)
{
	return a->of == b->of && a->line == b->line && a->discriminator == b->discriminator;
}

/* The line ran at least as often as it called: the calling instruction is part of it. */
static void add_line(const struct writing *writing, const struct entry *line)
{
	const struct entry **calls = first_of(writing->calls, writing->tree->calls.count, line->place.of),
			   **call;
	uint64_t called = 0;

	for (call = calls; *call && (*call)->place.of == line->place.of; call++)
		called += is_same_site(&(*call)->place, &line->place) ? (*call)->count : 0;
	add_site(writing->out, &line->place);
	strbuf_addf(writing->out, "%" PRIu64, line->count > called ? line->count : called);
	for (call = calls; *call && (*call)->place.of == line->place.of; call++)
		if (is_same_site(&(*call)->place, &line->place))
			strbuf_addf(writing->out, " %s:%" PRIu64,
				    str_pool_text(writing->tree->names, (*call)->place.name), (*call)->count);
	strbuf_addc(writing->out, '\n');
}

static void add_body(const struct writing *writing, uint32_t function, unsigned int depth)
{
	const struct sample_tree *tree = writing->tree;
	const struct entry **at = first_of(writing->lines, tree->lines.count, function);

	for (; *at && (*at)->place.of == function; at++) {
		add_indent(writing->out, depth);
		add_line(writing, *at);
	}
	if (depth == SITE_MAX_DEPTH)
		return;
	for (at = first_of(writing->functions, tree->functions.count, function);
	     *at && (*at)->place.of == function; at++) {
		add_indent(writing->out, depth);
		add_site(writing->out, &(*at)->place);
		strbuf_addf(writing->out, "%s:%" PRIu64 "\n", str_pool_text(tree->names, (*at)->place.name),
			    (*at)->count);
		add_body(writing, (uint32_t)(*at - tree->functions.items), depth + 1);
	}
}

void sample_tree_write(struct sample_tree *tree, struct strbuf *out)
{
	const struct writing writing = { .tree = tree,
					 .lines = sort(&tree->lines),
					 .calls = sort(&tree->calls),
					 .functions = sort(&tree->functions),
					 .out = out };
	const struct entry **outer = first_of(writing.functions, tree->functions.count, OUTERMOST);
	const size_t count = tree->functions.count - (size_t)(outer - writing.functions);

	if (count)
		qsort(outer, count, sizeof(*outer), compare_weights);
	for (size_t i = 0; i < count; i++) {
		strbuf_addf(out, "%s:%" PRIu64 ":%" PRIu64 "\n",
			    str_pool_text(tree->names, outer[i]->place.name), outer[i]->count,
			    outer[i]->head);
		add_body(&writing, (uint32_t)(outer[i] - tree->functions.items), 1);
	}
	free(writing.lines);
	free(writing.calls);
	free(writing.functions);
}

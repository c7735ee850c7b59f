/*
 * Small rules that decide how a picture looks. A shade is a hash of the function's name, so a function has the same colour in
 * every picture; the layout takes two passes over the nodes, callers first and back.
 */
#include "report/flame/flame_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "profile/event_unit.h"

enum { SHADES = 4 };

const char *const flame_kind_names[FLAME_KIND_COUNT] = {
	[FLAME_GROUP] = "group",     [FLAME_USER] = "user",       [FLAME_KERNEL] = "kernel",
	[FLAME_JIT] = "JIT",         [FLAME_INLINED] = "inlined", [FLAME_GUESSED] = "guessed",
	[FLAME_UNKNOWN] = "unknown",
};

const char *const flame_color_names[] = { "kind", "hot", "gray", NULL };

const char flame_kind_letters[FLAME_KIND_COUNT + 1] = "gukjian";

void flame_color_class(char class_name[3], const struct flame_frame *frame)
{
	class_name[0] = flame_kind_letters[frame->kind];
	class_name[1] = (char)('0' + hash_bytes(frame->name, strlen(frame->name)) % SHADES);
	class_name[2] = '\0';
}

/* As JavaScript's Number(x.toPrecision(3)): three digits, without zeros at the end. */
static void add_three_digits(struct strbuf *out, double value)
{
	strbuf_addf(out, value < 1000 ? "%.3g" : "%.0f", value);
}

static void add_time(struct strbuf *out, uint64_t ns)
{
	static const struct {
		uint64_t size_ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "\xc2\xb5s" }, { 1, "ns" } };
	size_t unit = 0;

	while (unit + 1 < sizeof(units) / sizeof(*units) && ns < units[unit].size_ns)
		unit++;
	add_three_digits(out, (double)ns / (double)units[unit].size_ns);
	strbuf_addf(out, " %s", units[unit].name);
}

void flame_amount_add(struct strbuf *out, uint64_t weight, const char *unit)
{
	static const char prefixes[] = " kMGTPE";
	double value = (double)weight;
	size_t power = 0;

	if (event_unit_is_clock(unit) || !strcmp(unit, "nanoseconds")) {
		add_time(out, weight);
		return;
	}
	while (weight >= 10000 && value >= 999.5 && prefixes[power + 1]) {
		value /= 1000;
		power++;
	}
	add_three_digits(out, value);
	if (power)
		strbuf_addf(out, " %c", prefixes[power]);
	strbuf_addf(out, " %s", unit);
}

static bool is_inlined(const struct call_tree *tree, uint32_t node)
{
	return call_tree_at(tree, node)->key % FLAME_KIND_COUNT == FLAME_INLINED;
}

static uint64_t self_of_inlined(const struct call_tree *tree, uint32_t parent)
{
	uint64_t sum = 0;

	for (uint32_t node = call_tree_at(tree, parent)->first_child; node != CALL_TREE_NONE;
	     node = call_tree_at(tree, node)->next_sibling)
		if (is_inlined(tree, node))
			sum += call_tree_at(tree, node)->self_weight + self_of_inlined(tree, node);
	return sum;
}

uint64_t flame_self_weight(const struct call_tree *tree, uint32_t node)
{
	const struct call_node *at = call_tree_at(tree, node);

	if (is_inlined(tree, node) && at->parent != CALL_TREE_NONE)
		return 0;
	return at->self_weight + self_of_inlined(tree, node);
}

static void place_siblings(struct flame_layout *layout, const struct call_tree *tree, uint32_t first,
			   uint64_t start, uint32_t depth)
{
	uint32_t node;

	for (node = first; node != CALL_TREE_NONE; node = call_tree_at(tree, node)->next_sibling) {
		layout->start[node] = start;
		layout->depth[node] = depth;
		start += call_tree_at(tree, node)->total_weight;
	}
	if (first != CALL_TREE_NONE && depth > layout->height)
		layout->height = depth;
}

/* Parents have lower numbers than their children, so one pass up places the nodes and one pass down counts them. */
void flame_layout_init(struct flame_layout *layout, const struct flame_graph *graph)
{
	const struct call_tree *tree = graph->tree;
	uint32_t count = call_tree_node_count(tree), node;
	size_t room = (size_t)count + 1;

	*layout = (struct flame_layout){
		.start = xmalloc(room * sizeof(*layout->start)),
		.depth = xmalloc(room * sizeof(*layout->depth)),
		.frames = xmalloc(room * sizeof(*layout->frames)),
	};
	place_siblings(layout, tree, call_tree_first(tree), 0, 1);
	for (node = 0; node < count; node++) {
		place_siblings(layout, tree, call_tree_at(tree, node)->first_child, layout->start[node],
			       layout->depth[node] + 1);
		layout->frames[node] = 1;
	}
	while (node--) {
		uint32_t parent = call_tree_at(tree, node)->parent;

		if (parent != CALL_TREE_NONE)
			layout->frames[parent] += layout->frames[node];
	}
}

void flame_layout_fini(struct flame_layout *layout)
{
	free(layout->start);
	free(layout->depth);
	free(layout->frames);
}

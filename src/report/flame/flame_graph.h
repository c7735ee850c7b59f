#ifndef XPROF_REPORT_FLAME_FLAME_GRAPH_H
#define XPROF_REPORT_FLAME_FLAME_GRAPH_H

/*
 * The contents of a flame graph: sums over stacks, grouped first by the requested groups (command, process ...), then by frames
 * from the root to the leaf or in reverse. It is filled from a profile or from folded text. Pictures read nothing else, so they
 * show the same sums.
 *
 * Names are clean (web_text.h): any bytes may come in; only text that a picture can show goes out.
 *
 *     flame_graph_init(&graph, false);
 *     flame_graph_add_folded(&graph, stdin);
 *     flame_graph_sort(&graph);
 *     flame_svg_render(&page, &svg);    (page.graph is this one)
 */

#include <stdbool.h>
#include <stdio.h>

#include "base/str_pool.h"
#include "profile/call_tree.h"
#include "report/flame/flame_groups.h"
#include "report/view/view.h"

/* Kinds of frames that pictures distinguish. FLAME_UNKNOWN: the function is unknown. */
enum flame_kind {
	FLAME_GROUP,
	FLAME_USER,
	FLAME_KERNEL,
	FLAME_JIT,
	FLAME_INLINED,
	FLAME_GUESSED,
	FLAME_UNKNOWN,
	FLAME_KIND_COUNT,
};

struct flame_recipe {
	enum flame_group by[FLAME_GROUP_COUNT]; /* outermost first */
	size_t by_count;
	enum stack_weight weight;
	bool other_events; /* nodes without weight for the stacks of events that are not selected */
};

struct flame_graph {
	struct str_pool *texts; /* a frame's name, a NUL, and its DSO */
	struct call_tree *tree; /* keys: number of the text * FLAME_KIND_COUNT + kind */
	bool reversed;          /* stacks begin with the leaf */
};

struct flame_frame {
	const char *name;
	const char *dso; /* "": unknown, or this is a group */
	enum flame_kind kind;
};

void flame_graph_init(struct flame_graph *graph, bool reversed);
void flame_graph_fini(struct flame_graph *graph);

/*
 * Adds the samples that pass the input's selection. If it selects several events, their weights are added. Stores in `leaves`,
 * by sample of the profile, the node at which the sample ends, or CALL_TREE_NONE if it was left out; may be NULL.
 */
void flame_graph_add_profile(struct flame_graph *graph, const struct view_input *input,
			     const struct flame_recipe *recipe, uint32_t *leaves);

/*
 * Adds lines "a;b;c WEIGHT" of any tool. _[k], _[j] and _[i] after a frame give its kind. Fractions of weights are rounded. A
 * unit of weight counts as a sample, because lines say no more. Returns the number of lines that were skipped, because they are
 * not stacks.
 */
uint64_t flame_graph_add_folded(struct flame_graph *graph, FILE *text);

/* Call it after the last addition: sorts siblings, the largest first, so that frames too narrow to draw are adjacent. */
void flame_graph_sort(struct flame_graph *graph);

static inline uint32_t flame_graph_key(uint32_t text, enum flame_kind kind)
{
	return text * FLAME_KIND_COUNT + (uint32_t)kind;
}

/* The key of a frame. The name and the DSO ("": none) are clean text. */
uint32_t flame_graph_add_key(struct flame_graph *graph, const char *name, const char *dso,
			     enum flame_kind kind);

/* The frame of a key. Strings live as long as the graph. */
struct flame_frame flame_graph_frame(const struct flame_graph *graph, uint32_t key);

/*
 * The next node in an order in which callers come before their callees; with `down` false the callees of `node` are skipped.
 * CALL_TREE_NONE after the last node.
 */
uint32_t flame_graph_next(const struct flame_graph *graph, uint32_t node, bool down);

#endif

#ifndef XPROF_REPORT_FLAME_FLAME_GRAPH_H
#define XPROF_REPORT_FLAME_FLAME_GRAPH_H

/*
 * The contents of a flame graph: stacks added up, first by the groups asked for (command, process ...), then
 * from the root to the leaf or the other way round. It is filled from a profile or from folded text; pictures
 * read nothing else, so they show the same sums.
 *
 * Names in it are clean (web_text.h): any bytes may come in, only text that a
 * picture can show goes out.
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

/* Told apart in pictures. Unknown: no function is known there. */
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
	struct str_pool *texts; /* a frame's name, and its DSO behind a NUL */
	struct call_tree *tree; /* keys: number of the text * FLAME_KIND_COUNT + kind */
	bool reversed;          /* stacks begin with the leaf */
};

struct flame_frame {
	const char *name;
	const char *dso; /* "": not known, or not a frame */
	enum flame_kind kind;
};

void flame_graph_init(struct flame_graph *graph, bool reversed);
void flame_graph_fini(struct flame_graph *graph);

/*
 * The samples that the input's selection leaves; of all its events, which are one as a rule. `leaves` gets, by sample
 * of the profile, the node that it ends at, CALL_TREE_NONE for those that are left out. May be NULL.
 */
void flame_graph_add_profile(struct flame_graph *graph, const struct view_input *input,
			     const struct flame_recipe *recipe, uint32_t *leaves);

/*
 * Lines "a;b;c WEIGHT" of any tool; _[k], _[j] and _[i] behind a frame give its kind, weights may have a fraction,
 * which is rounded. A sample is a unit of weight, for lines do not say more. Returns how many lines were no stacks
 * and were left out.
 */
uint64_t flame_graph_add_folded(struct flame_graph *graph, FILE *text);

/* After the last addition: largest first, so that what is too narrow to draw lies side by side. */
void flame_graph_sort(struct flame_graph *graph);

static inline uint32_t flame_graph_key(uint32_t text, enum flame_kind kind)
{
	return text * FLAME_KIND_COUNT + (uint32_t)kind;
}

/* The key of such a frame; the name and the DSO ("": none) are clean. */
uint32_t flame_graph_add_key(struct flame_graph *graph, const char *name, const char *dso,
			     enum flame_kind kind);

/* Of a node of the tree; strings live as long as the graph. */
struct flame_frame flame_graph_frame(const struct flame_graph *graph, uint32_t key);

/*
 * The node after this one when callers come before what they call; `down` false leaves out what the node calls.
 * CALL_TREE_NONE: it was the last.
 */
uint32_t flame_graph_next(const struct flame_graph *graph, uint32_t node, bool down);

#endif

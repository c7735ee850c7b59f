#ifndef XPROF_REPORT_FLAME_FLAME_PAGE_H
#define XPROF_REPORT_FLAME_FLAME_PAGE_H

/* Everything a picture of a flame graph needs beside the graph, in any file format. */

#include "report/flame/flame_blocks.h"
#include "report/flame/flame_diff.h"
#include "report/flame/flame_graph.h"
#include "report/flame/flame_samples.h"

enum flame_colors {
	FLAME_COLORS_KIND, /* kernel, user, JIT ... apart, safe for colour-blind readers */
	FLAME_COLORS_HOT,  /* user code as in the classic pictures */
	FLAME_COLORS_GRAY,
};
extern const char *const flame_color_names[]; /* choices of an option, and classes of pages */

/* Samples of the recording, as trust_header.h has them. */
struct flame_trust {
	uint64_t samples;
	uint64_t lost;
	uint64_t throttled;  /* times */
	uint64_t truncated;  /* whose stack ends before the start of its thread */
	uint64_t unresolved; /* whose function has no name */
};

struct flame_page {
	const struct flame_graph *graph; /* sorted */
	const struct flame_diff *diff;   /* colours are by it; NULL: nothing to compare with */
	const char *title;               /* any bytes */
	const char *about; /* how far it can be trusted, in lines; any bytes; "": nothing is known */
	const char *unit;  /* the event that weights are of, "cycles"; any bytes */
	const char *
		measures; /* of imported events, by their names: the words behind weights, as a JSON object; NULL: of none */
	const char *measure; /* of the page's event; NULL: a recording's, or samples are counted */
	const char
		*command; /* that prints the same numbers, as flame_command.h has it; "null": there is none */
	const struct flame_samples *samples; /* for a page to choose and group by itself; NULL: not known */
	const struct flame_blocks *blocks;   /* of functions; NULL: no branches were recorded */
	const enum flame_group *by;          /* how the graph is grouped */
	size_t by_count;
	struct flame_trust trust;
	enum stack_weight weight;
	bool reversed;       /* a page begins with stacks that begin with the leaf; the graph does not */
	double min_width_px; /* frames below that share of 1200 pixels are added up in one */
	bool inverted;       /* callers on top */
	enum flame_colors colors;
};

/* Numbers of the page's frames that a picture needs, for all nodes at once. */
struct flame_layout {
	uint64_t *start;  /* by node: where it begins, in weight from the left */
	uint32_t *depth;  /* by node: 1 for first steps; 0 is the frame of everything */
	uint32_t *frames; /* by node: how many it stands for, itself and those above */
	uint32_t height;  /* the largest depth; 0: there are no nodes */
};

/* "1.86 s" for the nanoseconds of a clock event, "2.3 G cycles" for counts; FlameModel.amount() does the same. */
void flame_amount_add(struct strbuf *out, uint64_t weight, const char *unit);

/*
 * The self weight of a node, as reports count it: samples in functions inlined into it count; an inlined
 * function itself has none.
 */
uint64_t flame_self_weight(const struct call_tree *tree, uint32_t node);

void flame_layout_init(struct flame_layout *layout, const struct flame_graph *graph);
void flame_layout_fini(struct flame_layout *layout);

/* "u2": the letter of the kind and one of four shades, which a name always gets, as flame.css calls them. */
void flame_color_class(char class_name[3], const struct flame_frame *frame);

extern const char *const flame_kind_names[FLAME_KIND_COUNT]; /* for people: "kernel" */
extern const char flame_kind_letters[FLAME_KIND_COUNT + 1];

#endif

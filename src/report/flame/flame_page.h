#ifndef XPROF_REPORT_FLAME_FLAME_PAGE_H
#define XPROF_REPORT_FLAME_FLAME_PAGE_H

/* Everything that a picture of a flame graph needs besides the graph, in any file format. */

#include "report/flame/flame_blocks.h"
#include "report/flame/flame_diff.h"
#include "report/flame/flame_graph.h"
#include "report/flame/flame_samples.h"

enum flame_colors {
	FLAME_COLORS_KIND, /* kernel, user, JIT ... differ; safe for colour-blind readers */
	FLAME_COLORS_HOT,  /* user code as in classic flame graphs */
	FLAME_COLORS_GRAY,
};
extern const char *const flame_color_names[]; /* choices of an option, and classes of pages */

/* Sample counts of the recording, as in trust_header.h. */
struct flame_trust {
	uint64_t samples;
	uint64_t lost;
	uint64_t throttled;  /* times that sampling was throttled */
	uint64_t truncated;  /* samples whose stack ends before the start of its thread */
	uint64_t unresolved; /* samples whose function has no name */
};

struct flame_page {
	const struct flame_graph *graph; /* sorted */
	const struct flame_diff *diff;   /* decides the colours; NULL: nothing to compare with */
	const char *title;               /* any bytes */
	const char *about; /* lines that say how reliable the numbers are; any bytes; "": nothing is known */
	const char *unit;  /* the event of the weights, "cycles"; any bytes */
	const char *measures; /* units of imported events by name, as a JSON object; NULL: no imported events */
	const char *measure; /* unit of the page's event; NULL: it was recorded, or samples are counted */
	/* options of the report with the same numbers, see flame_command.h; "null": none */
	const char *command;
	const struct flame_samples *samples; /* lets the page filter and group; NULL: unknown */
	const struct flame_blocks *blocks;   /* basic blocks of functions; NULL: no branches were recorded */
	const enum flame_group *by;          /* groups of the graph, outermost first */
	size_t by_count;
	struct flame_trust trust;
	enum stack_weight weight;
	bool reversed;       /* the page first shows stacks from the leaf; the graph is from the root */
	double min_width_px; /* frames narrower than this, if the graph is 1200 pixels wide, are merged */
	bool inverted;       /* callers on top */
	enum flame_colors colors;
};

/* Numbers that a picture needs for each node. */
struct flame_layout {
	uint64_t *start;  /* by node: its left edge, in weight */
	uint32_t *depth;  /* by node: 1 for first steps; 0 is the frame of the whole graph */
	uint32_t *frames; /* by node: number of nodes in its subtree, itself included */
	uint32_t height;  /* the largest depth; 0: there are no nodes */
};

/* Appends "1.86 s" for nanoseconds of a clock event, "2.3 G cycles" for counts; FlameModel.amount() does the same. */
void flame_amount_add(struct strbuf *out, uint64_t weight, const char *unit);

/*
 * The self weight of a node as in reports: samples in functions that are inlined into it count, and an inlined function has
 * none.
 */
uint64_t flame_self_weight(const struct call_tree *tree, uint32_t node);

void flame_layout_init(struct flame_layout *layout, const struct flame_graph *graph);
void flame_layout_fini(struct flame_layout *layout);

/* The class in flame.css: the letter of the kind, and one of four shades that depends on the name: "u2". */
void flame_color_class(char class_name[3], const struct flame_frame *frame);

extern const char *const flame_kind_names[FLAME_KIND_COUNT]; /* shown to the user: "kernel" */
extern const char flame_kind_letters[FLAME_KIND_COUNT + 1];

#endif

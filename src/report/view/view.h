#ifndef XPROF_REPORT_VIEW_VIEW_H
#define XPROF_REPORT_VIEW_VIEW_H

/*
 * A view draws a selection of a profile. It reads nothing else: no files, no
 * environment, no command line. Output is collected in a buffer and written by
 * the command, so a view cannot fail.
 *
 *     view_table.render(&input, &table_options, &out);
 *     fwrite(out.bytes, 1, out.size, stdout);
 */

#include "base/strbuf.h"
#include "cli/color.h"
#include "profile/filter.h"
#include "profile/frame_table.h"
#include "profile/profile_facts.h"
#include "report/rows/hist.h"
#include "report/rows/source_text.h"

/* --percentage: shares refer to the rows shown, or to everything. */
enum percentage { PERCENTAGE_RELATIVE, PERCENTAGE_ABSOLUTE };
extern const char *const percentage_names[]; /* choices of an option */

/* --weight: stacks add up the periods of samples, or count them. */
enum stack_weight { STACK_WEIGHT_PERIOD, STACK_WEIGHT_SAMPLES };
extern const char *const stack_weight_names[];

struct selection {
	struct filter filter;
	uint32_t event; /* PROFILE_NONE: all, one after the other */
	bool relative;  /* shares refer to what is shown instead of everything */
	struct row_choice rows;
};

/* Where the output goes. */
struct canvas {
	struct color color;
	size_t columns; /* width of the terminal; 0: not a terminal, nothing is cut */
};

struct view_input {
	const struct profile *profile;
	const struct frame_table *frames; /* all frames of that profile */
	const struct selection *selection;
	const struct profile_facts *facts;  /* NULL: nothing is known of the recording */
	const struct source_texts *sources; /* for columns of source files and lines; else NULL */
	const uint32_t *parents;            /* this and keys: as in struct hist_options */
	const struct sample_keys *keys;
	struct canvas canvas;
};

struct view {
	const char *name;
	/* `options` is the struct that the view's own header declares. */
	void (*render)(const struct view_input *input, const void *options, struct strbuf *out);
};

extern const struct view view_table; /* struct table_options */
extern const struct view view_json;  /* likewise */
extern const struct view
	view_histogram; /* likewise; the event must be time off the CPU, or one that it was joined to */
extern const struct view view_folded; /* struct folded_options */
extern const struct view view_stacks; /* no options */

/* Is the event selected? */
static inline bool selection_has_event(const struct view_input *input, uint32_t event)
{
	return input->selection->event == PROFILE_NONE || input->selection->event == event;
}

#endif

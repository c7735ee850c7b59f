#ifndef XPROF_REPORT_FLAME_FLAME_PARTS_H
#define XPROF_REPORT_FLAME_FLAME_PARTS_H

/*
 * Parts that a page has only if its recording has something to show there. Their lines in the page's styles, scripts and markup
 * are between two lines that contain only a comment of their language:
 *
 *	<!-- begin lanes -->
 *	<!-- end lanes -->
 *
 * A page without the part is byte for byte the same as if the part did not exist.
 */

#include "base/strbuf.h"

enum flame_part {
	FLAME_PART_LANES = 1,  /* how each thread spent its time */
	FLAME_PART_BLOCKS = 2, /* the basic blocks of functions */
};

/* Appends the lines of `text` without these comment lines, and without parts that are not in the set `parts`. */
void flame_parts_add(struct strbuf *out, const char *text, unsigned int parts);

#endif

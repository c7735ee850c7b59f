#ifndef XPROF_REPORT_FLAME_FLAME_PARTS_H
#define XPROF_REPORT_FLAME_FLAME_PARTS_H

/*
 * Parts that a page has only where its recording has something to show there. Their lines in the page's styles, scripts and
 * markup stand between two lines that are nothing but comments of their language,
 *
 *	<!-- begin lanes -->
 *	<!-- end lanes -->
 *
 * so that a page without the part is the same, byte for byte, as if there were no such part.
 */

#include "base/strbuf.h"

enum flame_part {
	FLAME_PART_LANES = 1,  /* how each thread spent its time */
	FLAME_PART_BLOCKS = 2, /* the basic blocks of functions */
};

/* Appends the lines of `text`, without comments that begin or end a part, and without parts that are not in the set `parts`. */
void flame_parts_add(struct strbuf *out, const char *text, unsigned int parts);

#endif

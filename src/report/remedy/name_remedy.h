#ifndef XPROF_REPORT_REMEDY_NAME_REMEDY_H
#define XPROF_REPORT_REMEDY_NAME_REMEDY_H

/*
 * Explains why functions have no names, and gives the command that gets them, in one line per DSO.
 *
 *     if (name_remedies_brief(&line, &loaded, 1))
 *             printf("# names: %s\n", line.bytes);    (for gaps of at least 1% of the samples)
 */

#include "base/strbuf.h"
#include "report/load/profile_loader.h"

/*
 * Appends a line for each gap of at least `percent` of all samples, at most `most` lines (0: all): `prefix`,
 * share, DSO, reason, remedy. If it has printed any, a last line counts the gaps that were left out.
 * Returns the number of gaps printed.
 */
size_t name_remedies_render(struct strbuf *out, const struct loaded_profile *loaded, const char *prefix,
			    double percent, size_t most);

/*
 * Appends the largest of these gaps in one line without a newline: "all in PATH: reason, remedy". If there
 * are others, it says how to list them. Returns the number of gaps.
 */
size_t name_remedies_brief(struct strbuf *out, const struct loaded_profile *loaded, double percent);

/* Appends the view of --names: all gaps, with a heading. */
void name_remedies_summary(struct strbuf *out, const struct loaded_profile *loaded);

#endif

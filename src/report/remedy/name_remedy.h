#ifndef XPROF_REPORT_REMEDY_NAME_REMEDY_H
#define XPROF_REPORT_REMEDY_NAME_REMEDY_H

/*
 * Of functions without names: why they have none, and the command that brings them, in one line for each DSO.
 *
 *     if (name_remedies_brief(&line, &loaded, 1))
 *             printf("# names: %s\n", line.bytes);    (at least 1% of the samples are in functions without a name)
 */

#include "base/strbuf.h"
#include "report/load/profile_loader.h"

/*
 * Lines that begin with `prefix`, one for each gap of at least `percent` of all samples, `most` of them at
 * most (0: all): share, DSO, reason, remedy. A last line counts the gaps that were left out, if any were
 * printed. Returns how many there are.
 */
size_t name_remedies_render(struct strbuf *out, const struct loaded_profile *loaded, const char *prefix,
			    double percent, size_t most);

/*
 * The largest of these gaps in one line, which stands for itself: "all in PATH: reason, remedy", with where to read of the
 * others, if there are any. No newline. 0: there is none.
 */
size_t name_remedies_brief(struct strbuf *out, const struct loaded_profile *loaded, double percent);

/* The view of --names: everything, with a heading. */
void name_remedies_summary(struct strbuf *out, const struct loaded_profile *loaded);

#endif

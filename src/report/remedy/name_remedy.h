#ifndef XPROF_REPORT_REMEDY_NAME_REMEDY_H
#define XPROF_REPORT_REMEDY_NAME_REMEDY_H

/* Of functions without names: why they have none, and the command that brings them, in one line for each DSO. */

#include "base/strbuf.h"
#include "report/remedy/name_gaps.h"
#include "report/remedy/package_owner.h"

struct process_runtime;

struct name_remedies {
	const struct loaded_profile *loaded;
	const struct name_gaps *gaps;
	struct distribution distribution;
	bool has_servers;               /* DEBUGINFOD_URLS names some */
	struct package_query *packages; /* of the first gaps */
	size_t count;
	struct process_runtime *runtimes; /* by process, in order of pid */
	size_t runtime_count;
};

/*
 * For the first `count` of the gaps, whose packages are looked up; both arguments are borrowed. Where --symfs was given
 * it is the distribution there that is asked; of an archive, what was said where it was made.
 */
void name_remedies_init(struct name_remedies *remedies, const struct loaded_profile *loaded,
			const struct name_gaps *gaps, size_t count);
void name_remedies_fini(struct name_remedies *remedies);

/* "stripped: 'apt-get install NAME-dbgsym'": without the DSO's name, and without a newline. */
void name_remedy_add(struct strbuf *out, const struct name_remedies *remedies, size_t number);

/*
 * Lines that begin with `prefix`, one for each gap of at least `percent` of all samples, `most` of them at most (0: all):
 * share, DSO, reason, remedy. What is left out is counted in a last line, if there are any others. Returns how many there
 * are.
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

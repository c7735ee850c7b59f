#ifndef XPROF_REPORT_REMEDY_DOWNLOAD_PLAN_H
#define XPROF_REPORT_REMEDY_DOWNLOAD_PLAN_H

/*
 * The files that a debuginfod server could add to a profile: debug files of DSOs with functions that have no
 * names (or no source lines), and executables that are gone, without which their code cannot be unwound,
 * either.
 */

#include "elf/debug_file.h"
#include "report/load/profile_loader.h"

struct download_wish {
	const struct dso *dso; /* valid as long as the loaded profile */
	bool executable, debuginfo;
	uint64_t samples; /* number of samples that would gain from it */
};

struct download_plan {
	struct download_wish *wishes; /* most samples first */
	size_t count;
};

/*
 * Leaves out DSOs without a build-id and those in fewer than `percent` of all samples. With `lines` it also
 * includes debug files of DSOs that lack only source lines and inlined functions.
 */
void download_plan_make(struct download_plan *plan, const struct loaded_profile *loaded,
			const struct debug_file_search *search, double percent, bool lines);
void download_plan_fini(struct download_plan *plan);

#endif

#ifndef XPROF_SYMBOL_RECORDED_FILE_H
#define XPROF_SYMBOL_RECORDED_FILE_H

/*
 * The ELF file that a recording means: what lies at its path if that has the recorded build-id, else what a
 * process that had it mapped still sees, else the copy in perf's cache (~/.debug), else the one that a
 * debuginfod client has downloaded, else the debug file alone. A file that was replaced since is never taken,
 * nor one of this machine for one of another machine whose build-id is not known. If there is an archive,
 * only the archive is searched.
 */

#include <stdbool.h>

#include "elf/debug_file.h"
#include "symbol/file_presence.h"
#include "symbol/jitdump.h"

struct recorded_file {
	const char *path; /* as recorded, without symfs */
	struct build_id
		build_id; /* size 0: unknown, the file at `path` is believed, on the machine that was recorded */
	const uint32_t *pids; /* NULL, or processes that had it mapped; a 0 ends them */
	bool is_vdso;         /* read out of this process when the build-id agrees */
};

/* NULL with a one-line reason and its remedy in err. */
struct elf_file *recorded_file_open(const struct recorded_file *recorded,
				    const struct debug_file_search *search, struct error *err);

/* The file at `path` itself (without symfs; a module may be compressed), if it is the recorded one. */
struct elf_file *recorded_file_open_at(const struct recorded_file *recorded, const char *path,
				       struct error *err);

/* Is there more than a debug file? Only the file itself has code and unwind information. */
bool recorded_file_has_binary(const struct recorded_file *recorded, const struct debug_file_search *search);

/* Of what lies at the recorded path below the search's symfs, whatever else is known of the file. */
enum recorded_file_state recorded_file_state(const struct recorded_file *recorded,
					     const struct debug_file_search *search);

/* The jitdump file that process `pid` had mapped as `path`, as jitdump_open() finds it. */
struct jitdump *recorded_file_open_jitdump(const char *path, uint32_t pid,
					   const struct debug_file_search *search, struct error *err);

#endif

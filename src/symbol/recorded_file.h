#ifndef XPROF_SYMBOL_RECORDED_FILE_H
#define XPROF_SYMBOL_RECORDED_FILE_H

/*
 * Finds the ELF file that was recorded. In this order: the file at its path if that has the recorded
 * build-id, the file as a process that mapped it still sees it, the copy in perf's cache (~/.debug), the
 * download of a debuginfod client, the debug file alone. A file that was replaced since is never used, nor a
 * file of this machine for an unknown build-id of another machine. If there is an archive, only the archive
 * is searched.
 */

#include <stdbool.h>

#include "elf/debug_file.h"
#include "symbol/file_presence.h"
#include "symbol/jitdump.h"

struct recorded_file {
	const char *path; /* as recorded, without symfs */
	/* size 0: unknown; the file at `path` is used, if the recording was made on this machine */
	struct build_id build_id;
	const uint32_t *pids; /* processes that mapped it, ended by a 0; may be NULL */
	bool is_vdso;         /* read from this process if its build-id is the recorded one */
};

/* Returns NULL with a one-line reason and the remedy in err. */
struct elf_file *recorded_file_open(const struct recorded_file *recorded,
				    const struct debug_file_search *search, struct error *err);

/* Opens the file at `path` itself (without symfs; a module may be compressed) if it is the recorded one. */
struct elf_file *recorded_file_open_at(const struct recorded_file *recorded, const char *path,
				       struct error *err);

/*
 * Is the file itself available, not only its debug file? Only the file has code and all unwind information.
 */
bool recorded_file_has_binary(const struct recorded_file *recorded, const struct debug_file_search *search);

/* The state of the recorded path, below the search's symfs; other places are not considered. */
enum recorded_file_state recorded_file_state(const struct recorded_file *recorded,
					     const struct debug_file_search *search);

/* Opens the jitdump file that process `pid` mapped as `path`: see jitdump_open(). */
struct jitdump *recorded_file_open_jitdump(const char *path, uint32_t pid,
					   const struct debug_file_search *search, struct error *err);

#endif

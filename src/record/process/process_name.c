/*
 * If comm is another name, the command line is compared, too, because threads rename themselves and the
 * kernel cuts long names.
 */
#include "record/process/process_name.h"

#include <string.h>

#include "base/strbuf.h"
#include "record/machine/proc_file.h"

enum { COMM_LENGTH_MAX = 15 }; /* TASK_COMM_LEN without its terminator */

/* Whether comm equals the first `length` characters of the name. */
static bool is_comm(const char *proc, pid_t pid, const char *name, size_t length)
{
	struct strbuf comm = STRBUF_INIT;
	bool is_equal = false;

	if (proc_file_readf(&comm, NULL, "%s/%d/comm", proc, (int)pid) == 0 && comm.size)
		is_equal = strcspn(comm.bytes, "\n") == length && memcmp(comm.bytes, name, length) == 0;
	strbuf_fini(&comm);
	return is_equal;
}

/* A zero byte separates words. */
static bool is_program(const char *proc, pid_t pid, const char *name, bool may_be_script)
{
	struct strbuf words = STRBUF_INIT;
	bool is_equal = false;

	if (proc_file_readf(&words, NULL, "%s/%d/cmdline", proc, (int)pid) == 0 && words.size) {
		const size_t first = strlen(words.bytes);

		is_equal = strcmp(basename(words.bytes), name) == 0 ||
			   (may_be_script && first + 1 < words.size &&
			    strcmp(basename(words.bytes + first + 1), name) == 0);
	}
	strbuf_fini(&words);
	return is_equal;
}

bool process_name_is(const char *proc, pid_t pid, const char *name)
{
	const size_t length = strlen(name);

	if (length <= COMM_LENGTH_MAX)
		return is_comm(proc, pid, name, length) || is_program(proc, pid, name, false);
	return is_program(proc, pid, name, is_comm(proc, pid, name, COMM_LENGTH_MAX));
}

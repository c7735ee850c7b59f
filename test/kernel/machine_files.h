#ifndef XPROF_TEST_KERNEL_MACHINE_FILES_H
#define XPROF_TEST_KERNEL_MACHINE_FILES_H

/* The files of a played machine in /sys that a recorder reads: bound over the real files in a mount namespace of its own. */

#include "base/error.h"
#include "kernel/machine.h"
#include "kernel/play_script.h"

/* In the process that is to see them, whose children see them, too. `directory` is empty, and takes the files. */
int machine_files_bind(const struct machine *machine, const struct play_script *script, const char *directory,
		       struct error *err);

#endif

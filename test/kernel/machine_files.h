#ifndef XPROF_TEST_KERNEL_MACHINE_FILES_H
#define XPROF_TEST_KERNEL_MACHINE_FILES_H

/* The files of a played machine in /sys that a recorder reads: mounted over the real files in a mount namespace of its own. */

#include "base/error.h"
#include "kernel/machine.h"
#include "kernel/play_script.h"

/* Call it in the process that shall see them; its children see them, too. Writes the files into `directory`, which is empty. */
int machine_files_bind(const struct machine *machine, const struct play_script *script, const char *directory,
		       struct error *err);

#endif

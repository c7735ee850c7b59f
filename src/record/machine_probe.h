#ifndef XPROF_RECORD_MACHINE_PROBE_H
#define XPROF_RECORD_MACHINE_PROBE_H

/* 'xprof record --probe': finds out what this machine can record, and prints it. */

/* Prints to standard output. Returns the exit status: 0, or 1 if nothing can be recorded. */
int machine_probe_run(void);

#endif

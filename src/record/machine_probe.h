#ifndef XPROF_RECORD_MACHINE_PROBE_H
#define XPROF_RECORD_MACHINE_PROBE_H

/* 'xprof record --probe': asks this machine what recordings can have, and prints it. */

/* To standard output. Returns the exit status: 0, or 1 where nothing can be recorded at all. */
int machine_probe_run(void);

#endif

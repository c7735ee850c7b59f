#ifndef XPROF_RECORD_RECORDING_MESSAGES_H
#define XPROF_RECORD_RECORDING_MESSAGES_H

/* The messages of xprof record on standard error, except errors. */

#include "record/event/event_spec.h"
#include "record/recording.h"

/* With -v, when events are open: what is recorded, and how. */
void recording_messages_opened(const struct recording_summary *summary, const struct event_specs *specs);

/* With --switch-output, when a file is complete. */
void recording_messages_file(const struct recorded_file *file, void *context);

/* An answer to a command of --control: a list, or a remark. */
void recording_messages_say(const char *text, bool is_list);

/* At the end: what `output` contains, what was lost, and how to lose less. */
void recording_messages_summary(const struct recording_summary *summary, const char *output, bool verbose);

#endif

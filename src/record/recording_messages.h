#ifndef XPROF_RECORD_RECORDING_MESSAGES_H
#define XPROF_RECORD_RECORDING_MESSAGES_H

/* The messages of xprof record on standard error, besides errors. */

#include "record/event/event_spec.h"
#include "record/recording.h"

/* -v, once events are open. */
void recording_messages_opened(const struct recording_summary *summary, const struct event_specs *specs);

/* A file is complete (of --switch-output). */
void recording_messages_file(const struct recorded_file *file, void *context);

/* An answer to a command of --control: a list, or a remark. */
void recording_messages_say(const char *text, bool is_list);

/* At the end: what is in `output`, what was lost, and what would lose less. */
void recording_messages_summary(const struct recording_summary *summary, const char *output, bool verbose);

#endif

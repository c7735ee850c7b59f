#ifndef XPROF_REPORT_EXPORT_EXPORT_COMMAND_LINE_H
#define XPROF_REPORT_EXPORT_EXPORT_COMMAND_LINE_H

/* The options of xprof export, from which its help, manual page and completion are made. */

#include "report/export/export_options.h"

extern const struct option export_option_table[];
extern const struct export_options export_option_defaults;

void export_options_fini(struct export_options *options);

#endif

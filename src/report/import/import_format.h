#ifndef XPROF_REPORT_IMPORT_IMPORT_FORMAT_H
#define XPROF_REPORT_IMPORT_IMPORT_FORMAT_H

/* A format of another tool's profiles: how to recognise it, and how to read it into the model. */

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "report/import/import_model.h"

struct import_format {
	const char *name;    /* as in --format of `xprof export` */
	const char *summary; /* "pprof (profile.proto)" */
	/* Are these bytes, a whole uncompressed file, of this format? Must be fast, so look at few of them. */
	bool (*recognise)(const char *bytes, size_t size);
	/* Returns 0, or -1 if the file is damaged; err says where. Samples may have been added before that. */
	int (*read)(struct import_model *model, const char *bytes, size_t size, struct error *err);
};

extern const struct import_format import_pprof, import_otlp, import_speedscope, import_firefox,
	import_callgrind, import_perf_script, import_collapsed;

/* Returns NULL if the bytes are of no known format. */
const struct import_format *import_format_of(const char *bytes, size_t size);

#endif

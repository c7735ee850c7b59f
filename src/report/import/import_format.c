/* The formats; those that their first bytes identify most reliably come first. */
#include "report/import/import_format.h"

static const struct import_format *const formats[] = {
	&import_speedscope, &import_firefox,     &import_callgrind, &import_pprof,
	&import_otlp,       &import_perf_script, &import_collapsed,
};

const struct import_format *import_format_of(const char *bytes, size_t size)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (formats[i]->recognise(bytes, size))
			return formats[i];
	return NULL;
}

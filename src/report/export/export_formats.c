/* To add a format, list it here, and its name in export_format_names and EXPORT_FORMATS_TEXT. */
#include "report/export/export_formats.h"

#include <string.h>

static const struct export_format *const formats[] = {
	&export_pprof,       &export_firefox,   &export_otlp,        &export_speedscope,
	&export_chrome,      &export_callgrind, &export_perf_script, &export_collapsed,
	&export_csv,         &export_autofdo,   &export_llvm_sample, &export_profgen,
	&export_profgen_raw, &export_bolt,      &export_bolt_preagg,
};

const char *const export_format_names[] = {
	"pprof",       "firefox", "otlp",    "speedscope",  "chrome",       "callgrind",        "perf-script",
	"collapsed",   "csv",     "autofdo", "llvm-sample", "llvm-profgen", "llvm-profgen-raw", "bolt",
	"bolt-preagg", NULL,
};

enum { FORMAT_COUNT = sizeof(formats) / sizeof(formats[0]) };

static int fail(struct error *err, const char *name)
{
	struct strbuf list;

	strbuf_init(&list);
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		strbuf_addf(&list, "%s%s",
			    i == 0               ? "" :
			    i + 1 < FORMAT_COUNT ? ", " :
						   " and ",
			    formats[i]->name);
	if (name)
		error_set(err, "--format: '%s' is not one of %s", name, list.bytes);
	else
		error_set(err, "choose a format with --format=FORMAT: %s", list.bytes);
	strbuf_fini(&list);
	return -1;
}

static bool ends_in(const char *path, const char *suffixes)
{
	const size_t length = strlen(path);

	while (suffixes && *suffixes) {
		const size_t size = strcspn(suffixes, " ");

		if (length > size && strncmp(path + length - size, suffixes, size) == 0)
			return true;
		suffixes += size + (suffixes[size] == ' ');
	}
	return false;
}

const struct export_format *export_formats_choose(const char *name, const char *output, struct error *err)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (name ? strcmp(formats[i]->name, name) == 0 :
			   output && ends_in(output, formats[i]->suffixes))
			return formats[i];
	fail(err, name);
	return NULL;
}

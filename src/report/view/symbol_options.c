#include "report/view/symbol_options.h"

#include "report/load/profile_namer.h"

struct symbolizer_options symbol_options_symbolizer(const struct symbol_options *options,
						    const struct debug_downloads *downloads)
{
	return (struct symbolizer_options){
		.symfs = options->symfs,
		.debug_dirs = options->debug_dirs.items,
		.buildid_dir = options->buildid_dir,
		.debuginfod_cache = downloads ? debug_downloads_cache(downloads) : NULL,
		.kallsyms_path = options->kallsyms,
		.vmlinux_path = options->vmlinux,
		.cache = options->cache,
		.demangle = options->demangle,
	};
}

struct debug_downloads *symbol_options_downloads(const struct symbol_options *options, unsigned int detail,
						 bool quiet)
{
	return debug_downloads_create(
		&(struct debug_downloads_options){ .mode = options->debuginfod,
						   .limit_bytes = options->debuginfod_limit,
						   .quiet = quiet,
						   .lines = detail & NAMING_LINES,
						   .inlines = detail & NAMING_INLINES });
}

void symbol_options_fini(struct symbol_options *options)
{
	text_list_fini(&options->debug_dirs);
}

#include "report/symbol_options.h"

struct symbolizer_options symbol_options_symbolizer(const struct symbol_options *options)
{
	return (struct symbolizer_options){
		.symfs = options->symfs,
		.debug_dirs = options->debug_dirs.items,
		.kallsyms_path = options->kallsyms,
		.vmlinux_path = options->vmlinux,
		.cache = options->cache,
		.demangle = options->demangle,
	};
}

void symbol_options_fini(struct symbol_options *options)
{
	text_list_fini(&options->debug_dirs);
}

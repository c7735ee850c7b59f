/* Copies options, and converts them to those of elf/debug_file. */
#include "symbol/symbolizer_options.h"

static const char *copy_text(struct arena *arena, const char *text)
{
	return text ? arena_strdup(arena, text) : NULL;
}

static const char *const *copy_texts(struct arena *arena, const char *const *texts)
{
	const char **copies;
	size_t count = 0;

	while (texts[count])
		count++;
	copies = arena_alloc(arena, (count + 1) * sizeof(*copies));
	for (size_t i = 0; i < count; i++)
		copies[i] = arena_strdup(arena, texts[i]);
	copies[count] = NULL;
	return copies;
}

struct symbolizer_options symbolizer_options_copy(const struct symbolizer_options *options,
						  struct arena *arena)
{
	static const char *const default_debug_dirs[] = { "/usr/lib/debug", NULL };
	struct symbolizer_options copy = *options;

	copy.symfs = copy_text(arena, options->symfs ? options->symfs : "");
	copy.debuginfod_cache = copy_text(arena, options->debuginfod_cache);
	copy.kallsyms_path = copy_text(arena, options->kallsyms_path);
	copy.vmlinux_path = copy_text(arena, options->vmlinux_path);
	copy.kernel_release = copy_text(arena, options->kernel_release);
	copy.debug_dirs = copy_texts(arena, options->debug_dirs ? options->debug_dirs : default_debug_dirs);
	copy.buildid_dir = copy_text(arena, options->buildid_dir);
	return copy;
}

struct debug_file_search symbolizer_options_search(const struct symbolizer_options *options)
{
	return (struct debug_file_search){ .symfs = options->symfs,
					   .debug_dirs = options->debug_dirs,
					   .debuginfod_cache = options->debuginfod_cache,
					   .buildid_dir = options->buildid_dir,
					   .archive = options->archive,
					   .is_of_other_host = options->is_of_other_host &&
							       !(options->symfs && *options->symfs) };
}

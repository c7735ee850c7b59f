/*
 * The checks run before a recording is opened: a mistyped path is an error at once, with the option and a remedy in the
 * message. The rest copies options into the structs of the symbolizer and of the downloads.
 */
#include "report/view/symbol_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "report/names/profile_namer.h"

static int check_file(const char *option, const char *path, const char *remedy, struct error *err)
{
	struct stat st;

	if (!path)
		return 0;
	if (access(path, R_OK) || stat(path, &st))
		return error_set(err, "--%s: %s: %s: %s", option, path, strerror(errno), remedy);
	if (S_ISDIR(st.st_mode))
		return error_set(err, "--%s: %s is a directory: %s", option, path, remedy);
	return 0;
}

static int check_directory(const char *option, const char *path, const char *remedy, struct error *err)
{
	struct stat st;

	if (!path)
		return 0;
	if (stat(path, &st))
		return error_set(err, "--%s: %s: %s: %s", option, path, strerror(errno), remedy);
	if (!S_ISDIR(st.st_mode))
		return error_set(err, "--%s: %s is not a directory: %s", option, path, remedy);
	return 0;
}

static int take_layout(struct symbol_options *options, struct error *err)
{
	const char *comma = options->symfs ? strrchr(options->symfs, ',') : NULL;
	struct stat st;

	if (!comma || stat(options->symfs, &st) == 0)
		return 0;
	if (!strcmp(comma, ",flat"))
		return error_set(err,
				 "--symfs: xprof looks for files at their whole paths below the directory; "
				 "to find debug files by their build-ids use --debug-dir DIRECTORY");
	if (strcmp(comma, ",hierarchy") != 0)
		return 0;
	options->symfs_without_layout = xasprintf("%.*s", (int)(comma - options->symfs), options->symfs);
	options->symfs = options->symfs_without_layout;
	return 0;
}

int symbol_options_check(struct symbol_options *options, struct error *err)
{
	if (take_layout(options, err) ||
	    check_file("vmlinux", options->vmlinux, "name the vmlinux file of the recorded kernel", err) ||
	    check_file("kallsyms", options->kallsyms, "name a copy of /proc/kallsyms", err) ||
	    check_directory("symfs", options->symfs,
			    "name the directory below which the recorded machine's files are", err) ||
	    check_directory("buildid-dir", options->buildid_dir,
			    "name a directory like ~/.debug, with .build-id in it", err))
		return -1;
	for (size_t i = 0; i < options->debug_dirs.count; i++)
		if (check_directory("debug-dir", options->debug_dirs.items[i],
				    "name a directory like /usr/lib/debug", err))
			return -1;
	return 0;
}

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
	free(options->symfs_without_layout);
	options->symfs_without_layout = NULL;
}

/*
 * The kernel and its modules. Names come from a vmlinux that the user names, else from the kernel's list of symbols, else
 * from the ELF file of the recorded build; lines come from that file in any case.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "symbol/kernel_file.h"
#include "symbol/symbol_source.h"

struct kernel_symbols {
	struct symbol_source source;
	bool looked_for_elf;
	struct kallsyms *kallsyms; /* the list with the names; NULL: the names come from the ELF file */
	uint64_t relocation;       /* address in the list + relocation = recorded address */
	char *module; /* the module's name in the list, which has the symbols of all modules; NULL: the kernel */
};

/* "[snd_hda_codec]" and "/lib/modules/…/snd-hda-codec.ko.xz" both become "snd_hda_codec", the name in /proc/modules. */
static char *module_name(const char *path)
{
	const char *base = basename(path), *end;
	char *name;

	if (base[0] == '[')
		base++;
	end = strstr(base, ".ko");
	if (!end)
		end = strchrnul(base, ']');
	name = xstrndup(base, (size_t)(end - base));
	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	return name;
}

/* --- the ELF file ------------------------------------------------------------------------------------- */

static struct elf_file *open_file(const struct symbol_source *source, struct error *err)
{
	const struct symbol_object *object = source->object;
	const struct symbolizer_options *options = source->environment->options;
	const struct debug_file_search *search = source->environment->search;

	if (object->kind == DSO_MODULE)
		return kernel_file_open_module(object->path, &object->build_id, search, err);
	if (options->vmlinux_path)
		return kernel_file_open_named(options->vmlinux_path, &object->build_id, err);
	return kernel_file_open_vmlinux(&object->build_id, options->kernel_release, search, err);
}

static struct kernel_place *find_place(const struct kernel_symbols *kernel, struct elf_file *file)
{
	const struct symbol_object *object = kernel->source.object;
	struct kernel_place *place;
	char *sections;

	if (!kernel->module)
		return kernel_place_of_kernel(file, elf_symbols_debug_file(kernel->source.elf),
					      object->relocation_symbol, object->relocation_address);
	sections = xasprintf("/sys/module/%s/sections", kernel->module);
	place = kernel_place_of_module(
		file, object->relocation_address,
		kernel->source.environment->options->kernel_is_running_kernel ? sections : NULL);
	free(sections);
	return place;
}

static bool open_elf(struct kernel_symbols *kernel, struct error *err)
{
	struct elf_file *file;

	if (kernel->looked_for_elf)
		return kernel->source.elf;
	kernel->looked_for_elf = true;
	file = open_file(&kernel->source, err);
	if (!file)
		return false;
	kernel->source.elf = elf_symbols_open(file, kernel->source.environment->search);
	kernel->source.place = find_place(kernel, file);
	return true;
}

static void open_elf_for_lines(struct symbol_source *source)
{
	(void)open_elf((struct kernel_symbols *)source, NULL);
}

/* --- names ---------------------------------------------------------------------------------------------- */

static void take_list(struct kernel_symbols *kernel, struct kallsyms *kallsyms)
{
	kernel->kallsyms = kallsyms;
	if (kallsyms)
		symbol_source_set_origin(&kernel->source, kallsyms_path(kallsyms));
}

static void load_kernel_names(struct kernel_symbols *kernel)
{
	struct symbol_source *source = &kernel->source;
	const bool is_named = source->environment->options->vmlinux_path;

	if (is_named && open_elf(kernel, &source->why))
		symbol_source_read_elf(source, SYMBOL_MAP_INNERMOST);
	if (!source->origin)
		take_list(kernel, kernel_source_for_kernel(source->environment->kernel, &kernel->relocation,
							   &source->why));
	if (!source->origin && !is_named && open_elf(kernel, NULL))
		symbol_source_read_elf(source, SYMBOL_MAP_INNERMOST);
}

static void load_module_names(struct kernel_symbols *kernel)
{
	struct symbol_source *source = &kernel->source;
	struct kallsyms *kallsyms;

	kernel_source_want_whole(source->environment->kernel);
	kallsyms = kernel_source_for_modules(source->environment->kernel, &source->why);
	if (kallsyms && kallsyms_has_module(kallsyms, kernel->module)) {
		take_list(kernel, kallsyms);
		return;
	}
	if (kallsyms)
		error_set(&source->why,
			  "the module is no longer in %s, and its file is not installed: install the package "
			  "of the recorded kernel, or load the module and record again",
			  kallsyms_path(kallsyms));
	if (open_elf(kernel, NULL))
		symbol_source_read_elf(source, SYMBOL_MAP_INNERMOST);
}

static void load_names(struct symbol_source *source)
{
	struct kernel_symbols *kernel = (struct kernel_symbols *)source;

	if (kernel->module)
		load_module_names(kernel);
	else
		load_kernel_names(kernel);
	source->is_named_by_elf = source->is_named_by_elf && !kernel->kallsyms;
	source->form = kernel->kallsyms || source->is_named_by_elf ? OBJECT_FORM_NAMES : OBJECT_FORM_NONE;
}

static struct symbol_map_entry *find_name(struct symbol_source *source, uint64_t address,
					  uint64_t *map_address)
{
	struct kernel_symbols *kernel = (struct kernel_symbols *)source;
	struct symbol_map_entry *entry;

	if (source->is_named_by_elf)
		return symbol_source_find_in_elf(source, address, map_address);
	if (!kernel->kallsyms)
		return NULL;
	*map_address = address - kernel->relocation;
	if (!kallsyms_covers(kernel->kallsyms, *map_address)) {
		kernel_source_want_whole(source->environment->kernel);
		kernel->kallsyms = kernel_source_for_kernel(source->environment->kernel, &kernel->relocation,
							    &source->why);
	}
	entry = symbol_map_find(kallsyms_map(kernel->kallsyms), *map_address);
	if (entry && kernel->module &&
	    strcmp(kallsyms_module(kernel->kallsyms, entry->group), kernel->module) != 0)
		return NULL;
	return entry;
}

static void fini(struct symbol_source *source)
{
	free(((struct kernel_symbols *)source)->module);
}

struct symbol_source *symbol_source_of_kernel(const struct symbol_environment *environment,
					      const struct symbol_object *object)
{
	static const struct symbol_source_kind kind = {
		.load = load_names, .find = find_name, .open_elf = open_elf_for_lines, .fini = fini
	};
	struct kernel_symbols *kernel = xcalloc(1, sizeof(*kernel));

	kernel->source =
		(struct symbol_source){ .kind = &kind, .environment = environment, .object = object };
	if (object->kind == DSO_MODULE)
		kernel->module = module_name(object->path);
	return &kernel->source;
}

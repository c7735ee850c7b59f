/*
 * Adds what the recording says to the user's options: whose machine it is, its kernel, its perf maps, and the symbols that
 * simpleperf writes into the features FILE and FILE2.
 */
#include "report/load/recorded_names.h"

#include "format/perf_abi.h"
#include "format/simpleperf_file.h"
#include "report/load/file_facts.h"
#include "report/load/recorded_host.h"
#include "report/load/recorded_maps.h"
#include "symbol/symbol_lists.h"

static enum symbol_list_kind kind_of(uint32_t type)
{
	switch (type) {
	case SIMPLEPERF_FILE_ELF: return SYMBOL_LIST_ELF;
	case SIMPLEPERF_FILE_KERNEL_MODULE: return SYMBOL_LIST_MODULE;
	default: return SYMBOL_LIST_PLAIN;
	}
}

static void add_files(struct symbol_lists *lists, struct byte_reader feature, bool is_message)
{
	struct simpleperf_symbol symbol;
	struct simpleperf_file file;

	while (simpleperf_file_next(&feature, is_message, &file) == 1) {
		symbol_lists_add_file(lists, &(struct symbol_list_file){ .path = file.path.bytes,
									 .path_size = file.path.size,
									 .kind = kind_of(file.type),
									 .min_vaddr = file.min_vaddr,
									 .has_place = file.has_place,
									 .place = file.place });
		while (simpleperf_symbol_next(&file, &symbol) == 1)
			symbol_lists_add_symbol(lists, symbol.name.bytes, symbol.name.size, symbol.vaddr,
						symbol.size_bytes);
	}
}

/* NULL if the recording has none. */
static struct symbol_lists *lists_of(const struct perf_file *file)
{
	struct byte_reader structures = perf_file_feature_bytes(file, HEADER_SIMPLEPERF_FILE);
	struct byte_reader messages = perf_file_feature_bytes(file, HEADER_SIMPLEPERF_FILE2);
	struct symbol_lists *lists;

	if (byte_reader_left(&structures) == 0 && byte_reader_left(&messages) == 0)
		return NULL;
	lists = symbol_lists_create();
	add_files(lists, structures, false);
	add_files(lists, messages, true);
	return lists;
}

static bool is_of_other_host(const struct perf_file *file)
{
	return recorded_host_of(perf_file_features(file)) == RECORDED_HOST_OTHER;
}

struct debug_file_search recorded_names_search(const struct perf_file *file,
					       const struct symbolizer_options *options)
{
	struct symbolizer_options known = *options;

	known.is_of_other_host = is_of_other_host(file);
	return symbolizer_options_search(&known);
}

struct symbolizer *recorded_names_symbolizer(struct perf_file *file, const struct symbolizer_options *options)
{
	struct symbolizer_options known = *options;

	if (!known.kernel_is_running_kernel)
		known.kernel_is_running_kernel = file_facts_is_this_machine(file);
	known.is_of_other_host = is_of_other_host(file);
	known.kernel_release = perf_file_features(file)->os_release;
	known.lists = lists_of(file);
	known.perf_maps = recorded_maps_source(file);
	return symbolizer_create(&known);
}

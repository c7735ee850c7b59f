/*
 * Adds what the recording says to the user's options: whose machine it is, its kernel, its perf maps, and the symbols that
 * simpleperf writes into the features FILE and FILE2.
 */
#include "report/load/recorded_names.h"

#include "format/map_piece.h"
#include "format/perf_abi.h"
#include "format/perf_file.h"
#include "format/simpleperf_file.h"
#include "report/load/file_facts.h"
#include "report/load/recorded_host.h"
#include "symbol/symbol_lists.h"
#include "symbol/symbolizer.h"

/* --- the perf maps that are stored in a recording -------------------------------------------------------- */

/* As for a perf map read from a file. Also limits what a damaged recording can unpack to. */
enum { TEXT_MAX_BYTES = 1 << 30 };

/* Joins pieces in the order of the file: if the process was recorded twice, the later code wins. */
static char *text_of(void *context, uint32_t pid, size_t *size_bytes, bool *whole)
{
	struct map_piece piece;
	struct strbuf text;
	size_t position = 0;
	bool cut = false;

	strbuf_init(&text);
	*whole = false;
	while (map_piece_next(context, &position, &piece) == 1) {
		if (piece.pid != pid)
			continue;
		cut |= piece.flags & MAP_PIECE_CUT || text.size + piece.text_size > TEXT_MAX_BYTES ||
		       !map_piece_add_text(&piece, &text);
		*whole = piece.flags & MAP_PIECE_LAST;
	}
	*whole &= !cut;
	*size_bytes = text.size;
	if (text.size)
		return strbuf_detach(&text);
	strbuf_fini(&text);
	return NULL;
}

/* Valid as long as the file is open. Thread-safe after the last record was read. */
static struct perf_map_source recorded_maps_source(struct perf_file *file)
{
	return (struct perf_map_source){ .text = text_of,
					 .context = file,
					 .recorded_until_s = perf_file_modified_s(file) };
}

/* --- symbols that are stored in it, and its machine ------------------------------------------------------ */

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

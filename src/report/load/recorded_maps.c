/* Joins the pieces of one process's map, 1 GiB of text at most. */
#include "report/load/recorded_maps.h"

#include "format/map_piece.h"

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

struct perf_map_source recorded_maps_source(struct perf_file *file)
{
	return (struct perf_map_source){ .text = text_of,
					 .context = file,
					 .recorded_until_s = perf_file_modified_s(file) };
}

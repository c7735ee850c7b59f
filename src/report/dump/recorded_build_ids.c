/* There are only some hundred paths, so a linear search finds duplicates. */
#include "report/dump/recorded_build_ids.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/event.h"

void recorded_build_ids_add(struct recorded_build_ids *ids, const struct build_id *id, const char *path)
{
	for (size_t i = 0; i < ids->count; i++)
		if (build_id_equal(&ids->items[i].id, id) && strcmp(ids->items[i].path, path) == 0)
			return;
	*ARRAY_ADD(ids->items, ids->count, ids->capacity) =
		(struct recorded_build_id){ .id = *id, .path = xstrdup(path) };
}

static void add_bytes(struct recorded_build_ids *ids, const uint8_t *bytes, size_t size, const char *path)
{
	struct build_id id = { .size = (uint8_t)(size < BUILD_ID_MAX_BYTES ? size : BUILD_ID_MAX_BYTES) };

	if (!size || !path)
		return;
	memcpy(id.bytes, bytes, id.size);
	recorded_build_ids_add(ids, &id, path);
}

static void add_header(struct recorded_build_ids *ids, const struct perf_file *file)
{
	const struct perf_features *features = perf_file_features(file);

	for (size_t i = 0; i < features->build_id_count; i++)
		add_bytes(ids, features->build_ids[i].build_id, features->build_ids[i].build_id_size,
			  features->build_ids[i].path);
}

int recorded_build_ids_read(struct recorded_build_ids *ids, struct perf_file *file, struct error *err)
{
	struct event event;
	int more;

	add_header(ids, file);
	if (ids->count)
		return 0;
	while ((more = perf_file_next(file, &event, err)) == 1) {
		struct mmap_record mapping;

		if ((event.type == PERF_RECORD_MMAP || event.type == PERF_RECORD_MMAP2) &&
		    event_decode_mmap(&event, &mapping, NULL) == 0)
			add_bytes(ids, mapping.build_id, mapping.build_id_size, mapping.path);
	}
	add_header(ids, file); /* a pipe has it as a record */
	return more;
}

void recorded_build_ids_fini(struct recorded_build_ids *ids)
{
	for (size_t i = 0; i < ids->count; i++)
		free(ids->items[i].path);
	free(ids->items);
	*ids = (struct recorded_build_ids){ 0 };
}

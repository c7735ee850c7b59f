/*
 * Finds functions of stripped files by their FDEs, in the .eh_frame_hdr of the linker or a table like it (fde_index). A
 * file is opened here only if an address in it has no name, which is rare, so this does not share the unwinder's files:
 * those are being closed by another thread while names are looked up.
 */
#include "report/names/function_starts.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/names/dso_symbols.h"
#include "symbol/recorded_file.h"
#include "unwind/cfi/cfi_source.h"
#include "unwind/cfi/fde_index.h"

/* For one DSO. */
struct file_starts {
	struct elf_file *file;
	struct cfi_section section;
	struct cfi_hdr hdr;
	struct fde_index *index; /* NULL: none */
	struct cfi_fde last;     /* the FDE found last: addresses of one function often come in a row */
};

struct function_starts {
	const struct debug_file_search *search;
	struct object_needs *needs;
	struct file_starts **files; /* by DSO number; NULL: not opened yet */
	size_t capacity;
};

struct function_starts *function_starts_create(const struct debug_file_search *search,
					       struct object_needs *needs)
{
	struct function_starts *starts = xcalloc(1, sizeof(*starts));

	starts->search = search;
	starts->needs = needs;
	return starts;
}

void function_starts_destroy(struct function_starts *starts)
{
	for (size_t i = 0; i < starts->capacity; i++) {
		struct file_starts *file = starts->files[i];

		if (!file)
			continue;
		fde_index_destroy(file->index);
		elf_file_close(file->file);
		free(file);
	}
	free(starts->files);
	free(starts);
}

static struct file_starts *open_file(const struct function_starts *starts, const struct dso *dso)
{
	struct file_starts *file = xcalloc(1, sizeof(*file));
	uint32_t pids[DSO_MAPPERS + 1];
	const struct recorded_file recorded = { .path = dso->path, .build_id = dso->build_id, .pids = pids };

	dso_mappers(dso, pids);
	file->file = recorded_file_open(&recorded, starts->search, NULL);
	if (file->file && cfi_source_eh_frame(file->file, &file->section, &file->hdr) == 1)
		file->index = fde_index_create(&file->section, file->hdr.bytes, file->hdr.size);
	return file;
}

static struct file_starts *file_of(struct function_starts *starts, const struct dso *dso)
{
	const size_t old = starts->capacity;

	if (dso->number >= old) {
		starts->files = array_grow(starts->files, &starts->capacity, (size_t)dso->number + 1,
					   sizeof(*starts->files));
		memset(starts->files + old, 0, (starts->capacity - old) * sizeof(*starts->files));
	}
	if (!starts->files[dso->number])
		starts->files[dso->number] = open_file(starts, dso);
	return starts->files[dso->number];
}

/* With this FDE, an archive groups addresses as the file itself does. */
static void add_need(const struct function_starts *starts, const struct dso *dso, uint64_t vaddr)
{
	struct symbol_object object;

	if (starts->needs && dso_symbols_object(dso, &object))
		object_need_add(object_needs_of(starts->needs, &object), OBJECT_NEED_FRAMES, vaddr);
}

int function_starts_find(struct function_starts *starts, const struct dso *dso, uint64_t file_offset,
			 uint64_t *start)
{
	struct file_starts *file;
	uint64_t vaddr;
	uint32_t number;

	if (dso->kind != DSO_FILE)
		return 0;
	file = file_of(starts, dso);
	if (!file->index || elf_file_offset_to_vaddr(file->file, file_offset, &vaddr) < 0)
		return 0;
	if (vaddr < file->last.start || vaddr >= file->last.end) {
		if (fde_index_find(file->index, vaddr, &number, &file->last) != 1) {
			file->last = (struct cfi_fde){ .start = 0 };
			return 0;
		}
		add_need(starts, dso, file->last.start);
	}
	return elf_file_vaddr_to_offset(file->file, file->last.start, start) == 0;
}

/* Counts choose the object. Its symbols are sorted by address; before that, local ones of equal names are numbered. */
#include "report/code/code_object.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "base/xalloc.h"
#include "elf/elf_symtab.h"
#include "symbol/kernel_file.h"
#include "symbol/recorded_file.h"

/* --- the choice --------------------------------------------------------------------------- */

static void add_samples(uint64_t *of_dso, size_t dso_count, const struct code_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->items[i].from.dso < dso_count)
			of_dso[table->items[i].from.dso] += table->items[i].count;
}

static const struct dso *most_sampled(const struct code_recording *recording)
{
	const struct process_table *processes = recording->machine.processes;
	const size_t count = process_table_dso_count(processes);
	const struct code_counts *counts = &recording->counts;
	uint64_t *of_dso = xcalloc(count + 1, sizeof(*of_dso));
	const struct dso *most = NULL;
	uint64_t samples = 0;

	add_samples(of_dso, count, counts->branch_samples ? &counts->branches : &counts->addresses);
	for (size_t i = 0; i < count; i++) {
		const struct dso *dso = process_table_dso(processes, (uint32_t)i);

		if (of_dso[i] <= samples || dso->kind != DSO_FILE)
			continue;
		most = dso;
		samples = of_dso[i];
	}
	free(of_dso);
	return most;
}

static const struct dso *find_dso(const struct code_recording *recording, const char *name)
{
	const size_t count = process_table_dso_count(recording->machine.processes);

	for (size_t i = 0; i < count; i++) {
		const struct dso *dso = process_table_dso(recording->machine.processes, (uint32_t)i);

		if (strcmp(dso->path, name) == 0 || strcmp(dso->name, name) == 0)
			return dso;
	}
	return NULL;
}

/* --- its functions ------------------------------------------------------------------------ */

static void take_symbol(const struct elf_symbol *symbol, void *context)
{
	struct code_object *object = context;

	if (symbol->type != STT_FUNC && symbol->type != STT_GNU_IFUNC)
		return;
	*ARRAY_ADD(object->functions, object->function_count, object->function_capacity) =
		(struct code_function){ .name = symbol->name,
					.vaddr = symbol->vaddr,
					.size_bytes = symbol->size_bytes,
					.copy = symbol->binding == STB_LOCAL };
}

static int compare_names(const void *a, const void *b)
{
	const struct code_function *left = *(struct code_function *const *)a,
				   *right = *(struct code_function *const *)b;
	const int names = strcmp(left->name, right->name);

	return names ? names : left < right ? -1 : left > right;
}

/* Numbers local functions of one name 1, 2, 3, in the order of the symbol table. */
static void number_copies(struct code_object *object)
{
	struct code_function **sorted = xmalloc((object->function_count + 1) * sizeof(*sorted));
	uint32_t copies = 0;

	for (size_t i = 0; i < object->function_count; i++)
		sorted[i] = &object->functions[i];
	if (object->function_count)
		qsort(sorted, object->function_count, sizeof(*sorted), compare_names);
	for (size_t i = 0; i < object->function_count; i++) {
		if (i == 0 || strcmp(sorted[i]->name, sorted[i - 1]->name) != 0)
			copies = 0;
		if (sorted[i]->copy)
			sorted[i]->copy = ++copies;
	}
	free(sorted);
}

static int compare_functions(const void *a, const void *b)
{
	const struct code_function *left = a, *right = b;

	if (left->vaddr != right->vaddr)
		return left->vaddr < right->vaddr ? -1 : 1;
	/* If there are several names, a global one comes last, and is chosen. */
	return left->copy > right->copy ? -1 : left->copy < right->copy;
}

static void read_functions(struct code_object *object, struct elf_file *file)
{
	if (elf_symtab_read(file, ELF_SYMTAB_FULL, NULL, take_symbol, object, NULL) != 1)
		(void)elf_symtab_read(file, ELF_SYMTAB_DYNAMIC, NULL, take_symbol, object, NULL);
	number_copies(object);
	if (object->function_count)
		qsort(object->functions, object->function_count, sizeof(*object->functions),
		      compare_functions);
}

/* --- opening ------------------------------------------------------------------------------- */

static int open_file(struct code_object *object, const struct code_recording *recording, struct error *err)
{
	uint32_t pids[DSO_MAPPERS + 1];
	const struct recorded_file recorded = { .path = object->dso->path,
						.build_id = object->dso->build_id,
						.pids = pids };

	dso_mappers(object->dso, pids);
	object->file = recorded_file_open(&recorded, &recording->machine.search, err);
	if (!object->file)
		return error_wrap(err, "%s", object->dso->path), -1;
	read_functions(object, object->file);
	return 0;
}

/*
 * KASLR moves the kernel at each boot. Compilers need the addresses of vmlinux, which the user names; without it, addresses stay.
 */
static void find_vmlinux(struct code_object *object, const struct code_recording *recording)
{
	const struct dso *dso = object->dso;
	const char *path = recording->symbols.vmlinux_path;

	object->vmlinux = path ? kernel_file_open_named(path, &dso->build_id, NULL) : NULL;
	if (!object->vmlinux)
		return;
	object->kernel = kernel_place_of_kernel(object->vmlinux, NULL, dso->relocation_symbol,
						dso->relocation_address);
	read_functions(object, object->vmlinux);
}

int code_object_open_dso(struct code_object *object, const struct code_recording *recording,
			 const struct dso *dso, struct error *err)
{
	*object = (struct code_object){ .dso = dso };
	if (dso->kind == DSO_KERNEL) {
		find_vmlinux(object, recording);
		return 0;
	}
	if (dso->kind != DSO_FILE)
		return error_set(err, "%s: --binary: %s is neither a file nor the kernel",
				 perf_file_path(recording->recording.file), dso->name);
	return open_file(object, recording, err);
}

int code_object_open(struct code_object *object, const struct code_recording *recording, const char *name,
		     struct error *err)
{
	const char *path = perf_file_path(recording->recording.file);

	const struct dso *dso = name ? find_dso(recording, name) : most_sampled(recording);

	*object = (struct code_object){ .dso = dso };
	if (!dso && name)
		return error_set(err,
				 "%s: --binary: no sample is in '%s'; 'xprof report -s dso' lists the names",
				 path, name);
	if (!dso)
		return error_set(
			err,
			"%s: no sample is in a program or library; for the kernel use --binary '[kernel.kallsyms]'",
			path);
	return code_object_open_dso(object, recording, dso, err);
}

void code_object_close(struct code_object *object)
{
	free(object->functions);
	kernel_place_destroy(object->kernel);
	elf_file_close(object->vmlinux);
	elf_file_close(object->file);
}

bool code_object_has(const struct code_object *object, const struct code_place *place)
{
	return place->dso == object->dso->number;
}

bool code_object_vaddr(const struct code_object *object, const struct code_place *place, uint64_t *vaddr)
{
	if (!code_object_has(object, place))
		return false;
	if (object->kernel)
		return kernel_place_vaddr(object->kernel, place->address, vaddr) == 0;
	*vaddr = place->address;
	return !object->file || elf_file_offset_to_vaddr(object->file, place->address, vaddr) == 0;
}

const struct code_function *code_object_function(const struct code_object *object, uint64_t vaddr)
{
	const size_t first =
		PARTITION_POINT(i, 0, object->function_count, object->functions[i].vaddr <= vaddr);

	if (first == 0 ||
	    vaddr - object->functions[first - 1].vaddr >= object->functions[first - 1].size_bytes)
		return NULL;
	return &object->functions[first - 1];
}

/*
 * LLVM's sample profile as text, for clang -fprofile-sample-use. With branches it counts instructions of the blocks that ran,
 * else the sampled addresses themselves. As in llvm-profgen, a function's weight is the bytes that ran.
 */
#include "elf/debug_file.h"
#include "report/code/code_blocks.h"
#include "report/export_code/code_export.h"
#include "report/export_code/sample_tree.h"

struct sampling {
	struct code_export *export;
	struct site_index *sites;
	struct sample_tree *tree;
	struct source_site found[SITE_MAX_DEPTH];
};

static size_t find_sites(struct sampling *sampling, uint64_t address, uint64_t *vaddr)
{
	const struct code_place place = { sampling->export->object.dso->number, address };

	return code_object_vaddr(&sampling->export->object, &place, vaddr) ?
		       site_index_find(sampling->sites, *vaddr, sampling->found) :
		       0;
}

static void add_instruction(struct sampling *sampling, uint64_t address, uint64_t count, uint64_t weight)
{
	uint64_t vaddr;
	const size_t depth = find_sites(sampling, address, &vaddr);

	if (depth)
		sample_tree_add(sampling->tree, sampling->found, depth,
				count * sampling->found[depth - 1].copies, weight);
}

static void add_blocks(struct sampling *sampling)
{
	const struct code_object *object = &sampling->export->object;
	struct code_blocks blocks;

	code_blocks_find(&blocks, &sampling->export->recording, object);
	for (size_t i = 0; i < blocks.count; i++) {
		const struct code_block *block = &blocks.items[i];

		for (uint64_t at = block->begin, length; at < block->end; at += length) {
			length = code_object_instruction_length(object, at);
			length = length ? length : 1;
			add_instruction(sampling, at, block->executions, block->executions * length);
		}
	}
	code_blocks_fini(&blocks);
}

/* A branch to the beginning of a function calls it. */
static void add_calls(struct sampling *sampling)
{
	const struct code_object *object = &sampling->export->object;
	const struct code_table *branches = &sampling->export->recording.counts.branches;

	for (size_t i = 0; i < branches->count; i++) {
		const struct code_count *branch = &branches->items[i];
		const struct code_function *function;
		const char *callee;
		uint64_t to, from;
		size_t depth;

		if (!code_object_vaddr(object, &branch->to, &to) ||
		    !(function = code_object_function(object, to)) || function->vaddr != to)
			continue;
		depth = site_index_find(sampling->sites, to, sampling->found);
		callee = depth ? sampling->found[0].function : function->name;
		sample_tree_add_head(sampling->tree, callee, branch->count);
		if (!code_object_has(object, &branch->from))
			continue;
		depth = find_sites(sampling, branch->from.address, &from);
		if (depth)
			sample_tree_add_call(sampling->tree, sampling->found, depth, callee, branch->count);
	}
}

static void add_addresses(struct sampling *sampling)
{
	const struct code_table *addresses = &sampling->export->recording.counts.addresses;

	for (size_t i = 0; i < addresses->count; i++)
		if (code_object_has(&sampling->export->object, &addresses->items[i].from))
			add_instruction(sampling, addresses->items[i].from.address, addresses->items[i].count,
					addresses->items[i].count);
}

static void add_all(struct sampling *sampling)
{
	if (sampling->export->recording.counts.branch_samples) {
		add_blocks(sampling);
		add_calls(sampling);
	} else {
		add_addresses(sampling);
	}
}

static int write_samples(struct code_export *export, struct error *err)
{
	const struct debug_file_search *search = &export->recording.machine.search;
	struct elf_file *file = code_object_file(&export->object);
	struct sampling sampling = { .export = export };
	struct elf_file *debug;

	if (!file)
		return error_set(
			err,
			"%s: this format needs source lines, which are in the vmlinux of the recorded kernel: name it with --vmlinux",
			export->object.dso->name);
	debug = debug_file_open(file, search, NULL);
	sampling.sites = site_index_open(file, debug, search, err);
	if (!sampling.sites) {
		elf_file_close(debug);
		return error_wrap(err, "%s: compile it with -g -fdebug-info-for-profiling",
				  export->object.dso->path);
	}
	sampling.tree = sample_tree_create();
	add_all(&sampling);
	sample_tree_write(sampling.tree, &export->out->text);
	sample_tree_destroy(sampling.tree);
	site_index_close(sampling.sites);
	elf_file_close(debug);
	return 0;
}

static int run_sample(const struct export_options *options, struct export_out *out, struct error *err)
{
	return code_export_run(options, out, false, write_samples, err);
}

const struct export_format export_llvm_sample = {
	.name = "llvm-sample",
	.help = "for clang -fprofile-sample-use",
	.file = "profile.prof",
	.suffixes = ".prof",
	.traits = EXPORT_BINARY,
	.run = run_sample,
};

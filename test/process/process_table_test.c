#include "process/process_table.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "support/cmocka.h"
#include "support/state_record.h"

struct fixture {
	struct process_table *table;
	struct state_record record;
};

static int setup(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){ .table = process_table_create() };
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	state_record_fini(&f->record);
	process_table_destroy(f->table);
	return 0;
}

static void apply(struct fixture *f, const struct event *event, uint64_t time_ns)
{
	struct error err;

	assert_int_equal(process_table_apply(f->table, event, time_ns, &err), 0);
}

static void map(struct fixture *f, uint32_t pid, uint64_t start, uint64_t length, const char *path,
		uint64_t time_ns)
{
	const struct mmap_of mmap = { .pid = pid, .start = start, .length = length, .path = path, .inode = 5 };

	apply(f, state_mmap2(&f->record, &mmap), time_ns);
}

static void fork_of(struct fixture *f, uint32_t pid, uint32_t parent, uint64_t time_ns)
{
	apply(f, state_fork(&f->record, pid, pid, parent, parent), time_ns);
}

static const char *name_at(struct fixture *f, uint32_t pid, uint64_t time_ns, uint64_t address)
{
	struct mapping mapping;

	if (!process_table_find(f->table, pid, time_ns, ADDRESS_USER, address, &mapping))
		return "nothing";
	return mapping.dso->name;
}

static const char *kernel_name_at(struct fixture *f, uint64_t time_ns, uint64_t address)
{
	struct mapping mapping;

	if (!process_table_find(f->table, 0, time_ns, ADDRESS_KERNEL, address, &mapping))
		return "nothing";
	return mapping.dso->name;
}

static void a_file_is_found_by_pid_time_and_address(void **state)
{
	const struct mmap_of mmap = { .pid = 7,
				      .start = 0x400000,
				      .length = 0x2000,
				      .file_offset = 0x1000,
				      .path = "/usr/lib/libc.so.6",
				      .build_id = "0102030405060708" };
	struct fixture *f = *state;
	struct mapping mapping;

	apply(f, state_mmap2(&f->record, &mmap), 10);
	assert_int_equal(process_table_find(f->table, 7, 10, ADDRESS_USER, 0x400010, &mapping), 1);
	assert_int_equal(mapping.dso->kind, DSO_FILE);
	assert_string_equal(mapping.dso->path, "/usr/lib/libc.so.6");
	assert_string_equal(mapping.dso->name, "libc.so.6");
	assert_int_equal(mapping.dso->build_id.size, 8);
	assert_int_equal(mapping.prot, PROT_READ | PROT_EXEC);
	assert_int_equal(mapping_to_dso_address(&mapping, 0x400010), 0x1010);
	assert_int_equal(process_table_find(f->table, 7, 9, ADDRESS_USER, 0x400010, &mapping), 0);
	assert_int_equal(process_table_find(f->table, 8, 10, ADDRESS_USER, 0x400010, &mapping), 0);
	assert_int_equal(process_table_find(f->table, 7, 10, ADDRESS_KERNEL, 0x400010, &mapping), 0);
}

static void a_library_loaded_where_another_was_keeps_the_past(void **state)
{
	struct fixture *f = *state;

	map(f, 7, 0x10000, 0x1000, "/lib/a.so", 10);
	map(f, 7, 0x10000, 0x1000, "/lib/b.so", 20);
	assert_string_equal(name_at(f, 7, 30, 0x10000), "b.so");
	assert_string_equal(name_at(f, 7, 19, 0x10000), "a.so");
	assert_string_equal(name_at(f, 7, 30, 0x10000), "b.so"); /* from the cache */
}

static void a_child_has_what_its_parent_had_when_it_was_forked(void **state)
{
	struct fixture *f = *state;

	map(f, 7, 0x10000, 0x1000, "/bin/sh", 10);
	fork_of(f, 8, 7, 20);
	map(f, 7, 0x20000, 0x1000, "/lib/later.so", 30);
	assert_string_equal(name_at(f, 8, 40, 0x10000), "sh");
	assert_string_equal(name_at(f, 8, 40, 0x20000), "nothing");
	assert_string_equal(name_at(f, 7, 40, 0x20000), "later.so");
}

static void a_range_ends_where_something_else_was_mapped_later(void **state)
{
	struct fixture *f = *state;
	struct mapping mapping;

	map(f, 7, 0x10000, 0x8000, "/lib/a.so", 10);
	fork_of(f, 8, 7, 20);
	map(f, 8, 0x12000, 0x1000, "/lib/b.so", 30);
	assert_int_equal(process_table_find_range(f->table, 8, 40, 0x14567, &mapping), 1);
	assert_string_equal(mapping.dso->name, "a.so");
	assert_int_equal(mapping.start, 0x13000);
	assert_int_equal(mapping.end, 0x18000);
	assert_int_equal(mapping_to_dso_address(&mapping, 0x14567), 0x4567);
	assert_int_equal(process_table_find_range(f->table, 7, 40, 0x14567, &mapping), 1);
	assert_int_equal(mapping.start, 0x10000);
	assert_int_equal(process_table_find_range(f->table, 7, 40, 0x18000, &mapping), 0);
	assert_int_equal(process_table_find_range(f->table, 9, 40, 0x14567, &mapping), 0);
}

static void jit_code(struct fixture *f, uint32_t pid, uint64_t address, uint64_t file_offset,
		     uint64_t time_ns)
{
	const struct jit_range code = { address, 0x100, file_offset, time_ns };

	process_table_jit_code(f->table, pid, process_table_jitdump(f->table, "/tmp/jit-7.dump", 7), &code);
}

/* The offset of the code in the jitdump file; 0 if something else is mapped. */
static uint64_t code_at(struct fixture *f, uint32_t pid, uint64_t time_ns, uint64_t address)
{
	struct mapping mapping, range;

	if (!process_table_find(f->table, pid, time_ns, ADDRESS_USER, address, &mapping) ||
	    mapping.dso->kind != DSO_JITDUMP)
		return 0;
	assert_string_equal(mapping.dso->name, "jit-7.dump");
	assert_int_equal(process_table_find_range(f->table, pid, time_ns, address, &range), 1);
	assert_int_equal(mapping_to_dso_address(&range, address), mapping_to_dso_address(&mapping, address));
	return mapping_to_dso_address(&mapping, address);
}

static void code_that_takes_turns_at_an_address_is_told_apart_by_time(void **state)
{
	struct fixture *f = *state;

	map(f, 7, 0x10000, 0x8000, "//anon", 10);
	jit_code(f, 7, 0x11000, 0x500, 20);
	jit_code(f, 7, 0x11080, 0x900, 40);
	assert_int_equal(code_at(f, 7, 19, 0x11010), 0);
	assert_int_equal(code_at(f, 7, 20, 0x11010), 0x510);
	assert_int_equal(code_at(f, 7, 39, 0x11090), 0x590);
	assert_int_equal(code_at(f, 7, 40, 0x11090), 0x910);
	assert_int_equal(code_at(f, 7, 40, 0x1107f), 0x57f);
	assert_int_equal(code_at(f, 7, 40, 0x11090), 0x910); /* from the cache */
	assert_string_equal(name_at(f, 7, 50, 0x12000), "[JIT] tid 7");
}

static void code_stays_when_its_memory_changes_its_protection(void **state)
{
	struct fixture *f = *state;

	jit_code(f, 7, 0x11000, 0x500, 20);
	map(f, 7, 0x10000, 0x8000, "//anon", 30);
	assert_int_equal(code_at(f, 7, 40, 0x11010), 0x510);
}

static void code_is_gone_where_a_file_is_mapped_and_after_exec(void **state)
{
	struct fixture *f = *state;

	map(f, 7, 0x10000, 0x8000, "//anon", 10);
	jit_code(f, 7, 0x11000, 0x500, 20);
	map(f, 7, 0x11000, 0x1000, "/lib/a.so", 30);
	assert_string_equal(name_at(f, 7, 30, 0x11010), "a.so");
	assert_int_equal(code_at(f, 7, 29, 0x11010), 0x510);
	apply(f, state_comm(&f->record, 7, 7, "next", true), 40);
	map(f, 7, 0x10000, 0x8000, "//anon", 50);
	assert_int_equal(code_at(f, 7, 60, 0x11010), 0);
}

static void a_child_has_the_code_that_its_parent_had(void **state)
{
	struct fixture *f = *state;

	map(f, 7, 0x10000, 0x8000, "//anon", 10);
	jit_code(f, 7, 0x11000, 0x500, 20);
	fork_of(f, 8, 7, 30);
	jit_code(f, 7, 0x11000, 0x900, 40);
	map(f, 8, 0x10000, 0x8000, "//anon", 45); /* the child changes the protection */
	assert_int_equal(code_at(f, 8, 50, 0x11010), 0x510);
	assert_int_equal(code_at(f, 7, 50, 0x11010), 0x910);
	jit_code(f, 7, 0x11000, 0xb00, 25); /* reported late */
	assert_int_equal(code_at(f, 8, 50, 0x11010), 0xb10);
}

static void a_parents_mapping_that_is_reported_late_is_inherited_all_the_same(void **state)
{
	struct fixture *f = *state;

	map(f, 7, 0x30000, 0x1000, "/bin/other", 5);
	fork_of(f, 8, 7, 20);
	assert_string_equal(name_at(f, 8, 40, 0x10000), "nothing");
	map(f, 7, 0x10000, 0x1000, "/bin/sh", 15); /* from another CPU's ring */
	assert_string_equal(name_at(f, 8, 40, 0x10000), "sh");
}

static void exec_starts_with_nothing_mapped(void **state)
{
	struct fixture *f = *state;

	map(f, 7, 0x10000, 0x1000, "/bin/sh", 10);
	fork_of(f, 8, 7, 20);
	apply(f, state_comm(&f->record, 8, 8, "ls", true), 30);
	map(f, 8, 0x50000, 0x1000, "/bin/ls", 31);
	assert_string_equal(name_at(f, 8, 29, 0x10000), "sh");
	assert_string_equal(name_at(f, 8, 31, 0x10000), "nothing");
	assert_string_equal(name_at(f, 8, 31, 0x50000), "ls");
}

static void a_thread_lives_until_its_tid_is_another_or_it_begins_another_program(void **state)
{
	struct fixture *f = *state;
	uint64_t first;

	apply(f, state_comm(&f->record, 8, 8, "sh", false), 5);
	first = process_table_life(f->table, 8, 10);
	assert_true(process_table_life(f->table, 8, 29) == first);
	assert_true(process_table_life(f->table, 9, 29) != first);
	apply(f, state_comm(&f->record, 8, 8, "sh", true), 30);
	assert_true(process_table_life(f->table, 8, 29) == first);
	assert_true(process_table_life(f->table, 8, 30) != first);
	fork_of(f, 8, 7, 50);
	assert_true(process_table_life(f->table, 8, 51) != process_table_life(f->table, 8, 49));
}

static void where_code_was_left_for_exec_is_still_the_old_program(void **state)
{
	struct fixture *f = *state;
	struct mapping mapping;

	map(f, 7, 0x10000, 0x2000, "/bin/sh", 10);
	apply(f, state_comm(&f->record, 7, 7, "ls", true), 30);
	map(f, 7, 0x10000, 0x1000, "/bin/ls", 31);
	assert_int_equal(process_table_find_left(f->table, 7, 32, 0x11000, &mapping), 1);
	assert_string_equal(mapping.dso->name, "sh");
	assert_int_equal(process_table_find_left(f->table, 7, 32, 0x10000, &mapping), 1);
	assert_string_equal(mapping.dso->name, "ls");
	assert_int_equal(process_table_find_left(f->table, 7, 32, 0x90000, &mapping), 0);
}

static void exit_leaves_everything_resolvable(void **state)
{
	struct fixture *f = *state;

	map(f, 7, 0x10000, 0x1000, "/bin/sh", 10);
	apply(f, state_exit(&f->record, 7, 7), 20);
	assert_string_equal(name_at(f, 7, 21, 0x10000), "sh");
}

static void a_pid_that_is_used_again_is_another_process(void **state)
{
	struct fixture *f = *state;

	map(f, 7, 0x10000, 0x1000, "/bin/old", 10);
	map(f, 1, 0x10000, 0x1000, "/bin/sh", 0);
	fork_of(f, 7, 1, 50);
	assert_string_equal(name_at(f, 7, 49, 0x10000), "old");
	assert_string_equal(name_at(f, 7, 50, 0x10000), "sh");
}

static void a_child_whose_records_come_before_its_fork_is_the_one_that_was_forked(void **state)
{
	struct fixture *f = *state;

	map(f, 1, 0x10000, 0x1000, "/bin/sh", 0);
	map(f, 7, 0x50000, 0x1000, "/bin/ls", 60);
	fork_of(f, 7, 1, 50);
	assert_string_equal(name_at(f, 7, 70, 0x10000), "sh");
	assert_string_equal(name_at(f, 7, 70, 0x50000), "ls");
}

static void a_new_thread_shares_its_process(void **state)
{
	struct fixture *f = *state;

	map(f, 7, 0x10000, 0x1000, "/bin/sh", 10);
	apply(f, state_fork(&f->record, 7, 9, 7, 7), 20);
	map(f, 7, 0x20000, 0x1000, "/lib/later.so", 30);
	assert_string_equal(name_at(f, 7, 30, 0x20000), "later.so");
}

static const struct {
	const char *path, *name;
	enum dso_kind kind;
	uint32_t prot; /* 0 if executable */
} user_names[] = {
	{ "/usr/bin/python3.11", "python3.11", DSO_FILE, 0 },
	{ "/tmp/a.out (deleted)", "a.out (deleted)", DSO_FILE, 0 },
	{ "//anon", "[JIT] tid 7", DSO_ANON, 0 },
	{ "[heap]", "[JIT] tid 7", DSO_ANON, 0 },
	{ "[heap]", "[heap]", DSO_ANON, PROT_READ | PROT_WRITE },
	{ "[stack]", "[stack]", DSO_ANON, PROT_READ | PROT_WRITE },
	{ "//anon", "anon", DSO_ANON, PROT_READ },
	{ "/dev/zero (deleted)", "[JIT] tid 7", DSO_ANON, 0 },
	{ "/SYSV00000000 (deleted)", "[JIT] tid 7", DSO_ANON, 0 },
	{ "/memfd:doublemapper (deleted)", "memfd:doublemapper (deleted)", DSO_ANON, 0 },
	{ "[vdso]", "[vdso]", DSO_VDSO, 0 },
	{ "data_jit_app_cache:8-9", "data_jit_app_cache:8-9", DSO_SYMFILE, 0x4000 }, /* simpleperf */
	{ "[vsyscall]", "[vsyscall]", DSO_UNKNOWN, 0 },
	{ "anon_inode:[perf_event]", "anon_inode:[perf_event]", DSO_UNKNOWN, 0 },
};

static void dsos_have_the_names_that_perf_prints(void **state)
{
	struct fixture *f = *state;
	struct mapping mapping;
	size_t i;

	for (i = 0; i < sizeof(user_names) / sizeof(user_names[0]); i++) {
		const struct mmap_of mmap = { .pid = 7,
					      .start = 0x7fff00000000 + 0x10000 * (i + 1),
					      .length = 0x1000,
					      .path = user_names[i].path,
					      .prot = user_names[i].prot };

		apply(f, state_mmap2(&f->record, &mmap), 0);
		assert_int_equal(process_table_find(f->table, 7, 0, ADDRESS_USER, mmap.start, &mapping), 1);
		assert_string_equal(mapping.dso->name, user_names[i].name);
		assert_int_equal(mapping.dso->kind, user_names[i].kind);
	}
}

/* As in perf: the kernel calls both [vdso]. */
static void vdso_of_32_bit_programs_has_a_name_of_its_own(void **state)
{
	struct fixture *f = *state;

	map(f, 7, 0xf7fc7000, 0x2000, "[vdso]", 10);
	map(f, 8, 0x7fff12345000, 0x2000, "[vdso]", 10);
	assert_string_equal(name_at(f, 7, 10, 0xf7fc7000), "[vdso32]");
	assert_string_equal(name_at(f, 8, 10, 0x7fff12345000), "[vdso]");
}

static void map_kernel(struct fixture *f, uint64_t start, uint64_t length, const char *path)
{
	const struct mmap_of mmap = {
		.pid = UINT32_MAX, .start = start, .length = length, .path = path, .kernel = true
	};

	apply(f, state_mmap2(&f->record, &mmap), 0);
}

static void kernel_and_modules_have_the_names_that_perf_prints(void **state)
{
	struct fixture *f = *state;

	map_kernel(f, 0xffffffff81000000, 0x1000000, "[kernel.kallsyms]_text");
	map_kernel(f, 0xffffffffc0000000, 0x1000, "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko");
	map_kernel(f, 0xffffffffc0001000, 0x1000, "/lib/modules/6.1.0/kernel/net/nf-tables.ko.xz");
	map_kernel(f, 0xffffffffc0002000, 0x1000, "[virtio_net]");
	map_kernel(f, 0xffffffffc0003000, 0x1000, "[guest.kernel.kallsyms.7]");
	assert_string_equal(kernel_name_at(f, 9, 0xffffffff81000010), "[kernel.kallsyms]");
	assert_string_equal(kernel_name_at(f, 9, 0xffffffffc0000010), "[ext4]");
	assert_string_equal(kernel_name_at(f, 9, 0xffffffffc0001010), "[nf_tables]");
	assert_string_equal(kernel_name_at(f, 9, 0xffffffffc0002010), "[virtio_net]");
	assert_string_equal(kernel_name_at(f, 9, 0xffffffffc0003010), "nothing");
}

static void the_kernel_proper_is_told_by_its_last_record(void **state)
{
	struct fixture *f = *state;
	struct mapping mapping;

	assert_int_equal(process_table_kernel(f->table, &mapping), 0);
	map_kernel(f, 0xffffffff81000000, 0x1000000, "[kernel.kallsyms]_text");
	map_kernel(f, 0xffffffffc0002000, 0x1000, "[virtio_net]");
	assert_int_equal(process_table_kernel(f->table, &mapping), 1);
	assert_int_equal(mapping.end, 0xffffffff82000000);
	assert_string_equal(mapping.dso->name, "[kernel.kallsyms]");
}

static void a_kernel_without_addresses_is_everywhere(void **state)
{
	struct fixture *f = *state;
	struct mapping mapping;

	map_kernel(f, 0, 0, "[kernel.kallsyms]_text");
	assert_int_equal(process_table_find(f->table, 0, 9, ADDRESS_KERNEL, 0xffffffff81234567, &mapping), 1);
	assert_string_equal(mapping.dso->name, "[kernel.kallsyms]");
	assert_int_equal(mapping_to_dso_address(&mapping, 0xffffffff81234567), 0xffffffff81234567);
}

static void the_kernels_place_is_that_of_its_reference_symbol(void **state)
{
	const struct mmap_of mmap = { .pid = UINT32_MAX,
				      .start = 0xffffffff81000000,
				      .length = 0x1000000,
				      .file_offset = 0xffffffff81000000,
				      .path = "[kernel.kallsyms]_text",
				      .kernel = true };
	struct fixture *f = *state;

	apply(f, state_mmap2(&f->record, &mmap), 0);
	assert_string_equal(process_table_dso(f->table, 0)->relocation_symbol, "_text");
	assert_int_equal(process_table_dso(f->table, 0)->relocation_address, 0xffffffff81000000);
}

/* The last answer is remembered for the addresses and the times around it that have it, and for no others. */
static void the_kernels_last_answer_ends_where_others_begin(void **state)
{
	struct fixture *f = *state;

	map_kernel(f, 0xffffffffc0000000, 0x2000, "[virtio_net]");
	map_kernel(f, 0xffffffffc0002000, 0x1000, "[ext4]");
	assert_string_equal(kernel_name_at(f, 9, 0xffffffffc0001fff), "[virtio_net]");
	assert_string_equal(kernel_name_at(f, 9, 0xffffffffc0002000), "[ext4]");
	assert_string_equal(kernel_name_at(f, 9, 0xffffffffc0003000), "nothing");
	assert_string_equal(kernel_name_at(f, 9, 0xffffffffc0002fff), "[ext4]");
	apply(f, state_ksymbol(&f->record, 0xffffffffc0003000, 0x80, "bpf_prog_a", false), 10);
	assert_string_equal(kernel_name_at(f, 10, 0xffffffffc0003000), "bpf_prog_a");
	assert_string_equal(kernel_name_at(f, 9, 0xffffffffc0003000), "nothing");
	assert_string_equal(kernel_name_at(f, 11, 0xffffffffc000307f), "bpf_prog_a");
	assert_string_equal(kernel_name_at(f, 11, 0xffffffffc0003080), "nothing");
	apply(f, state_ksymbol(&f->record, 0xffffffffc0003000, 0x80, "bpf_prog_a", true), 20);
	assert_string_equal(kernel_name_at(f, 19, 0xffffffffc0003000), "bpf_prog_a");
	assert_string_equal(kernel_name_at(f, 20, 0xffffffffc0003000), "nothing");
}

static void a_ksymbol_is_there_from_registration_to_unregistration(void **state)
{
	struct fixture *f = *state;

	apply(f, state_ksymbol(&f->record, 0xffffffffc0100000, 0x80, "bpf_prog_6deef7357e7b4530", false), 10);
	apply(f, state_ksymbol(&f->record, 0xffffffffc0100000, 0x80, "bpf_prog_6deef7357e7b4530", true), 20);
	assert_string_equal(kernel_name_at(f, 9, 0xffffffffc0100010), "nothing");
	assert_string_equal(kernel_name_at(f, 10, 0xffffffffc0100010), "bpf_prog_6deef7357e7b4530");
	assert_string_equal(kernel_name_at(f, 20, 0xffffffffc0100010), "nothing");
}

static void a_build_id_table_fills_in_what_records_do_not_say(void **state)
{
	struct build_id early = { .bytes = { 1, 2 }, .size = 2 }, late = { .bytes = { 3 }, .size = 1 };
	struct fixture *f = *state;
	struct mapping mapping;

	process_table_build_id(f->table, "/bin/a", &early);
	map(f, 7, 0x10000, 0x1000, "/bin/a", 0);
	map(f, 7, 0x20000, 0x1000, "/bin/b", 0);
	process_table_build_id(f->table, "/bin/b", &late);
	assert_int_equal(process_table_find(f->table, 7, 0, ADDRESS_USER, 0x10000, &mapping), 1);
	assert_true(build_id_equal(&mapping.dso->build_id, &early));
	assert_int_equal(process_table_find(f->table, 7, 0, ADDRESS_USER, 0x20000, &mapping), 1);
	assert_true(build_id_equal(&mapping.dso->build_id, &late));
	map(f, 8, 0x10000, 0x1000, "/bin/a", 0);
	assert_int_equal(process_table_dso_count(f->table), 2);
}

static void a_file_that_was_replaced_is_two_dsos(void **state)
{
	const char *ids[] = { "aaaa", "bbbb", "aaaa" };
	struct fixture *f = *state;
	uint32_t i;

	for (i = 0; i < 3; i++) {
		const struct mmap_of mmap = {
			.pid = i + 10, .start = 0x1000, .length = 0x1000, .path = "/bin/a", .build_id = ids[i]
		};

		apply(f, state_mmap2(&f->record, &mmap), 0);
	}
	assert_int_equal(process_table_dso_count(f->table), 2);
}

static void comms_are_the_threads_own_else_its_creators_else_its_tid(void **state)
{
	struct fixture *f = *state;

	apply(f, state_comm(&f->record, 7, 7, "bash", false), 0);
	fork_of(f, 8, 7, 20);
	apply(f, state_comm(&f->record, 8, 8, "ls", true), 30);
	assert_string_equal(process_table_comm(f->table, 7, 7, 0), "bash");
	assert_string_equal(process_table_comm(f->table, 8, 8, 29), "bash");
	assert_string_equal(process_table_comm(f->table, 8, 8, 30), "ls");
	assert_string_equal(process_table_comm(f->table, 7, 99, 30), ":99");
	assert_string_equal(process_table_comm(f->table, UINT32_MAX, UINT32_MAX, 30), ":-1");
	assert_string_equal(process_table_comm(f->table, 0, 0, 30), "swapper");
}

static void what_the_idle_task_forks_has_its_name(void **state)
{
	struct fixture *f = *state;

	fork_of(f, 2, 0, 0);
	fork_of(f, 300, 2, 20);
	assert_string_equal(process_table_comm(f->table, 2, 2, 10), "swapper");
	assert_string_equal(process_table_comm(f->table, 300, 300, 20), "swapper");
}

static void a_threads_first_comm_counts_for_its_past_too(void **state)
{
	struct fixture *f = *state;

	apply(f, state_comm(&f->record, 7, 7, "late", false), 50);
	assert_string_equal(process_table_comm(f->table, 7, 7, 10), "late");
	assert_string_equal(process_table_comm_then(f->table, 7, 7, 10), ":7");
	assert_string_equal(process_table_comm_then(f->table, 7, 7, 50), "late");
}

static void a_tid_that_is_used_again_is_another_thread(void **state)
{
	struct fixture *f = *state;

	apply(f, state_comm(&f->record, 1, 1, "init", false), 0);
	apply(f, state_comm(&f->record, 7, 7, "old", false), 10);
	fork_of(f, 7, 1, 50);
	assert_string_equal(process_table_comm(f->table, 7, 7, 49), "old");
	assert_string_equal(process_table_comm(f->table, 7, 7, 50), "init");
	apply(f, state_comm(&f->record, 7, 7, "new", true), 51);
	assert_string_equal(process_table_comm(f->table, 7, 7, 51), "new");
}

static bool same_state(struct process_state a, struct process_state b)
{
	return memcmp(&a, &b, sizeof(a)) == 0;
}

static void a_state_is_the_same_until_something_that_matters_changes(void **state)
{
	struct fixture *f = *state;
	struct process_state before;

	map(f, 7, 0x10000, 0x1000, "/bin/a", 10);
	map(f, 8, 0x10000, 0x1000, "/bin/a", 10);
	before = process_table_state(f->table, 7, 20);
	map(f, 8, 0x20000, 0x1000, "/bin/b", 15);
	map(f, 7, 0x10000, 0x1000, "/bin/a", 16); /* no change */
	assert_true(same_state(before, process_table_state(f->table, 7, 20)));
	assert_false(same_state(before, process_table_state(f->table, 7, 9)));
	map(f, 7, 0x20000, 0x1000, "/bin/b", 30);
	assert_true(same_state(before, process_table_state(f->table, 7, 20)));
	assert_false(same_state(before, process_table_state(f->table, 7, 30)));
	map(f, 7, 0x40000, 0x1000, "/bin/c", 12); /* late: changes the state of 7 at 20 */
	assert_false(same_state(before, process_table_state(f->table, 7, 20)));
}

enum { SHARED_MAPPINGS = 1000 }; /* more than are searched one by one */

struct asking {
	struct process_table *table;
	pthread_mutex_t *lock;
	size_t wrong;
};

static bool is_mapped_at(struct process_table *table, uint64_t time_ns)
{
	struct mapping mapping;

	return process_table_find_range(table, 10, time_ns, 0x1000 * time_ns, &mapping) == 1 &&
	       mapping.start == 0x1000 * time_ns && strcmp(mapping.dso->name, "libx.so") == 0;
}

/* Finds early mappings while more are added. */
static void *ask(void *context)
{
	struct asking *asking = context;

	for (uint64_t time_ns = 1; time_ns <= SHARED_MAPPINGS; time_ns++) {
		pthread_mutex_lock(asking->lock);
		asking->wrong += !is_mapped_at(asking->table, time_ns);
		pthread_mutex_unlock(asking->lock);
	}
	return NULL;
}

static void add_shared(struct fixture *f, uint64_t time_ns)
{
	map(f, 10, 0x1000 * time_ns, 0x1000, "/lib/libx.so", time_ns);
}

/* The owner looks up without the lock, and changes the table with it. */
static void other_threads_may_ask_for_ranges_of_a_shared_table(void **state)
{
	struct fixture *f = *state;
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct asking asking = { .table = f->table, .lock = &lock };
	pthread_t thread;

	for (uint64_t time_ns = 1; time_ns <= SHARED_MAPPINGS; time_ns++)
		add_shared(f, time_ns);
	process_table_share(f->table);
	assert_int_equal(pthread_create(&thread, NULL, ask, &asking), 0);
	for (uint64_t time_ns = SHARED_MAPPINGS + 1; time_ns <= 2 * SHARED_MAPPINGS; time_ns++) {
		pthread_mutex_lock(&lock);
		add_shared(f, time_ns);
		if (time_ns % 200 == 0)
			process_table_settle(f->table);
		pthread_mutex_unlock(&lock);
		assert_true(is_mapped_at(f->table, time_ns));
		assert_int_equal(process_table_state(f->table, 10, time_ns).process_changes, time_ns);
	}
	pthread_join(thread, NULL);
	assert_int_equal(asking.wrong, 0);
}

static void a_damaged_record_is_an_error_and_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct error err;
	struct event event = *state_comm(&f->record, 7, 7, "bash", false);

	event.payload_size = 8;
	assert_int_equal(process_table_apply(f->table, &event, 0, &err), -1);
	assert_string_equal(process_table_comm(f->table, 7, 7, 0), ":7");
}

static void a_thousand_processes_share_one_dso(void **state)
{
	struct fixture *f = *state;
	uint32_t pid;

	for (pid = 1; pid <= 1000; pid++)
		map(f, pid, 0x10000, 0x1000, "/lib/libc.so.6", 0);
	assert_int_equal(process_table_dso_count(f->table), 1);
	assert_string_equal(name_at(f, 1000, 1, 0x10fff), "libc.so.6");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* context: the pid to keep */
static bool is_other(const struct process_end *process, void *context)
{
	return process->pid != *(const uint32_t *)context || !process->is_newest;
}

static void what_a_kept_process_has_from_its_parent_stays(void **state)
{
	struct fixture *f = *state;
	struct process_state before, after;
	uint32_t kept = 2;

	map(f, 1, 0x1000, 0x1000, "/lib/first", 10);
	map(f, 1, 0x2000, 0x1000, "/lib/second", 11);
	fork_of(f, 2, 1, 20);
	map(f, 1, 0x1000, 0x1000, "/lib/of-the-parent", 30);
	map(f, 2, 0x2000, 0x1000, "/lib/own", 31);
	before = process_table_state(f->table, 2, 40);
	assert_int_equal(process_table_forget(f->table, 35, is_other, &kept), 3);
	after = process_table_state(f->table, 2, 40);
	assert_false(process_state_equal(&before, &after));
	assert_string_equal(name_at(f, 2, 40, 0x1000), "first");
	assert_string_equal(name_at(f, 2, 40, 0x2000), "own");
	assert_string_equal(name_at(f, 1, 40, 0x1000), "nothing");
	fork_of(f, 3, 2, 50);
	assert_string_equal(name_at(f, 3, 60, 0x1000), "first");
}

static void what_an_exec_hid_is_forgotten(void **state)
{
	struct fixture *f = *state;
	uint32_t kept = 2;

	map(f, 2, 0x1000, 0x1000, "/lib/before", 10);
	apply(f, state_comm(&f->record, 2, 2, "second", true), 20);
	map(f, 2, 0x2000, 0x1000, "/lib/behind", 21);
	apply(f, state_comm(&f->record, 2, 2, "third", true), 40);
	map(f, 2, 0x2000, 0x1000, "/lib/last", 41);
	assert_int_equal(process_table_forget(f->table, 30, is_other, &kept), 4);
	assert_string_equal(name_at(f, 2, 35, 0x2000), "behind");
	assert_string_equal(name_at(f, 2, 45, 0x2000), "last");
}

static void an_earlier_process_of_the_same_number_can_be_forgotten(void **state)
{
	struct fixture *f = *state;
	uint32_t kept = 2;

	map(f, 2, 0x1000, 0x1000, "/lib/earlier", 10);
	fork_of(f, 2, 1, 20);
	map(f, 2, 0x2000, 0x1000, "/lib/later", 30);
	assert_int_equal(process_table_forget(f->table, 15, is_other, &kept), 1);
	assert_string_equal(name_at(f, 2, 40, 0x2000), "later");
	assert_string_equal(name_at(f, 2, 40, 0x1000), "nothing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_is_found_by_pid_time_and_address),
		TEST(a_library_loaded_where_another_was_keeps_the_past),
		TEST(a_child_has_what_its_parent_had_when_it_was_forked),
		TEST(what_a_kept_process_has_from_its_parent_stays),
		TEST(what_an_exec_hid_is_forgotten),
		TEST(an_earlier_process_of_the_same_number_can_be_forgotten),
		TEST(a_range_ends_where_something_else_was_mapped_later),
		TEST(code_that_takes_turns_at_an_address_is_told_apart_by_time),
		TEST(code_stays_when_its_memory_changes_its_protection),
		TEST(code_is_gone_where_a_file_is_mapped_and_after_exec),
		TEST(a_child_has_the_code_that_its_parent_had),
		TEST(a_parents_mapping_that_is_reported_late_is_inherited_all_the_same),
		TEST(exec_starts_with_nothing_mapped),
		TEST(a_thread_lives_until_its_tid_is_another_or_it_begins_another_program),
		TEST(where_code_was_left_for_exec_is_still_the_old_program),
		TEST(exit_leaves_everything_resolvable),
		TEST(a_pid_that_is_used_again_is_another_process),
		TEST(a_child_whose_records_come_before_its_fork_is_the_one_that_was_forked),
		TEST(a_new_thread_shares_its_process),
		TEST(dsos_have_the_names_that_perf_prints),
		TEST(vdso_of_32_bit_programs_has_a_name_of_its_own),
		TEST(kernel_and_modules_have_the_names_that_perf_prints),
		TEST(the_kernel_proper_is_told_by_its_last_record),
		TEST(a_kernel_without_addresses_is_everywhere),
		TEST(the_kernels_place_is_that_of_its_reference_symbol),
		TEST(the_kernels_last_answer_ends_where_others_begin),
		TEST(a_ksymbol_is_there_from_registration_to_unregistration),
		TEST(a_build_id_table_fills_in_what_records_do_not_say),
		TEST(a_file_that_was_replaced_is_two_dsos),
		TEST(comms_are_the_threads_own_else_its_creators_else_its_tid),
		TEST(what_the_idle_task_forks_has_its_name),
		TEST(a_threads_first_comm_counts_for_its_past_too),
		TEST(a_tid_that_is_used_again_is_another_thread),
		TEST(a_state_is_the_same_until_something_that_matters_changes),
		TEST(other_threads_may_ask_for_ranges_of_a_shared_table),
		TEST(a_damaged_record_is_an_error_and_changes_nothing),
		TEST(a_thousand_processes_share_one_dso),
	};

	return cmocka_run_group_tests_name("process/process_table", tests, NULL, NULL);
}

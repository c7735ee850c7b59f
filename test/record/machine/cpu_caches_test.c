#include "record/machine/machine_sections.h"

#include <stdio.h>

#include "support/cmocka.h"
#include "support/sysfs_section.h"

static void add(const struct sysfs_section *section, unsigned int cpu, unsigned int index, const char *name,
		const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/cache/index%u/%s", cpu, index, name);
	temp_tree_file(&section->tree, path, text);
}

static void add_cache(const struct sysfs_section *section, unsigned int cpu, unsigned int index,
		      const char *level, const char *size, const char *cpus)
{
	add(section, cpu, index, "level", level);
	add(section, cpu, index, "coherency_line_size", "64\n");
	add(section, cpu, index, "number_of_sets", "512\n");
	add(section, cpu, index, "ways_of_associativity", "8\n");
	add(section, cpu, index, "type", "Unified\n");
	add(section, cpu, index, "size", size);
	add(section, cpu, index, "shared_cpu_list", cpus);
}

static void assert_cache(struct sysfs_section *section, uint32_t level, const char *size, const char *cpus)
{
	assert_section_u32(section, level);
	assert_section_u32(section, 64);
	assert_section_u32(section, 512);
	assert_section_u32(section, 8);
	assert_section_text(section, "Unified");
	assert_section_text(section, size);
	assert_section_text(section, cpus);
}

static void shared_caches_come_once_and_level_by_level(void **state)
{
	struct sysfs_section *section = *state;

	add_cache(section, 0, 0, "1\n", "32K\n", "0\n");
	add_cache(section, 0, 1, "2\n", "4M\n", "0-1\n");
	add_cache(section, 1, 0, "1\n", "32K\n", "1\n");
	add_cache(section, 1, 1, "2\n", "4M\n", "0-1\n");
	cpu_caches_make(&section->bytes, section->tree.root, 3); /* CPU 2 is offline */
	sysfs_section_begin(section);
	assert_section_u32(section, 1);
	assert_section_u32(section, 3);
	assert_cache(section, 1, "32K", "0");
	assert_cache(section, 1, "32K", "1");
	assert_cache(section, 2, "4M", "0-1");
	assert_section_ends(section);
}

/* As in virtual machines: the kernel omits what it does not know. */
static void what_the_kernel_does_not_know_is_zero_or_empty(void **state)
{
	struct sysfs_section *section = *state;

	add(section, 0, 0, "shared_cpu_list", "0\n");
	add(section, 0, 0, "level", "4294967295\n");
	cpu_caches_make(&section->bytes, section->tree.root, 1);
	sysfs_section_begin(section);
	assert_section_u32(section, 1);
	assert_section_u32(section, 1);
	assert_section_u32(section, 15);
	byte_reader_skip(&section->r, 12);
	assert_section_text(section, "");
	assert_section_text(section, "");
	assert_section_text(section, "0");
	assert_section_ends(section);
}

static void without_sysfs_there_is_no_section(void **state)
{
	struct sysfs_section *section = *state;

	cpu_caches_make(&section->bytes, "/proc/nonexistent", 2);
	assert_int_equal(section->bytes.size, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, sysfs_section_set_up, sysfs_section_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(shared_caches_come_once_and_level_by_level),
		TEST(what_the_kernel_does_not_know_is_zero_or_empty),
		TEST(without_sysfs_there_is_no_section),
	};

	return cmocka_run_group_tests_name("record/machine/cpu_caches", tests, NULL, NULL);
}

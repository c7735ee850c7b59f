#include "symbol/dwarf/split_dwarf.h"

#include <dwarf.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/dwarf_bytes.h"
#include "support/elf_builder.h"
#include "support/memory_file.h"

/* --- a unit and the rest of it ------------------------------------------------------------------------- */

struct recipe {
	uint8_t version; /* 4 (GNU's) or 5 */
	uint8_t offset_size, address_size;
	bool swap;
	uint64_t id;
	const char *name; /* of the unit */
};

static const struct recipe gnu = { 4, 4, 8, false, 0x1122334455667788, "unit.c" };
static const struct recipe standard = { 5, 4, 8, false, 0x1122334455667788, "unit.c" };

/* The expected answer for a unit of this name. */
#define DESCRIBED(name) name " at 0x1000: f 0x1020-0x1030, g 0x1004-0x1008"

/* The sections of a .dwo file. */
struct rest {
	struct dwarf_bytes info, abbrev, rnglists;
};

static void init(struct dwarf_bytes *bytes, const struct recipe *recipe)
{
	dwarf_bytes_init(bytes, recipe->version, recipe->offset_size, recipe->swap);
	bytes->address_size = recipe->address_size;
}

static void make_abbrevs(struct dwarf_bytes *abbrev)
{
	/* An attribute whose value is in the abbreviation, as a signed LEB128. */
	static const uint8_t with_constant[] = {
		9, DW_TAG_base_type, 0, DW_AT_byte_size, DW_FORM_implicit_const, 0xff, 0x7f, 0, 0
	};
	const bool is_gnus = abbrev->version < 5;
	const struct dwarf_attribute unit[] = { { DW_AT_name, DW_FORM_string },
						{ DW_AT_GNU_dwo_id, DW_FORM_data8 } };
	const struct dwarf_attribute f[] = { { DW_AT_name, DW_FORM_string },
					     { DW_AT_low_pc,
					       is_gnus ? DW_FORM_GNU_addr_index : DW_FORM_addrx },
					     { DW_AT_high_pc, DW_FORM_data4 } };
	const struct dwarf_attribute g[] = { { DW_AT_name, DW_FORM_string },
					     { DW_AT_ranges,
					       is_gnus ? DW_FORM_sec_offset : DW_FORM_rnglistx } };

	if (!is_gnus)
		dwarf_bytes_add(abbrev, with_constant, sizeof(with_constant));
	dwarf_bytes_abbrev(abbrev, 2, DW_TAG_subprogram, false, f, 3);
	dwarf_bytes_abbrev(abbrev, 1, DW_TAG_compile_unit, true, unit, is_gnus ? 2 : 1);
	dwarf_bytes_abbrev(abbrev, 3, DW_TAG_subprogram, false, g, 2);
	dwarf_bytes_u8(abbrev, 0);
}

static void make_info(struct dwarf_bytes *info, const struct recipe *recipe)
{
	dwarf_bytes_unit_header(info, DW_UT_split_compile, recipe->id);
	dwarf_bytes_u8(info, 1);
	dwarf_bytes_text(info, recipe->name);
	if (recipe->version < 5)
		dwarf_bytes_u64(info, recipe->id);
	dwarf_bytes_u8(info, 2);
	dwarf_bytes_text(info, "f");
	dwarf_bytes_u8(info, 1); /* the second address */
	dwarf_bytes_u32(info, 0x10);
	dwarf_bytes_u8(info, 3);
	dwarf_bytes_text(info, "g");
	if (recipe->version < 5)
		dwarf_bytes_offset(info, 0);
	else
		dwarf_bytes_u8(info, 0); /* the first list */
	dwarf_bytes_u8(info, 0);         /* end of the unit's children */
	dwarf_bytes_prepend_length(info);
}

/* DWARF 5, section 7.28 */
static void make_rnglists(struct dwarf_bytes *rnglists)
{
	dwarf_bytes_u16(rnglists, 5);
	dwarf_bytes_u8(rnglists, rnglists->address_size);
	dwarf_bytes_u8(rnglists, 0);
	dwarf_bytes_u32(rnglists, 1);
	dwarf_bytes_offset(rnglists, rnglists->offset_size);
	dwarf_bytes_add(rnglists, (const uint8_t[]){ DW_RLE_offset_pair, 4, 8, DW_RLE_end_of_list }, 4);
	dwarf_bytes_prepend_length(rnglists);
}

static void make_rest(struct rest *rest, const struct recipe *recipe)
{
	init(&rest->info, recipe);
	init(&rest->abbrev, recipe);
	init(&rest->rnglists, recipe);
	make_abbrevs(&rest->abbrev);
	make_info(&rest->info, recipe);
	if (recipe->version >= 5)
		make_rnglists(&rest->rnglists);
}

static void release_rest(struct rest *rest)
{
	dwarf_bytes_fini(&rest->info);
	dwarf_bytes_fini(&rest->abbrev);
	dwarf_bytes_fini(&rest->rnglists);
}

static void append(struct dwarf_bytes *to, const struct dwarf_bytes *from)
{
	dwarf_bytes_add(to, from->buf.bytes, from->buf.size);
}

static void add_section(struct elf_builder *builder, const char *name, const struct dwarf_bytes *bytes)
{
	if (bytes->buf.size)
		elf_builder_section(builder, name, SHT_PROGBITS, 0, 0, bytes->buf.bytes, bytes->buf.size);
}

static void begin_file(struct elf_builder *builder, const struct rest *rest)
{
	elf_builder_init(builder, rest->info.address_size == 8, rest->info.swap, ET_REL, EM_X86_64);
	add_section(builder, ".debug_info.dwo", &rest->info);
	add_section(builder, ".debug_abbrev.dwo", &rest->abbrev);
	add_section(builder, ".debug_rnglists.dwo", &rest->rnglists);
}

static void write_dwo(const struct temp_tree *tree, const char *path, const struct recipe *recipe)
{
	struct elf_builder builder;
	struct rest rest;

	make_rest(&rest, recipe);
	begin_file(&builder, &rest);
	elf_builder_write(&builder, tree, path);
	release_rest(&rest);
}

/* Parts of the main file: addresses and, before version 5, ranges. Something else precedes them in both sections. */
struct main_file {
	struct dwarf_bytes addr, ranges;
	struct dwarf_sections sections;
	struct dwarf_unit skeleton;
};

static void make_main_addresses(struct dwarf_bytes *addr)
{
	if (addr->version >= 5) {
		dwarf_bytes_u16(addr, 5);
		dwarf_bytes_u8(addr, addr->address_size);
		dwarf_bytes_u8(addr, 0);
	} else {
		dwarf_bytes_address(addr, 0x9999);
	}
	dwarf_bytes_address(addr, 0x1010);
	dwarf_bytes_address(addr, 0x1020);
	if (addr->version >= 5)
		dwarf_bytes_prepend_length(addr);
}

static void make_main(struct main_file *main, const struct recipe *recipe)
{
	static const uint64_t ranges[] = { 0x9990, 0x9999, 4, 8, 0, 0 };
	const bool is_gnus = recipe->version < 5;

	*main = (struct main_file){ .sections = { .is_64bit = recipe->address_size == 8,
						  .swap = recipe->swap } };
	init(&main->addr, recipe);
	init(&main->ranges, recipe);
	make_main_addresses(&main->addr);
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		dwarf_bytes_address(&main->ranges, ranges[i]);
	main->sections.at[DWARF_ADDR] =
		(struct dwarf_section){ (const uint8_t *)main->addr.buf.bytes, main->addr.buf.size };
	main->sections.at[DWARF_RANGES] =
		(struct dwarf_section){ (const uint8_t *)main->ranges.buf.bytes, main->ranges.buf.size };
	main->skeleton = (struct dwarf_unit){
		.low_pc = 0x1000,
		.split_name = "unit.dwo",
		.directory = "/build",
		.split_id = recipe->id,
		.addr_base = is_gnus ? recipe->address_size : dwarf_bytes_length_size(&main->addr) + 4,
		.ranges_base = is_gnus ? 2 * recipe->address_size : 0,
	};
}

static void release_main(struct main_file *main)
{
	dwarf_bytes_fini(&main->addr);
	dwarf_bytes_fini(&main->ranges);
}

/* --- what is found ------------------------------------------------------------------------------------- */

static void describe_function(struct strbuf *out, const struct split_unit *split, Dwarf_Die *function)
{
	Dwarf_Addr base = 0, low = 0, high = 0;
	const char *name = dwarf_handle_name(&split->handle, function);

	(void)dwarf_ranges(function, 0, &base, &low, &high);
	strbuf_addf(out, "%s 0x%zx-0x%zx", name ? name : "?", (size_t)low, (size_t)high);
}

static void describe(struct strbuf *out, struct split_unit *split)
{
	const char *name = dwarf_handle_name(&split->handle, &split->entry);
	Dwarf_Addr low_pc = 0;
	Dwarf_Die function;

	(void)dwarf_lowpc(&split->entry, &low_pc);
	strbuf_addf(out, "%s at 0x%zx", name ? name : "?", (size_t)low_pc);
	if (dwarf_child(&split->entry, &function) != 0)
		return;
	for (const char *separator = ": ";; separator = ", ") {
		strbuf_adds(out, separator);
		describe_function(out, split, &function);
		if (dwarf_siblingof(&function, &function) != 0)
			return;
	}
}

static void assert_described(struct split_unit *split, const char *expected)
{
	struct strbuf text;

	strbuf_init(&text);
	describe(&text, split);
	assert_string_equal(text.bytes, expected);
	strbuf_fini(&text);
}

/* Checks what is found for the recipe's unit. "" expected: nothing is found, and err says why. */
static void assert_rest(const struct temp_tree *tree, const struct recipe *recipe,
			const struct split_package *package, const char *expected, struct error *err)
{
	char *beside = xasprintf("%s/bin", tree->root);
	struct split_unit split = { .own_file = NULL };
	struct main_file main;
	int result;

	make_main(&main, recipe);
	err->message[0] = '\0';
	result = split_unit_open(&split, &main.skeleton, &main.sections, package, tree->root, beside, err);
	assert_int_equal(result, expected[0] ? 0 : -1);
	if (result == 0) {
		assert_described(&split, expected);
		split_unit_close(&split);
	}
	assert_null(split.own_file);
	assert_null(split.handle.dwarf);
	release_main(&main);
	free(beside);
}

/* --- files --------------------------------------------------------------------------------------------- */

static void units_of_every_version_width_and_byte_order_become_whole(void **state)
{
	const struct temp_tree *tree = *state;
	struct error err;

	for (int i = 0; i < 16; i++) {
		const struct recipe recipe = { .version = i & 1 ? 5 : 4,
					       .offset_size = i & 2 ? 8 : 4,
					       .address_size = i & 4 ? 4 : 8,
					       .swap = i & 8,
					       .id = 0x8877665544332211,
					       .name = "unit.c" };

		write_dwo(tree, "build/unit.dwo", &recipe);
		assert_rest(tree, &recipe, NULL, DESCRIBED("unit.c"), &err);
	}
}

static void a_file_is_looked_for_beside_the_binary_next(void **state)
{
	const struct temp_tree *tree = *state;
	struct error err;

	write_dwo(tree, "bin/unit.dwo", &standard);
	assert_rest(tree, &standard, NULL, DESCRIBED("unit.c"), &err);
}

static void a_file_with_a_full_path_is_found_below_another_root(void **state)
{
	const struct temp_tree *tree = *state;
	struct split_unit split = { .own_file = NULL };
	struct main_file main;
	struct error err;

	write_dwo(tree, "elsewhere/other.dwo", &standard);
	make_main(&main, &standard);
	main.skeleton.split_name = "/elsewhere/other.dwo";
	assert_int_equal(split_unit_open(&split, &main.skeleton, &main.sections, NULL, tree->root,
					 "/proc/nonexistent", &err),
			 0);
	assert_described(&split, DESCRIBED("unit.c"));
	split_unit_close(&split);
	release_main(&main);
}

static void a_file_that_is_nowhere_is_named(void **state)
{
	const struct temp_tree *tree = *state;
	char expected[256];
	struct error err;

	snprintf(expected, sizeof(expected), "cannot open %s/build/unit.dwo: No such file or directory",
		 tree->root);
	assert_rest(tree, &standard, NULL, "", &err);
	assert_string_equal(err.message, expected);
}

static void a_file_of_another_build_is_never_taken(void **state)
{
	static const struct recipe *const recipes[] = { &gnu, &standard };
	const struct temp_tree *tree = *state;
	char expected[256];

	snprintf(expected, sizeof(expected),
		 "%s/build/unit.dwo belongs to another build: its id is not 1122334455667788", tree->root);
	for (size_t i = 0; i < 2; i++) {
		struct recipe other = *recipes[i];
		struct error err;

		other.id++;
		write_dwo(tree, "build/unit.dwo", &other);
		assert_rest(tree, recipes[i], NULL, "", &err);
		assert_string_equal(err.message, expected);
	}
}

static void one_of_another_build_does_not_hide_the_right_one(void **state)
{
	const struct temp_tree *tree = *state;
	struct recipe other = standard;
	struct error err;

	other.id++;
	write_dwo(tree, "build/unit.dwo", &other);
	write_dwo(tree, "bin/unit.dwo", &standard);
	assert_rest(tree, &standard, NULL, DESCRIBED("unit.c"), &err);
}

/* In the unit of a type, a signature and the type's position follow the usual header. */
static void units_of_types_may_come_first(void **state)
{
	const struct temp_tree *tree = *state;
	struct dwarf_bytes info;
	struct elf_builder builder;
	struct rest rest;
	struct error err;

	make_rest(&rest, &standard);
	init(&info, &standard);
	dwarf_bytes_unit_header(&info, DW_UT_split_type, 0);
	dwarf_bytes_u64(&info, standard.id);
	dwarf_bytes_offset(&info, 24);
	dwarf_bytes_u8(&info, 0);
	dwarf_bytes_prepend_length(&info);
	append(&info, &rest.info);
	dwarf_bytes_fini(&rest.info);
	rest.info = info;
	begin_file(&builder, &rest);
	elf_builder_write(&builder, tree, "build/unit.dwo");
	assert_rest(tree, &standard, NULL, DESCRIBED("unit.c"), &err);
	release_rest(&rest);
}

/* Writes the unit's sections, one of them cut to that many bytes; SIZE_MAX: whole. */
static void write_cut(const struct temp_tree *tree, const struct recipe *recipe, size_t info_bytes,
		      size_t abbrev_bytes)
{
	struct elf_builder builder;
	struct rest rest;

	make_rest(&rest, recipe);
	strbuf_cut(&rest.info.buf, info_bytes);
	strbuf_cut(&rest.abbrev.buf, abbrev_bytes);
	begin_file(&builder, &rest);
	elf_builder_write(&builder, tree, "build/unit.dwo");
	release_rest(&rest);
}

static void what_is_cut_off_is_not_taken(void **state)
{
	static const struct recipe *const recipes[] = { &gnu, &standard };
	const struct temp_tree *tree = *state;

	for (size_t i = 0; i < 2; i++) {
		struct rest rest;
		struct error err;

		make_rest(&rest, recipes[i]);
		for (size_t size = 0; size < rest.info.buf.size; size++) {
			write_cut(tree, recipes[i], size, SIZE_MAX);
			assert_rest(tree, recipes[i], NULL, "", &err);
			assert_non_null(strstr(err.message, "/build/unit.dwo belongs to another build"));
		}
		release_rest(&rest);
	}
}

static void without_its_abbreviation_a_unit_is_not_taken(void **state)
{
	static const struct recipe *const recipes[] = { &gnu, &standard };
	const struct temp_tree *tree = *state;

	for (size_t i = 0; i < 2; i++) {
		struct error err;

		for (size_t size = 0; size < 12; size++) { /* up to the unit's own abbreviation */
			write_cut(tree, recipes[i], SIZE_MAX, size);
			assert_rest(tree, recipes[i], NULL, "", &err);
		}
	}
}

static void a_file_that_is_none_is_named(void **state)
{
	const struct temp_tree *tree = *state;
	char expected[256];
	struct error err;

	snprintf(expected, sizeof(expected), "%s/build/unit.dwo is not an ELF file: it has 4 bytes",
		 tree->root);
	temp_tree_file(tree, "build/unit.dwo", "text");
	assert_rest(tree, &standard, NULL, "", &err);
	assert_string_equal(err.message, expected);
}

/* Any wrong byte gives nothing worse than a wrong answer. */
static void damage_is_survived(void **state)
{
	static const struct recipe *const recipes[] = { &gnu, &standard };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct elf_builder builder;
		struct main_file main;
		struct rest rest;
		uint8_t *bytes;
		size_t size;

		make_main(&main, recipes[i]);
		make_rest(&rest, recipes[i]);
		begin_file(&builder, &rest);
		bytes = elf_builder_finish(&builder, &size);
		elf_builder_fini(&builder);
		for (size_t at = 0; at < size; at++) {
			struct split_unit split = { .own_file = NULL };
			const uint8_t kept = bytes[at];
			struct memory_file file;
			struct strbuf text;

			bytes[at] ^= 0xff;
			memory_file_create(&file, bytes, size);
			main.skeleton.split_name = file.path;
			strbuf_init(&text);
			if (split_unit_open(&split, &main.skeleton, &main.sections, NULL, "",
					    "/proc/nonexistent", NULL) == 0)
				describe(&text, &split);
			split_unit_close(&split);
			strbuf_fini(&text);
			memory_file_close(&file);
			bytes[at] = kept;
		}
		free(bytes);
		release_rest(&rest);
		release_main(&main);
	}
}

/* --- packages ------------------------------------------------------------------------------------------ */

/* The index of a package, as a test needs it. */
struct index_recipe {
	uint32_t version, slot_count;
	uint32_t unit_count; /* as the index claims */
	size_t cut_bytes;    /* missing at its end */
	uint32_t first_row;  /* row of the first unit */
};

enum { UNITS = 2, COLUMNS = 4, SLOTS = 4 };

static const struct index_recipe good = { 5, SLOTS, UNITS, 0, 1 };

/* The slot of an id is its lowest bits; if that is taken, the step to the next one is its upper half (section 7.3.5.3). */
static void make_index(struct dwarf_bytes *index, const struct index_recipe *recipe,
		       const uint64_t ids[UNITS], uint32_t offsets[UNITS][COLUMNS])
{
	uint64_t slot_ids[SLOTS] = { 0 };
	uint32_t slot_rows[SLOTS] = { 0 };

	for (uint32_t row = 0; row < UNITS; row++) {
		size_t slot = ids[row] % SLOTS;

		while (slot_rows[slot])
			slot = (slot + ((ids[row] >> 32) % SLOTS | 1)) % SLOTS;
		slot_ids[slot] = ids[row];
		slot_rows[slot] = recipe->first_row + row;
	}
	if (recipe->version == 5) {
		dwarf_bytes_u16(index, 5);
		dwarf_bytes_u16(index, 0);
	} else {
		dwarf_bytes_u32(index, recipe->version);
	}
	dwarf_bytes_u32(index, COLUMNS);
	dwarf_bytes_u32(index, recipe->unit_count);
	dwarf_bytes_u32(index, recipe->slot_count);
	for (size_t i = 0; i < SLOTS; i++)
		dwarf_bytes_u64(index, slot_ids[i]);
	for (size_t i = 0; i < SLOTS; i++)
		dwarf_bytes_u32(index, slot_rows[i]);
	dwarf_bytes_u32(index, DW_SECT_INFO);
	dwarf_bytes_u32(index, DW_SECT_ABBREV);
	dwarf_bytes_u32(index, DW_SECT_RNGLISTS);
	dwarf_bytes_u32(index, DW_SECT_MACRO);
	for (size_t unit = 0; unit < UNITS; unit++)
		for (size_t column = 0; column < COLUMNS; column++)
			dwarf_bytes_u32(index, offsets[unit][column]);
	for (size_t i = 0; i < UNITS * COLUMNS; i++)
		dwarf_bytes_u32(index, 0); /* sizes, which are also in the units */
	strbuf_cut(&index->buf, index->buf.size - recipe->cut_bytes);
}

/* Two units, one behind the other. */
static void write_package(const struct temp_tree *tree, const struct recipe recipes[UNITS],
			  const struct index_recipe *wanted)
{
	const uint64_t ids[UNITS] = { recipes[0].id, recipes[1].id };
	uint32_t offsets[UNITS][COLUMNS] = { { 0 } };
	struct rest all, second;
	struct elf_builder builder;
	struct dwarf_bytes index;

	make_rest(&all, &recipes[0]);
	make_rest(&second, &recipes[1]);
	offsets[1][0] = (uint32_t)all.info.buf.size;
	offsets[1][1] = (uint32_t)all.abbrev.buf.size;
	offsets[1][2] = (uint32_t)all.rnglists.buf.size;
	offsets[1][3] = UINT32_MAX; /* this section is not read */
	append(&all.info, &second.info);
	append(&all.abbrev, &second.abbrev);
	append(&all.rnglists, &second.rnglists);
	init(&index, &recipes[0]);
	make_index(&index, wanted, ids, offsets);
	begin_file(&builder, &all);
	add_section(&builder, ".debug_cu_index", &index);
	elf_builder_write(&builder, tree, "bin/program.dwp");
	dwarf_bytes_fini(&index);
	release_rest(&second);
	release_rest(&all);
}

static struct split_package *open_package(const struct temp_tree *tree, struct error *err)
{
	char *path = xasprintf("%s/bin/program.dwp", tree->root);
	struct split_package *package;

	err->message[0] = '\0';
	package = split_package_open(path, err);
	free(path);
	return package;
}

/* Two units whose ids want the same slot. The other one's step is three, which is one back. */
static void make_recipes(struct recipe recipes[UNITS], const struct recipe *model)
{
	recipes[0] = recipes[1] = *model;
	recipes[0].id = 0x2233445255667788;
	recipes[0].name = "one.c";
	recipes[1].name = "other.c";
	recipes[1].id = recipes[0].id + SLOTS;
}

static void units_are_found_in_a_package_by_their_id(void **state)
{
	const struct temp_tree *tree = *state;

	for (int i = 0; i < 4; i++) {
		struct recipe model = i & 1 ? standard : gnu, recipes[UNITS];
		struct index_recipe index = good;
		struct split_package *package;
		struct error err;

		model.swap = i & 2;
		index.version = i & 1 ? 5 : 2;
		make_recipes(recipes, &model);
		write_package(tree, recipes, &index);
		package = open_package(tree, &err);
		assert_non_null(package);
		assert_string_equal(err.message, "");
		assert_rest(tree, &recipes[0], package, DESCRIBED("one.c"), &err);
		assert_rest(tree, &recipes[1], package, DESCRIBED("other.c"), &err);
		split_package_close(package);
	}
}

static void what_a_package_does_not_have_is_looked_for_in_a_file(void **state)
{
	const struct temp_tree *tree = *state;
	struct recipe recipes[UNITS], missing = standard;
	struct split_package *package;
	char expected[256];
	struct error err;

	snprintf(expected, sizeof(expected), "cannot open %s/build/unit.dwo: No such file or directory",
		 tree->root);
	missing.id = 1;
	make_recipes(recipes, &standard);
	write_package(tree, recipes, &good);
	package = open_package(tree, &err);
	assert_non_null(package);
	assert_rest(tree, &missing, package, "", &err);
	assert_string_equal(err.message, expected);
	write_dwo(tree, "build/unit.dwo", &missing);
	assert_rest(tree, &missing, package, DESCRIBED("unit.c"), &err);
	split_package_close(package);
}

static void a_row_that_the_index_does_not_have_is_as_none(void **state)
{
	const struct temp_tree *tree = *state;
	struct index_recipe index = good;
	struct recipe recipes[UNITS];
	struct split_package *package;
	struct error err;

	index.first_row = 2; /* so the other's is 3, out of 2 */
	make_recipes(recipes, &standard);
	write_package(tree, recipes, &index);
	package = open_package(tree, &err);
	assert_non_null(package);
	assert_rest(tree, &recipes[1], package, "", &err);
	assert_rest(tree, &recipes[0], package, "", &err); /* its row is the other unit's, whose id differs */
	split_package_close(package);
}

static void indexes_that_are_damaged_are_refused(void **state)
{
	static const struct index_recipe damaged[] = {
		{ 3, SLOTS, UNITS, 0, 1 },                /* an unknown version */
		{ 5, 3, UNITS, 0, 1 },                    /* the number of slots must be a power of two */
		{ 5, 0, UNITS, 0, 1 },                    /* and not 0 */
		{ 5, 1u << 31, UNITS, 0, 1 },             /* more than there are bytes */
		{ 5, SLOTS, UINT32_MAX, 0, 1 },           /* more rows than there are bytes */
		{ 5, SLOTS, UNITS, 32 + 1, 1 },           /* offsets are incomplete (sizes are not read) */
		{ 5, SLOTS, UNITS, 32 + 32 + 16 + 1, 1 }, /* ends in the middle of the rows */
	};
	const struct temp_tree *tree = *state;
	struct recipe recipes[UNITS];
	char expected[256];

	snprintf(expected, sizeof(expected), "%s/bin/program.dwp has no index of its units, or a damaged one",
		 tree->root);
	make_recipes(recipes, &standard);
	for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		struct error err;

		write_package(tree, recipes, &damaged[i]);
		assert_null(open_package(tree, &err));
		assert_string_equal(err.message, expected);
	}
}

static void a_package_without_an_index_is_refused(void **state)
{
	const struct temp_tree *tree = *state;
	char expected[256];
	struct error err;

	snprintf(expected, sizeof(expected), "%s/bin/program.dwp has no index of its units, or a damaged one",
		 tree->root);
	write_dwo(tree, "bin/program.dwp", &standard);
	assert_null(open_package(tree, &err));
	assert_string_equal(err.message, expected);
}

static void a_package_that_is_not_there_is_no_error(void **state)
{
	struct error err;

	assert_null(open_package(*state, &err));
	assert_string_equal(err.message, "");
	split_package_close(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, temp_tree_set_up, temp_tree_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(units_of_every_version_width_and_byte_order_become_whole),
		TEST(a_file_is_looked_for_beside_the_binary_next),
		TEST(a_file_with_a_full_path_is_found_below_another_root),
		TEST(a_file_that_is_nowhere_is_named),
		TEST(a_file_of_another_build_is_never_taken),
		TEST(one_of_another_build_does_not_hide_the_right_one),
		TEST(units_of_types_may_come_first),
		TEST(what_is_cut_off_is_not_taken),
		TEST(without_its_abbreviation_a_unit_is_not_taken),
		TEST(a_file_that_is_none_is_named),
		cmocka_unit_test(damage_is_survived),
		TEST(units_are_found_in_a_package_by_their_id),
		TEST(what_a_package_does_not_have_is_looked_for_in_a_file),
		TEST(a_row_that_the_index_does_not_have_is_as_none),
		TEST(indexes_that_are_damaged_are_refused),
		TEST(a_package_without_an_index_is_refused),
		TEST(a_package_that_is_not_there_is_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "symbol/kallsyms.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/named_address.h"

static struct kallsyms *parse(const char *text, struct error *err)
{
	return kallsyms_from_text(xstrdup(text), strlen(text), "test", err);
}

static void assert_name(struct kallsyms *kallsyms, uint64_t address, const char *name, const char *module)
{
	const struct symbol_map_entry *entry = symbol_map_find(kallsyms_map(kallsyms), address);

	assert_named_address(kallsyms_map(kallsyms), address, name);
	if (entry)
		assert_string_equal(kallsyms_module(kallsyms, entry->group), module);
}

static void kernel_modules_and_bpf_programs_are_told_apart(void **state)
{
	struct kallsyms *kallsyms = parse("ffffffff81000000 T _stext\n"
					  "ffffffff81000100 t helper\n"
					  "ffffffffc0200000 t init_module\t[kvm_intel]\n"
					  "ffffffffc0201000 t bpf_prog_6deef7357e7b4530_f\t[bpf]\n",
					  NULL);

	(void)state;
	assert_name(kallsyms, 0xffffffff810000ff, "_stext", "");
	assert_name(kallsyms, 0xffffffff81000100, "helper", "");
	assert_name(kallsyms, 0xffffffff81001fff, "helper", "");
	assert_name(kallsyms, 0xffffffff81002000, "nothing", "");
	assert_name(kallsyms, 0xffffffffc0200010, "init_module", "kvm_intel");
	assert_name(kallsyms, 0xffffffffc0201010, "bpf_prog_6deef7357e7b4530_f", "bpf");
	kallsyms_close(kallsyms);
}

static void read_only_data_and_mapping_symbols_are_left_out(void **state)
{
	struct kallsyms *kallsyms = parse("ffffffff81000000 T f\n"
					  "ffffffff81000010 R table\n"
					  "ffffffff81000020 A absolute\n"
					  "ffffffff81000030 t $x\n"
					  "ffffffff81000040 W g\n",
					  NULL);

	(void)state;
	assert_int_equal(symbol_map_count(kallsyms_map(kallsyms)), 2);
	assert_name(kallsyms, 0xffffffff8100003f, "f", "");
	assert_name(kallsyms, 0xffffffff81000040, "g", "");
	kallsyms_close(kallsyms);
}

static void reference_symbols_are_found_though_aliases_hide_them(void **state)
{
	struct kallsyms *kallsyms = parse("ffffffff81000000 T _stext\n"
					  "ffffffff81000000 T _text\n"
					  "ffffffff81000000 T __pi__text\n",
					  NULL);
	uint64_t address;

	(void)state;
	assert_name(kallsyms, 0xffffffff81000000, "__pi__text", "");
	assert_int_equal(kallsyms_address(kallsyms, "_text", &address), 0);
	assert_true(address == 0xffffffff81000000);
	assert_int_equal(kallsyms_address(kallsyms, "_stext", &address), 0);
	assert_int_equal(kallsyms_address(kallsyms, "_end", &address), -1);
	kallsyms_close(kallsyms);
}

static void garbage_lines_are_counted_and_skipped(void **state)
{
	struct kallsyms *kallsyms = parse("garbage\n"
					  "ffffffff81000000 T f\n"
					  "\n"
					  "ffffffff81000010 T\n"
					  "ffffffff81000010 T \n"
					  "ffffffff81000010 TT g\n"
					  "fffffffffffff81000010 T g\n"
					  "ffffffff81000020 T ]\n"
					  "ffffffff81000030 t h\t[]\n"
					  "ffffffff81000040 t cut",
					  NULL);

	(void)state;
	assert_name(kallsyms, 0xffffffff81000000, "f", "");
	assert_name(kallsyms, 0xffffffff81000020, "]", "");
	assert_name(kallsyms, 0xffffffff81000030, "h", "");
	assert_name(kallsyms, 0xffffffff81000040, "cut", "");
	kallsyms_close(kallsyms);
}

static void hidden_addresses_are_explained_with_the_way_out(void **state)
{
	static const char text[] = "0000000000000000 T _text\n0000000000000000 t f\t[kvm]\n";
	struct error err;

	(void)state;
	assert_null(parse(text, &err));
	assert_string_equal(err.message,
			    "test has no addresses, all are zero: it was copied by a user who may not "
			    "see them; copy /proc/kallsyms as root");
	assert_null(kallsyms_from_text(xstrdup(text), strlen(text), "/proc/kallsyms", &err));
	assert_non_null(strstr(err.message, "/proc/kallsyms hides its addresses (kptr_restrict is "));
	assert_non_null(strstr(err.message, "run as root, or 'sysctl kernel.kptr_restrict=0 "
					    "kernel.perf_event_paranoid=1'"));
}

static void text_without_symbols_is_refused(void **state)
{
	struct error err;

	(void)state;
	assert_null(parse("", &err));
	assert_null(parse("this is no list of symbols\n", &err));
	assert_string_equal(err.message,
			    "test holds no kernel symbols: lines 'address type name' are expected");
	assert_null(kallsyms_open("/proc/nonexistent/kallsyms", &err));
	assert_string_equal(err.message, "cannot open /proc/nonexistent/kallsyms: No such file or directory");
}

static void running_kernels_symbols_are_read(void **state)
{
	struct error err;
	struct kallsyms *kallsyms = kallsyms_open("/proc/kallsyms", &err);
	uint64_t address;

	(void)state;
	if (!kallsyms) {
		print_message("skipped: %s\n", err.message);
		skip();
	}
	assert_true(symbol_map_count(kallsyms_map(kallsyms)) > 1000);
	assert_int_equal(kallsyms_address(kallsyms, "_stext", &address), 0);
	assert_non_null(symbol_map_find(kallsyms_map(kallsyms), address));
	kallsyms_close(kallsyms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_modules_and_bpf_programs_are_told_apart),
		cmocka_unit_test(read_only_data_and_mapping_symbols_are_left_out),
		cmocka_unit_test(reference_symbols_are_found_though_aliases_hide_them),
		cmocka_unit_test(garbage_lines_are_counted_and_skipped),
		cmocka_unit_test(hidden_addresses_are_explained_with_the_way_out),
		cmocka_unit_test(text_without_symbols_is_refused),
		cmocka_unit_test(running_kernels_symbols_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

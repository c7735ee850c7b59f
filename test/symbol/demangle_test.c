#include "symbol/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "support/cmocka.h"

static void assert_reads(const char *name, bool parameters, const char *expected)
{
	char *text = demangle_name(name, parameters);

#ifndef HAVE_LIBIBERTY
	expected = "unchanged";
#endif
	assert_string_equal(text ? text : "unchanged", expected);
	free(text);
}

static void cxx_names_read_without_parameters(void **state)
{
	(void)state;
	assert_reads("_ZN2ns1S4spinEi", false, "ns::S::spin");
	assert_reads("_ZN2ns2twIiEET_S1_", false, "ns::tw<int>");
	assert_reads("_ZNSt6vectorIiSaIiEE9push_backERKi", false,
		     "std::vector<int, std::allocator<int> >::push_back");
	assert_reads("_ZN2ns1S4spinEi.constprop.0", false, "ns::S::spin");
}

static void cxx_names_read_with_parameters_when_asked(void **state)
{
	(void)state;
	assert_reads("_ZN2ns1S4spinEi", true, "ns::S::spin(int)");
	assert_reads("_ZN2ns2twIiEET_S1_", true, "int ns::tw<int>(int)");
	assert_reads("_ZN2ns1S4spinEi.cold", true, "ns::S::spin(int) [clone .cold]");
}

static void rust_names_lose_their_hash(void **state)
{
	(void)state;
	assert_reads("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", false, "core::fmt::Formatter::pad");
	assert_reads(
		"_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE",
		false, "<Test + 'static as foo::Bar<Test>>::bar");
	assert_reads("_RNvCskwGfYPst2Cb_3foo16example_function", false, "foo::example_function");
	assert_reads("_RNvMs_Cs4Cv8Wi1oAIB_7mycrateNtB4_7Example3foo", false, "<mycrate::Example>::foo");
}

static void d_names_are_read(void **state)
{
	(void)state;
	assert_reads("_D8demangle4testFaZv", false, "demangle.test(char)");
	assert_reads("_Dmain", false, "D main");
}

static void plt_entries_keep_their_suffix(void **state)
{
	(void)state;
	assert_reads("_ZNSo5writeEPKcl@plt", false, "std::ostream::write@plt");
	assert_reads("puts@plt", false, "unchanged");
	assert_reads("@plt", false, "unchanged");
}

static void names_of_other_languages_are_left_alone(void **state)
{
	static const char *const names[] = { "",
					     "_",
					     "main",
					     "__libc_start_main",
					     "_start",
					     "_Z",
					     "_R",
					     "_D",
					     "_DYNAMIC",
					     "runtime.mallocgc",
					     "LazyCompile:*f /tmp/a.js:1",
					     "_ZN",
					     "_Z3fo" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_reads(names[i], false, "unchanged");
}

/*
 * f(A, B<A, A>, B<B<A, A>, B<A, A> >, …): each parameter is twice as long as the one before, so a few hundred bytes expand
 * to gigabytes.
 */
static void exponential_name(struct strbuf *name, int levels)
{
	static const char base_36[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	strbuf_init(name);
	strbuf_adds(name, "_Z1f1A1BIS_S_E");
	for (int i = 1; i < levels; i++)
		strbuf_addf(name, "S0_IS%c_S%c_E", base_36[i], base_36[i]);
}

static void exponential_names_are_given_up(void **state)
{
	struct strbuf name;
	char *text;

	(void)state;
	exponential_name(&name, 3);
	assert_reads(name.bytes, true,
		     "f(A, B<A, A>, B<B<A, A>, B<A, A> >, B<B<B<A, A>, B<A, A> >, B<B<A, A>, B<A, A> > >)");
	strbuf_fini(&name);
	exponential_name(&name, 35);
	text = demangle_name(name.bytes, true);
	assert_null(text);
	strbuf_fini(&name);
}

static void absurdly_long_names_are_left_alone(void **state)
{
	struct strbuf name;

	(void)state;
	strbuf_init(&name);
	strbuf_adds(&name, "_Z");
	for (int i = 0; i < 1000000; i++)
		strbuf_addc(&name, 'P');
	assert_null(demangle_name(name.bytes, false));
	strbuf_fini(&name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cxx_names_read_without_parameters),
		cmocka_unit_test(cxx_names_read_with_parameters_when_asked),
		cmocka_unit_test(rust_names_lose_their_hash),
		cmocka_unit_test(d_names_are_read),
		cmocka_unit_test(plt_entries_keep_their_suffix),
		cmocka_unit_test(names_of_other_languages_are_left_alone),
		cmocka_unit_test(exponential_names_are_given_up),
		cmocka_unit_test(absurdly_long_names_are_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

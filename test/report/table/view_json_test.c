#include "report/table/table_options.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/drawn_view.h"
#include "support/profile_builder.h"

/* The beginning of every report. */
#define HEADER                              \
	"{\n"                               \
	"\t\"format\": \"xprof report\",\n" \
	"\t\"version\": 1,\n"               \
	"\t\"header\": {\n"                 \
	"\t\t\"file\": \"perf.data\",\n"    \
	"\t\t\"arch\": \"x86_64\",\n"       \
	"\t\t\"command_line\": [\n"         \
	"\t\t\t\"sh\",\n"                   \
	"\t\t\t\"-c\",\n"                   \
	"\t\t\t\"echo \\\"\\ufffd\\\"\"\n"  \
	"\t\t]\n"                           \
	"\t},\n"

static void assert_json(struct profile *profile, const struct layout_request *request, double percent_limit,
			const char *expected)
{
	struct table_options options = { .children = request->children, .percent_limit = percent_limit };
	struct profile_facts facts = {
		.path = "perf.data",
		.arch = "x86_64",
		.command_line = (const char *const[]){ "sh", "-c", "echo \"\xff\"" },
		.command_line_count = 3,
	};
	struct strbuf out;

	assert_int_equal(layout_make(&options.layout, request, NULL), 0);
	out = drawn_view(&view_json, profile, &facts, &options);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
}

static void a_frame_without_an_address_has_none(void **state)
{
	struct profile *p = profile_create();
	uint32_t cycles = builder_event(p, "cycles"), thread, location;
	struct strbuf out;
	struct table_options options = { .children = false };

	(void)state;
	thread = profile_thread(p, 10, 10, profile_string(p, "app"));
	location = profile_named_location(p, profile_dso(p, "app.rb", "app.rb", ""), "render", FRAME_USER);
	profile_add(
		p, &(struct profile_sample){ .event = cycles,
					     .end = STACK_END_ROOT,
					     .thread = thread,
					     .cpu = PROFILE_NONE,
					     .stack = profile_stack(p, PROFILE_NONE, location, FRAME_SAMPLED),
					     .count = 1,
					     .weight = 100 });
	assert_int_equal(layout_make(&options.layout, &(struct layout_request){ .sort = "sym" }, NULL), 0);
	out = drawn_view(&view_json, p, NULL, &options);
	assert_non_null(
		strstr(out.bytes, "{\"symbol\": \"render\", \"mode\": \"user\", \"dso\": \"app.rb\"}\n"));
	assert_null(strstr(out.bytes, "\"address\""));
	strbuf_fini(&out);
}

static void a_report_is_one_object_of_header_frames_and_events(void **state)
{
	struct profile *p = profile_create();
	uint32_t cycles = builder_event(p, "cycles");

	(void)state;
	builder_add(p, cycles, "web 10/11 3", "web`main;[k]`0xffffffff81000000", 2, 300);
	builder_add(p, cycles, "web 10/10", "`0x7f00", 1, 100);
	assert_json(
		p, &(struct layout_request){ .children = true, .sort = "dso,sym" }, 0,
		HEADER
		"\t\"frames\": [\n"
		"\t\t{\"address\": \"0xffffffff81000000\", \"mode\": \"kernel\", \"dso\": \"[kernel.kallsyms]\"},\n"
		"\t\t{\"symbol\": \"main\", \"address\": \"0x5000\", \"mode\": \"user\", \"dso\": \"web\"},\n"
		"\t\t{\"address\": \"0x7f00\", \"mode\": \"user\"}\n"
		"\t],\n"
		"\t\"events\": [\n"
		"\t\t{\n"
		"\t\t\t\"name\": \"cycles\",\n"
		"\t\t\t\"frequency_hz\": 4000,\n"
		"\t\t\t\"total\": {\n"
		"\t\t\t\t\"samples\": 3,\n"
		"\t\t\t\t\"period\": 400\n"
		"\t\t\t},\n"
		"\t\t\t\"shown\": {\n"
		"\t\t\t\t\"samples\": 3,\n"
		"\t\t\t\t\"period\": 400\n"
		"\t\t\t},\n"
		"\t\t\t\"rows\": [\n"
		"\t\t\t\t{\"self\": {\"samples\": 2, \"period\": 300}, \"children\": {\"samples\": 2, \"period\": 300}, "
		"\"dso\": \"[kernel.kallsyms]\", \"address\": \"0xffffffff81000000\", \"mode\": \"kernel\"},\n"
		"\t\t\t\t{\"self\": {\"samples\": 0, \"period\": 0}, \"children\": {\"samples\": 2, \"period\": 300}, "
		"\"dso\": \"web\", \"symbol\": \"main\", \"address\": \"0x5000\", \"mode\": \"user\"},\n"
		"\t\t\t\t{\"self\": {\"samples\": 1, \"period\": 100}, \"children\": {\"samples\": 1, \"period\": 100}, "
		"\"dso\": \"[unknown]\", \"address\": \"0x7f00\", \"mode\": \"user\"}\n"
		"\t\t\t],\n"
		"\t\t\t\"stacks\": [\n"
		"\t\t\t\t{\"samples\": 2, \"period\": 300, \"comm\": \"web\", \"pid\": 10, \"tid\": 11, \"cpu\": 3, "
		"\"end\": \"root\", \"frames\": [1, 0]},\n"
		"\t\t\t\t{\"samples\": 1, \"period\": 100, \"comm\": \"web\", \"pid\": 10, \"tid\": 10, "
		"\"end\": \"root\", \"frames\": [2]}\n"
		"\t\t\t]\n"
		"\t\t}\n"
		"\t]\n"
		"}\n");
}

static void an_empty_profile_has_empty_arrays(void **state)
{
	(void)state;
	assert_json(profile_create(), &(struct layout_request){ 0 }, 0,
		    HEADER "\t\"frames\": [],\n"
			   "\t\"events\": []\n"
			   "}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_without_an_address_has_none),
		cmocka_unit_test(a_report_is_one_object_of_header_frames_and_events),
		cmocka_unit_test(an_empty_profile_has_empty_arrays),
	};

	return cmocka_run_group_tests_name("report/table/view_json", tests, NULL, NULL);
}

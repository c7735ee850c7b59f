/* Prints the dump and the samples of a perf.data of arbitrary bytes as text, with every field and record. */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "report/dump/dump_record.h"
#include "report/script/script_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void dump_all(const uint8_t *data, size_t size)
{
	struct error err;
	struct perf_file *file = perf_file_open_memory(data, size, "fuzz", &err);
	struct dump_out out;
	struct event event;

	if (!file)
		return;
	dump_out_init(&out, true, (struct color){ false });
	while (perf_file_next(file, &event, &err) == 1) {
		(void)dump_record(&out, file, &event, true, &err);
		strbuf_reset(&out.text);
	}
	dump_out_fini(&out);
	perf_file_close(file);
}

/* `fields`: NULL for the defaults. */
static void print_all(const uint8_t *data, size_t size, FILE *out, const char *fields)
{
	static const struct script_filter everything = { 0 };
	struct script_request request = {
		.style = { .fields = script_default_fields, .callchains = true, .stacks.max_stack = 127 },
		.filter = &everything,
		.symbols = { .symfs = "/proc/nonexistent" },
		.out = out,
		.show_task_events = true,
		.show_mmap_events = true,
		.show_switch_events = true,
		.show_lost_events = true,
		.show_namespace_events = true,
		.show_cgroup_events = true,
		.show_bpf_events = true,
		.show_text_poke_events = true
	};
	struct script_losses losses;
	struct error err;
	struct perf_file *file = perf_file_open_memory(data, size, "fuzz", &err);

	if (!file)
		return;
	if (fields)
		(void)script_fields_parse(&request.style.fields, fields, &err);
	(void)script_run(file, &request, &losses, &err);
	perf_file_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *out = fopen("/dev/null", "w");

	if (!out)
		return 0;
	dump_all(data, size);
	print_all(data, size, out, NULL);
	print_all(data, size, out, "comm,pid,tid,time,misc,event,ip,sym,symoff,dso,brstacksym");
	fclose(out);
	return 0;
}

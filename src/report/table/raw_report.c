/* -D is left to dump_run(); the other reports become one text in memory, which is printed at the end. */
#include "report/table/other_reports.h"

#include <stdio.h>

#include "cli/pager.h"
#include "report/dump/dump_run.h"
#include "report/dump/file_header.h"
#include "report/dump/record_lists.h"
#include "report/load/recording_file.h"

bool raw_report_is_wanted(const struct report_options *options)
{
	return options->header_only || options->dump || options->stats || options->tasks || options->mmaps;
}

static int add_text(struct strbuf *out, const struct report_options *options, struct perf_file *file,
		    struct error *err)
{
	if (options->header_only) {
		file_header_add(out, file, options->header_at_length);
		return 0;
	}
	return record_lists_add(out, file,
				options->stats ? RECORD_LIST_STATS :
				options->mmaps ? RECORD_LIST_MMAPS :
						 RECORD_LIST_TASKS,
				err);
}

static int dump_records(const struct report_options *options, struct error *err)
{
	return dump_run(&(struct dump_request){ .input = options->input,
						.records = true,
						.offset_to = UINT64_MAX,
						.color = options->color,
						.pager = options->pager },
			err);
}

int raw_report_run(const struct report_options *options, struct error *err)
{
	struct recording_file recording;
	struct pager *pager;
	struct strbuf out = STRBUF_INIT;
	int status;

	if (options->dump)
		return dump_records(options, err);
	if (recording_file_open(&recording, options->input, err))
		return CLI_FAILED;
	status = add_text(&out, options, recording.file, err);
	if (status == 0) {
		pager = pager_start(options->pager);
		fwrite(out.bytes, 1, out.size, stdout);
		pager_finish(pager);
	}
	strbuf_fini(&out);
	recording_file_close(&recording);
	return status ? CLI_FAILED : 0;
}

/*
 * One function per kind of fact, from uname(), /proc/cpuinfo, /proc/meminfo and /proc/self. These few reads are cheap
 * enough to come before sampling; machine_features.c has the facts that take many files.
 */
#include "record/machine/host_features.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "record/machine/machine_sections.h"
#include "record/machine/proc_file.h"

void host_features_find_field(struct strbuf *value, const char *text, const char *key)
{
	size_t key_length = strlen(key);

	strbuf_reset(value);
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *rest = line + key_length;

		if (strncmp(line, key, key_length) != 0)
			continue;
		rest += strspn(rest, " \t");
		if (*rest != ':')
			continue;
		rest++;
		rest += strspn(rest, " \t");
		strbuf_add(value, rest, strcspn(rest, "\n"));
		return;
	}
}

static void set_cpus(struct perf_writer *writer)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	struct strbuf numbers = STRBUF_INIT;

	strbuf_add_u32(&numbers, cpu_topology_available("/sys"), false);
	strbuf_add_u32(&numbers, online > 0 ? (uint32_t)online : 0, false);
	perf_writer_set_feature(writer, HEADER_NRCPUS, numbers.bytes, numbers.size);
	strbuf_fini(&numbers);
}

static void set_memory(struct perf_writer *writer, const char *meminfo)
{
	struct strbuf value = STRBUF_INIT;
	uint64_t total_kib;

	host_features_find_field(&value, meminfo, "MemTotal");
	total_kib = value.size ? strtoull(value.bytes, NULL, 10) : 0;
	if (total_kib)
		perf_writer_set_feature(writer, HEADER_TOTAL_MEM, &total_kib, sizeof(total_kib));
	strbuf_fini(&value);
}

/* x86: "GenuineIntel,6,158,9"; arm64: the MIDR register. The same as perf's cpuid. */
static void add_cpu_id(struct strbuf *id, const char *cpuinfo)
{
	static const char *const keys[] = { "vendor_id", "cpu family", "model", "stepping" };
	struct strbuf value = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		host_features_find_field(&value, cpuinfo, keys[i]);
		if (value.size == 0)
			break;
		strbuf_addf(id, "%s%s", i ? "," : "", value.bytes);
	}
	if (id->size == 0) {
		strbuf_reset(&value);
		if (proc_file_read(&value, "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1",
				   NULL) == 0)
			strbuf_add(id, value.bytes, strcspn(value.bytes, "\n"));
	}
	strbuf_fini(&value);
}

static void set_cpu_names(struct perf_writer *writer)
{
	struct strbuf cpuinfo = STRBUF_INIT, text = STRBUF_INIT;

	if (proc_file_read(&cpuinfo, "/proc/cpuinfo", NULL) == 0) {
		host_features_find_field(&text, cpuinfo.bytes, "model name");
		if (text.size)
			perf_writer_set_string(writer, HEADER_CPUDESC, text.bytes);
		strbuf_reset(&text);
		add_cpu_id(&text, cpuinfo.bytes);
		if (text.size)
			perf_writer_set_string(writer, HEADER_CPUID, text.bytes);
	}
	strbuf_fini(&cpuinfo);
	strbuf_fini(&text);
}

/* The program's path, then its arguments as typed. */
static void set_command_line(struct perf_writer *writer)
{
	const char **texts = NULL;
	size_t count = 0, capacity = 0;
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	struct strbuf arguments = STRBUF_INIT;

	if (length > 0 && proc_file_read(&arguments, "/proc/self/cmdline", NULL) == 0) {
		program[length] = '\0';
		for (size_t at = 0; at < arguments.size; at += strlen(arguments.bytes + at) + 1) {
			texts = array_grow(texts, &capacity, count + 1, sizeof(*texts));
			texts[count] = count ? arguments.bytes + at : program;
			count++;
		}
		if (count)
			perf_writer_set_strings(writer, HEADER_CMDLINE, texts, count);
	}
	free(texts);
	strbuf_fini(&arguments);
}

void host_features_set(struct perf_writer *writer, const char *version)
{
	struct utsname system;
	struct strbuf meminfo = STRBUF_INIT;

	if (uname(&system) == 0) {
		perf_writer_set_string(writer, HEADER_HOSTNAME, system.nodename);
		perf_writer_set_string(writer, HEADER_OSRELEASE, system.release);
		perf_writer_set_string(writer, HEADER_ARCH, system.machine);
	}
	perf_writer_set_string(writer, HEADER_VERSION, version);
	set_cpus(writer);
	set_cpu_names(writer);
	if (proc_file_read(&meminfo, "/proc/meminfo", NULL) == 0)
		set_memory(writer, meminfo.bytes);
	strbuf_fini(&meminfo);
	set_command_line(writer);
}

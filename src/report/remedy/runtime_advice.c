/*
 * One row per version that changed something, the newest first. In the texts @ stands for the version and #
 * for the process. Facts are those of the runtimes' own manuals: "Python support for the Linux perf profiler"
 * (python.org, 3.12 and 3.13), jcmd(1) of JDK 17, node --v8-options, ruby --help (3.3), mono(1), erl(1),
 * lj_trace.c of LuaJIT, docs.julialang.org, learn.microsoft.com (DOTNET_PerfMapEnabled), opcache.jit_debug of
 * PHP's configuration; luajit(1), "Environment variables" of Guile's manual, pypy3 --jit help.
 */
#include "report/remedy/runtime_advice.h"

#include <ctype.h>
#include <string.h>

struct runtime_rule {
	const char *file; /* beginning of its name */
	unsigned int since_major, since_minor;
	const char *advice;
	bool interprets;
};

/*
 * How stacks through the code that a runtime compiles become whole. Each advice was tried with xprof record -g, with and without
 * it: LuaJIT 2.1, Guile 3.0, PyPy 7.3, OpenJDK 17, Mono 6.8 and Erlang/OTP 25.
 */
static const struct {
	const char *file; /* beginning of its name */
	const char *advice;
} stack_rules[] = {
	{ "luajit", "run 'luajit -joff', which compiles nothing" },
	{ "libluajit", "run 'luajit -joff', which compiles nothing" },
	{ "guile", "set GUILE_JIT_THRESHOLD=-1 for it, which compiles nothing" },
	{ "libguile", "set GUILE_JIT_THRESHOLD=-1 for it, which compiles nothing" },
	{ "pypy", "run 'pypy3 --jit off', which compiles nothing" },
	{ "libpypy", "run 'pypy3 --jit off', which compiles nothing" },
	{ "java", "run 'java -XX:+PreserveFramePointer'" },
	{ "libjvm", "run 'java -XX:+PreserveFramePointer'" },
	{ "mono", "run 'mono --interpreter', which compiles nothing" },
	{ "libmono", "run 'mono --interpreter', which compiles nothing" },
	{ "erl", "run 'erl +JPperf true', which brings callers up to where the Erlang process starts" },
	{ "beam.smp", "run 'erl +JPperf true', which brings callers up to where the Erlang process starts" },
};

static const char python_too_old[] =
	"python@ cannot name its functions, 3.12 and later can: run 'python3.12 -X perf'";
static const char python_unknown[] =
	"run 'python3 -X perf' (3.12), or 'python3 -X perf_jit' (3.13 and later)";
static const char java[] =
	"'jcmd # Compiler.perfmap' while it runs and is recorded, or java "
	"-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit; -XX:+PreserveFramePointer for "
	"callers";
static const char java_too_old[] = "java @ needs an agent that writes perf maps, 17 and later do not: java "
				   "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit";
static const char java_unknown[] =
	"'jcmd # Compiler.perfmap' while it runs and is recorded (JDK 17 and later), or an "
	"agent that writes perf maps; -XX:+PreserveFramePointer for callers";
static const char ruby_too_old[] =
	"ruby @ cannot name its code, 3.3 and later can: run 'ruby --yjit --yjit-perf'";
static const char ruby_unknown[] = "run 'ruby --yjit --yjit-perf' (3.3 and later)";
static const char luajit[] = "build LuaJIT with -DLUAJIT_USE_PERFTOOLS, which writes perf maps";
static const char mono[] = "run 'mono --jitmap', or set MONO_ENV_OPTIONS=--jitmap";
static const char php[] = "run 'php -d opcache.jit_debug=16'";

static const struct runtime_rule rules[] = {
	{ "java", 0, 0, java_unknown, false },
	{ "libjvm.so", 17, 0, java, false },
	{ "libjvm.so", 1, 0, java_too_old, false },
	{ "libjvm.so", 0, 0, java_unknown, false },
	{ "libcoreclr.so", 0, 0, "set DOTNET_PerfMapEnabled=1 for it", false },
	{ "libnode.so", 0, 0, "run 'node --perf-basic-prof'", false },
	{ "node", 0, 0, "run 'node --perf-basic-prof'", false },
	{ "libpython3", 3, 13, "run 'python@ -X perf_jit'", true },
	{ "libpython3", 3, 12, "run 'python@ -X perf'", true },
	{ "libpython3", 3, 0, python_too_old, true },
	{ "libpython3", 0, 0, python_unknown, true },
	{ "python3", 3, 13, "run 'python@ -X perf_jit'", true },
	{ "python3", 3, 12, "run 'python@ -X perf'", true },
	{ "python3", 3, 0, python_too_old, true },
	{ "python3", 0, 0, python_unknown, true },
	{ "libruby", 3, 3, "run 'ruby --yjit --yjit-perf'", false },
	{ "libruby", 1, 0, ruby_too_old, false },
	{ "libruby", 0, 0, ruby_unknown, false },
	{ "ruby", 3, 3, "run 'ruby --yjit --yjit-perf'", false },
	{ "ruby", 1, 0, ruby_too_old, false },
	{ "ruby", 0, 0, ruby_unknown, false },
	{ "beam.smp", 0, 0, "run 'erl +JPperf true', or set ERL_FLAGS='+JPperf true'", false },
	{ "php", 0, 0, php, false },
	{ "libphp", 0, 0, php, false },
	{ "opcache.so", 0, 0, php, false },
	{ "luajit", 0, 0, luajit, false },
	{ "libluajit", 0, 0, luajit, false },
	{ "mono", 0, 0, mono, false },
	{ "libmono", 0, 0, mono, false },
	{ "libjulia", 0, 0, "set ENABLE_JITPROFILING=1 for julia, and record with '-k monotonic'", false },
	{ "deno", 0, 0, "run 'deno run --v8-flags=--perf-basic-prof'", false },
	{ "qemu-", 0, 0, "run qemu with -perfmap", false },
	{ "wasmtime", 0, 0, "run 'wasmtime run --profile=perfmap'", false },
};

/* Reads digits as a number, and moves *at past them. */
static unsigned int take_number(const char **at)
{
	unsigned int number = 0;

	for (; isdigit((unsigned char)**at); ++*at)
		number = number < 1000 ? number * 10 + (unsigned int)(**at - '0') : number;
	return number;
}

/* "python3.11", "libruby-3.1.so.3.1": the first number that is followed by a point and another number. */
static void find_version_in_name(const char *name, struct runtime_use *use)
{
	while (*name) {
		if (!isdigit((unsigned char)*name)) {
			name++;
			continue;
		}
		const unsigned int number = take_number(&name);

		if (name[0] != '.' || !isdigit((unsigned char)name[1]))
			continue;
		name++;
		use->major = number;
		use->minor = take_number(&name);
		return;
	}
}

/* "/usr/lib/jvm/java-17-openjdk-amd64/lib/server/libjvm.so", "/opt/jdk-21.0.2/…", "…/java-1.8.0-openjdk/…" */
static void find_version_of_java(const char *path, struct runtime_use *use)
{
	static const char *const prefixes[] = { "java-", "jdk-", "jdk", "jre-" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]) && !use->major; i++) {
		const char *at = strstr(path, prefixes[i]);

		if (!at)
			continue;
		at += strlen(prefixes[i]);
		use->major = take_number(&at);
		if (use->major == 1 && *at++ == '.')
			use->major = take_number(&at);
	}
}

/* The rule for the version; an unknown version is 0.0. */
static const struct runtime_rule *find_rule(const char *name, const struct runtime_use *use)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (strncmp(name, rules[i].file, strlen(rules[i].file)) == 0 &&
		    (use->major > rules[i].since_major ||
		     (use->major == rules[i].since_major && use->minor >= rules[i].since_minor)))
			return &rules[i];
	return NULL;
}

struct runtime_use runtime_use_of_file(const char *path)
{
	const char *name = basename(path);
	struct runtime_use use = { .rule = NULL };

	if (strncmp(name, "libjvm", strlen("libjvm")) == 0)
		find_version_of_java(path, &use);
	else
		find_version_in_name(name, &use);
	use.rule = find_rule(name, &use);
	return use;
}

static void add_version(struct strbuf *out, const struct runtime_use *use)
{
	strbuf_addf(out, "%u", use->major);
	if (strncmp(use->rule->file, "libjvm", strlen("libjvm")) != 0)
		strbuf_addf(out, ".%u", use->minor);
}

void runtime_advice_add(struct strbuf *out, const struct runtime_use *use, uint32_t pid)
{
	if (!use->rule) {
		strbuf_adds(out, "its compiler must be told to write a perf map or a jitdump file (node "
				 "--perf-basic-prof, python -X perf, DOTNET_PerfMapEnabled=1)");
		return;
	}
	for (const char *at = use->rule->advice; *at; at++) {
		if (*at == '@')
			add_version(out, use);
		else if (*at == '#')
			strbuf_addf(out, "%u", pid);
		else
			strbuf_addc(out, *at);
	}
}

const char *runtime_stack_advice(const char *path)
{
	const char *name = basename(path);

	for (size_t i = 0; i < sizeof(stack_rules) / sizeof(stack_rules[0]); i++)
		if (strncmp(name, stack_rules[i].file, strlen(stack_rules[i].file)) == 0)
			return stack_rules[i].advice;
	return NULL;
}

bool runtime_interprets(const struct runtime_use *use)
{
	return use->rule && use->rule->interprets;
}

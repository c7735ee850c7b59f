#include "report/remedy/runtime_advice.h"

#include "support/cmocka.h"

static void assert_advice(const char *path, const char *expected)
{
	const struct runtime_use use = runtime_use_of_file(path);
	struct strbuf out;

	strbuf_init(&out);
	runtime_advice_add(&out, &use, 4711);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
}

static void python_is_told_what_its_version_knows(void **state)
{
	(void)state;
	assert_advice("/usr/bin/python3.11",
		      "python3.11 cannot name its functions, 3.12 and later can: run 'python3.12 -X perf'");
	assert_advice("/usr/bin/python3.12", "run 'python3.12 -X perf'");
	assert_advice("/usr/lib/x86_64-linux-gnu/libpython3.12.so.1.0", "run 'python3.12 -X perf'");
	assert_advice("/usr/lib/x86_64-linux-gnu/libpython3.13.so.1.0", "run 'python3.13 -X perf_jit'");
	assert_advice("/opt/bin/python3.14", "run 'python3.14 -X perf_jit'");
	assert_advice("python3", "run 'python3 -X perf' (3.12), or 'python3 -X perf_jit' (3.13 and later)");
}

static void java_has_a_command_for_the_process_that_runs(void **state)
{
	static const char seventeen[] =
		"'jcmd 4711 Compiler.perfmap' while it runs and is recorded, or java "
		"-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit; -XX:+PreserveFramePointer for callers";

	(void)state;
	assert_advice("/usr/lib/jvm/java-17-openjdk-amd64/lib/server/libjvm.so", seventeen);
	assert_advice("/opt/jdk-21.0.2/lib/server/libjvm.so", seventeen);
	assert_advice("/usr/lib/jvm/java-1.8.0-openjdk/jre/lib/amd64/server/libjvm.so",
		      "java 8 needs an agent that writes perf maps, 17 and later do not: java "
		      "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit");
	assert_advice("/srv/runtime/lib/server/libjvm.so",
		      "'jcmd 4711 Compiler.perfmap' while it runs and is recorded (JDK 17 and later), or an "
		      "agent that writes perf maps; -XX:+PreserveFramePointer for callers");
}

static void ruby_is_told_whether_its_version_can(void **state)
{
	(void)state;
	assert_advice("/usr/lib/x86_64-linux-gnu/libruby-3.1.so.3.1.2",
		      "ruby 3.1 cannot name its code, 3.3 and later can: run 'ruby --yjit --yjit-perf'");
	assert_advice("/usr/lib/x86_64-linux-gnu/libruby-3.3.so.3.3.0", "run 'ruby --yjit --yjit-perf'");
	assert_advice("/usr/local/bin/ruby", "run 'ruby --yjit --yjit-perf' (3.3 and later)");
}

static void other_runtimes_have_one_way_each(void **state)
{
	(void)state;
	assert_advice("/usr/bin/node", "run 'node --perf-basic-prof'");
	assert_advice("/usr/bin/php8.2", "run 'php -d opcache.jit_debug=16'");
	assert_advice("/usr/lib/php/20220829/opcache.so", "run 'php -d opcache.jit_debug=16'");
	assert_advice("/usr/lib/x86_64-linux-gnu/libluajit-5.1.so.2.1.0",
		      "build LuaJIT with -DLUAJIT_USE_PERFTOOLS, which writes perf maps");
	assert_advice("/usr/bin/mono-sgen", "run 'mono --jitmap', or set MONO_ENV_OPTIONS=--jitmap");
	assert_advice("/usr/lib/erlang/erts-13.1.5/bin/beam.smp",
		      "run 'erl +JPperf true', or set ERL_FLAGS='+JPperf true'");
	assert_advice("/usr/lib/dotnet/shared/Microsoft.NETCore.App/8.0.1/libcoreclr.so",
		      "set DOTNET_PerfMapEnabled=1 for it");
	assert_advice("/usr/lib/x86_64-linux-gnu/libjulia.so.1.9",
		      "set ENABLE_JITPROFILING=1 for julia, and record with '-k monotonic'");
	assert_advice("/usr/bin/something",
		      "its compiler must be told to write a perf map or a jitdump file "
		      "(node --perf-basic-prof, python -X perf, DOTNET_PerfMapEnabled=1)");
}

static void only_python_interprets_what_no_sample_shows(void **state)
{
	const struct runtime_use python = runtime_use_of_file("/usr/bin/python3.11");
	const struct runtime_use node = runtime_use_of_file("/usr/bin/node");
	const struct runtime_use other = runtime_use_of_file("/usr/bin/make");

	(void)state;
	assert_true(runtime_interprets(&python));
	assert_false(runtime_interprets(&node));
	assert_false(runtime_interprets(&other));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(python_is_told_what_its_version_knows),
		cmocka_unit_test(java_has_a_command_for_the_process_that_runs),
		cmocka_unit_test(ruby_is_told_whether_its_version_can),
		cmocka_unit_test(other_runtimes_have_one_way_each),
		cmocka_unit_test(only_python_interprets_what_no_sample_shows),
	};

	return cmocka_run_group_tests_name("report/remedy/runtime_advice", tests, NULL, NULL);
}

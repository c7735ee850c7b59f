#include "report/flame/flame_rename.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "support/cmocka.h"

/* main calls a frame that stands for a function of lib.so. */
struct fixture {
	struct flame_graph graph;
	struct dso_builds *builds;
	struct name_pairs pairs;
};

static void add_build(struct fixture *fixture, int side, const char *dso, const char *build_id)
{
	struct profile *profile = profile_create();

	profile_dso(profile, dso, dso, build_id);
	dso_builds_add(fixture->builds, side, profile);
	profile_destroy(profile);
}

static int set_up(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	flame_graph_init(&fixture->graph, false);
	fixture->builds = dso_builds_create();
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	flame_graph_fini(&fixture->graph);
	dso_builds_destroy(fixture->builds);
	name_pairs_fini(&fixture->pairs);
	free(fixture);
	return 0;
}

static void add_function(struct fixture *fixture, const char *name, const char *dso, enum flame_kind kind)
{
	struct flame_graph *graph = &fixture->graph;
	const uint32_t root = call_tree_child(graph->tree, CALL_TREE_NONE,
					      flame_graph_add_key(graph, "main", "prog", FLAME_USER));
	const uint32_t leaf = call_tree_child(graph->tree, root, flame_graph_add_key(graph, name, dso, kind));

	call_tree_add(graph->tree, leaf, 1, 1);
}

/* The new name of the only function that main calls. */
static void assert_renamed(struct fixture *fixture, int side, const char *name, const char *dso)
{
	const struct flame_names names = { &fixture->pairs, fixture->builds, side };
	uint32_t places[8];
	struct call_tree *tree = flame_rename(&fixture->graph, &names, fixture->graph.tree, places);
	struct flame_frame frame;

	assert_int_equal(call_tree_node_count(tree), 2);
	frame = flame_graph_frame(&fixture->graph, call_tree_at(tree, 1)->key);
	assert_string_equal(frame.name, name);
	assert_string_equal(frame.dso, dso);
	call_tree_destroy(tree);
}

static void in_one_build_functions_without_names_stay(void **state)
{
	struct fixture *fixture = *state;

	add_build(fixture, COMPARE_BEFORE, "lib.so", "ab");
	add_build(fixture, COMPARE_AFTER, "lib.so", "ab");
	add_function(fixture, "lib.so+0x1f40", "lib.so", FLAME_UNKNOWN);
	assert_renamed(fixture, COMPARE_BEFORE, "lib.so+0x1f40", "lib.so");
	assert_renamed(fixture, COMPARE_AFTER, "lib.so+0x1f40", "lib.so");
}

static void in_two_builds_they_are_one(void **state)
{
	struct fixture *fixture = *state;

	add_build(fixture, COMPARE_BEFORE, "lib.so", "ab");
	add_build(fixture, COMPARE_AFTER, "lib.so", "cd");
	add_function(fixture, "lib.so+0x1f40", "lib.so", FLAME_UNKNOWN);
	add_function(fixture, "lib.so+0x2000", "lib.so", FLAME_UNKNOWN);
	assert_renamed(fixture, COMPARE_BEFORE, "[lib.so]", "lib.so");
	assert_renamed(fixture, COMPARE_AFTER, "[lib.so]", "lib.so");
}

static void a_guess_stays_marked(void **state)
{
	struct fixture *fixture = *state;

	add_build(fixture, COMPARE_BEFORE, "lib.so", "ab");
	add_build(fixture, COMPARE_AFTER, "lib.so", "cd");
	add_function(fixture, "lib.so+0x1f40 [guessed]", "lib.so", FLAME_GUESSED);
	assert_renamed(fixture, COMPARE_AFTER, "[lib.so] [guessed]", "lib.so");
}

static void functions_with_names_keep_them(void **state)
{
	struct fixture *fixture = *state;

	add_build(fixture, COMPARE_BEFORE, "lib.so", "ab");
	add_build(fixture, COMPARE_AFTER, "lib.so", "cd");
	add_function(fixture, "lib.so_init", "lib.so", FLAME_USER);
	assert_renamed(fixture, COMPARE_BEFORE, "lib.so_init", "lib.so");
}

static void what_has_no_name_in_a_renamed_program_is_called_as_now(void **state)
{
	struct fixture *fixture = *state;
	struct error err;

	add_build(fixture, COMPARE_BEFORE, "old", "ab");
	add_build(fixture, COMPARE_AFTER, "new", "cd");
	assert_int_equal(name_pairs_parse(&fixture->pairs, "old=new", &err), 0);
	add_function(fixture, "old+0x1f40", "old", FLAME_UNKNOWN);
	add_function(fixture, "[old]", "old", FLAME_UNKNOWN);
	assert_renamed(fixture, COMPARE_BEFORE, "[new]", "new");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(in_one_build_functions_without_names_stay, set_up, tear_down),
		cmocka_unit_test_setup_teardown(in_two_builds_they_are_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_guess_stays_marked, set_up, tear_down),
		cmocka_unit_test_setup_teardown(functions_with_names_keep_them, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_has_no_name_in_a_renamed_program_is_called_as_now,
						set_up, tear_down),
	};

	return cmocka_run_group_tests_name("report/flame/flame_rename", tests, NULL, NULL);
}

/* The numbers behind a page. */
'use strict';
const assert = require('assert');
const model = require('../../src/report/flame/web/flame_model.js');
const { number } = require('./numbers.js');

/* [depth, frame, samples, weight] a node, depth 1 first. */
function treeOf(nodes, scale) {
	let text = '', before = 0;
	for (const [depth, frame, samples, weight] of nodes) {
		text += number(before - depth + 1) + number(frame) + number(samples) + (samples ? number(weight) : '');
		before = depth;
	}
	return model.decode(text, scale || 1);
}

/* One node as "frame:weight/samples", children in parentheses. */
function shape(tree, node = 0) {
	const children = [];
	for (let i = node + 1; i < tree.end[node]; i = tree.end[i])
		children.push(shape(tree, i));
	return tree.frame[node] + ':' + tree.weight[node] + '/' + tree.samples[node] +
		(children.length ? '(' + children.join(' ') + ')' : '');
}

/* Each frame is a function of its own. */
const each = (count) => Int32Array.from({ length: count }, (_, i) => i);

/* 0 calls 1 (4 samples of 40), which calls itself (1 of 10), and 2 (2 of 20); itself it has 1 of 10. */
const small = () => treeOf([[1, 0, 1, 1], [2, 1, 4, 4], [3, 1, 1, 1], [2, 2, 2, 2]], 10);

module.exports = {
	sums_go_up_to_everything() {
		assert.strictEqual(shape(small()), '-1:80/8(0:80/8(1:50/5(1:10/1) 2:20/2))');
	},
	children_lie_side_by_side_and_what_a_node_has_itself_right_of_them() {
		assert.deepStrictEqual([...small().start.slice(0, 5)], [0, 0, 0, 0, 50]);
	},
	large_numbers_are_decoded() {
		const tree = treeOf([[1, 70000, 3, 123456789012345]]);
		assert.strictEqual(tree.frame[1], 70000);
		assert.strictEqual(tree.weight[0], 123456789012345);
	},
	nothing_is_a_tree_of_nothing() {
		const tree = model.decode('', 1);
		assert.strictEqual(shape(tree), '-1:0/0');
		assert.strictEqual(shape(model.reversed(tree)), '-1:0/0');
	},
	reversed_trees_begin_with_leaves_and_keep_the_sum() {
		assert.strictEqual(shape(model.reversed(small())), '-1:80/8(1:50/5(0:40/4 1:10/1(0:10/1)) 2:20/2(0:20/2) 0:10/1)');
	},
	callers_of_a_function_that_calls_itself_are_counted_once() {
		assert.strictEqual(shape(model.callers(small(), 1, each(3))), '-1:50/5(1:50/5(0:50/5))');
	},
	callees_have_what_the_function_has() {
		assert.strictEqual(shape(model.callees(small(), 0, each(3))), '-1:80/8(0:80/8(1:50/5(1:10/1) 2:20/2))');
	},
	a_function_gets_a_sample_once_in_its_total() {
		const sums = model.functions(small(), null, each(3));
		assert.deepStrictEqual([...sums.total], [80, 50, 20]);
		assert.deepStrictEqual([...sums.self], [10, 50, 20]);
		assert.deepStrictEqual([...sums.samples], [8, 5, 2]);
	},
	what_is_sampled_in_an_inlined_function_is_of_the_one_around() {
		const sums = model.functions(small(), null, each(3), [false, true, true]);
		assert.deepStrictEqual([...sums.total], [80, 50, 20]);
		assert.deepStrictEqual([...sums.self], [80, 0, 0]);
	},
	functions_follow_the_zoom_and_keep_those_who_called() {
		const tree = small(), sums = model.functions(tree, 2, each(3));
		assert.deepStrictEqual([[...sums.self], [...sums.total], [...sums.samples]], [[0, 50, 0], [50, 50, 0], [5, 5, 0]]);
		assert.deepStrictEqual([sums.weight, sums.count], [50, 5]);
	},
	a_function_that_calls_itself_below_the_zoom_is_counted_once() {
		const sums = model.functions(small(), 3, each(3));
		assert.deepStrictEqual([[...sums.self], [...sums.total]], [[0, 10, 0], [10, 10, 0]]);
	},
	frames_of_one_function_are_counted_once() {
		const sums = model.functions(small(), null, Int32Array.of(0, 1, 1));
		assert.deepStrictEqual([[...sums.self], [...sums.total]], [[10, 70, 0], [80, 70, 0]]);
	},
	functions_of_stacks_through_a_function() {
		const tree = small(), sums = model.functions(tree, model.through(tree, 2, each(3)), each(3));
		assert.deepStrictEqual([[...sums.self], [...sums.total]], [[0, 0, 20], [20, 0, 20]]);
	},
	functions_of_stacks_that_end_alike() {
		const tree = small(), sums = model.functions(tree, model.endingWith(tree, [1, 1], each(3)), each(3));
		assert.deepStrictEqual([[...sums.self], [...sums.total]], [[0, 10, 0], [10, 10, 0]]);
	},
	nodes_in_any_order_become_a_tree() {
		const nodes = {
			count: 5, frame: Int32Array.of(-1, 7, 8, 9, 6), parent: Int32Array.of(-1, 0, 0, 2, 1),
			self: Float64Array.of(0, 10, 5, 50, 1), own: Float64Array.of(0, 1, 1, 5, 1),
		};
		const { tree, place } = model.arrange(nodes);
		assert.strictEqual(shape(tree), '-1:66/8(8:55/6(9:50/5) 7:11/2(6:1/1))');
		assert.deepStrictEqual([...place], [0, 3, 1, 2, 4]);
	},
	a_path_is_found_as_far_as_it_leads() {
		assert.strictEqual(model.find(small(), [0, 1, 1]), 3);
		assert.strictEqual(model.find(small(), [0, 2, 1]), 4);
	},
	what_is_below_a_match_is_not_counted_again() {
		assert.deepStrictEqual(model.matched(small(), 0, [0, 1, 0]), { weight: 50, nodes: 1 });
		assert.deepStrictEqual(model.matched(small(), 0, [1, 1, 1]), { weight: 80, nodes: 1 });
	},
	shares_are_compared_with_those_before() {
		const tree = model.compare(small(), number(40) + number(0) + number(0) + number(10), 40, [[2, 10.5, 90]]);
		assert.deepStrictEqual([...tree.points.slice(0, 5)], [0, 0, 62.5, 12.5, 0]);
		assert.deepStrictEqual([tree.low.get(2), tree.high.get(2), tree.low.has(3)], [10.5, 90, false]);
		assert.deepStrictEqual([-10, -0.01, 0.5, 2].map((points) => model.changeClass(points, true)), ['m3', 'z0', 'p1', 'p2']);
		assert.strictEqual(model.changeClass(50, false), 'z0');
		assert.deepStrictEqual(model.changeWords([1, -0.5, -1, 0.25, 0]),
			{ before: '1.00%', delta: '-0.50', interval: '-1.00 .. +0.25', differs: false });
	},
	shares_are_rounded_as_c_does() {
		assert.deepStrictEqual([[1, 800], [3, 800], [1, 3], [5, 800], [2, 3], [1, 0]].map((pair) => model.percent(...pair)),
			['0.12%', '0.38%', '33.33%', '0.62%', '66.67%', '0.00%']);
	},
	a_place_is_a_node() {
		assert.strictEqual(model.nodeAt(small(), 55, 2), 4);
		assert.strictEqual(model.nodeAt(small(), 75, 2), -1);
		assert.strictEqual(model.nodeAt(small(), 0, 3), 3);
	},
	a_path_leads_from_the_root() {
		assert.deepStrictEqual(model.path(small(), 3), [0, 1, 1]);
	},
	what_nodes_have_themselves_adds_up_to_what_functions_have() {
		/* main calls f, which is inlined and has g inlined, both call the compiled h, into which f is inlined, too. */
		const tree = treeOf([[1, 0, 1, 10], [2, 1, 2, 20], [3, 2, 4, 40], [4, 3, 8, 80], [5, 1, 16, 160], [3, 3, 32, 320]]);
		const inlined = [0, 1, 1, 0], { self } = model.functions(tree, null, each(4), inlined), sums = [0, 0, 0, 0];
		for (let node = 1; node < tree.count; node++)
			sums[tree.frame[node]] += model.selfOf(tree, node, inlined);
		assert.deepStrictEqual(sums, [...self]);
		assert.deepStrictEqual(sums, [70, 0, 0, 560]);
		assert.strictEqual(model.compiledInto(tree, 3, inlined), 0);
		assert.strictEqual(model.compiledInto(tree, 5, inlined), 3);
	},
	clocks_count_time() {
		const times = [[1861723432, 'cpu-clock', '1.86 s'], [2298250000, 'task-clock:u', '2.3 s'], [24422107500, 'cpu-clock:ppp', '24.4 s'],
			[1250000, 'cpu-clock', '1.25 ms'], [999, 'cpu-clock', '999 ns'], [7200e9, 'cpu-clock', '7,200 s'], [0, 'cpu-clock', '0 ns'],
			[1250000, 'offcpu-time', '1.25 ms'], [1250000, 'nanoseconds', '1.25 ms']];
		for (const [weight, event, words] of times)
			assert.strictEqual(model.amount(weight, event), words);
	},
	other_events_are_counted() {
		const counts = [[2298250000, 'cycles', '2.3 G cycles'], [9999, 'page-faults', '9,999 page-faults'], [12345, 'cycles:u', '12.3 k cycles:u'],
			[999999, 'cycles', '1 M cycles'], [3.2e19, 'cycles', '32 E cycles'], [20000, 'cpu-clock-x', '20 k cpu-clock-x']];
		for (const [weight, event, words] of counts)
			assert.strictEqual(model.amount(weight, event), words);
	},
	very_deep_stacks_are_no_recursion() {
		const nodes = [];
		for (let depth = 1; depth <= 50000; depth++)
			nodes.push([depth, depth % 7, depth === 50000 ? 1 : 0, 1]);
		const tree = treeOf(nodes);
		assert.strictEqual(tree.height, 50000);
		assert.strictEqual(model.reversed(tree).height, 50000);
		assert.deepStrictEqual([...model.functions(tree, null, each(7)).total], [1, 1, 1, 1, 1, 1, 1]);
	},
};

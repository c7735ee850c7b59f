/* What is chosen and grouped on a page. */
'use strict';
const assert = require('assert');
const { numbers } = require('./numbers.js');
const model = global.FlameModel = require('../../src/report/flame/web/flame_model.js');
const samples = require('../../src/report/flame/web/flame_samples.js');

/* Frames 0 and 1 are groups (commands a and b), 2 main, 3 parse, 4 CPU 0, 5 CPU 1, 6 event x, 7 event y.
 * The tree: a calls main calls parse (node 3), b calls main (node 5). */
const kinds = [0, 0, 1, 1, 0, 0, 0, 0];
const tree = () => model.decode(numbers(0, 0, 0) + numbers(0, 2, 0) + numbers(0, 3, 3, 30) + numbers(3, 1, 0) +
	numbers(0, 2, 2, 20), 1);

/* Rows: parse of a on CPU 0 (2 samples of 20) and 1 (1 of 10), main of b on CPU 1 (2 of 20); one of event y there.
 * Times: slot 0 has row 0 twice, slot 3 row 1, slot 60 row 2 twice, one of which weighs more, and row 3. */
const data = () => ({
	threads: [[1, 1, 0, 0, 0], [2, 2, 1, 1, 1]], cpus: [[0, 4], [1, 5]], cgroups: [0], events: [['x', 6], ['y', 7]],
	row_scale: 10,
	rows: numbers(3, 0, 0, 0, 0, 2, 2) + numbers(0, 0, 1, 0, 0, 1, 1) + numbers(2, 1, 1, 0, 0, 2, 2) +
		numbers(0, 1, 1, 0, 1, 1, 7),
	slot_ns: 20000000, first_slot: 100, slots: 50, usual: 1,
	times: numbers(0, 0, 4) + numbers(3, 1, 2) + numbers(57, 2, 4) + numbers(0, 3, 3, 7),
});

const ALL = { event: 0, by: [], from: -1, to: -1, weigh: 'period' };
const opened = () => samples.open(data(), tree(), kinds);

function shape(made, node = 0) {
	const children = [];
	for (let i = node + 1; i < made.end[node]; i = made.end[i])
		children.push(shape(made, i));
	return made.frame[node] + ':' + made.weight[node] + '/' + made.samples[node] +
		(children.length ? '(' + children.join(' ') + ')' : '');
}

module.exports = {
	without_groups_equal_stacks_are_one() {
		assert.strictEqual(shape(samples.build(opened(), ALL)), '-1:50/5(2:50/5(3:30/3))');
	},
	groups_are_nested_in_their_order() {
		assert.strictEqual(shape(samples.build(opened(), { ...ALL, by: ['cpu', 'comm'] })),
			'-1:50/5(5:30/3(1:20/2(2:20/2) 0:10/1(2:10/1(3:10/1))) 4:20/2(0:20/2(2:20/2(3:20/2))))');
	},
	the_same_groups_give_the_tree_of_the_page() {
		assert.strictEqual(shape(samples.build(opened(), { ...ALL, by: ['comm'] })), shape(tree()));
	},
	another_event_is_another_tree() {
		assert.strictEqual(shape(samples.build(opened(), { ...ALL, event: 1 })), '-1:70/1(2:70/1)');
	},
	all_events_side_by_side() {
		assert.strictEqual(shape(samples.build(opened(), { ...ALL, event: -1, weigh: 'samples', by: ['event'] })),
			'-1:6/6(6:5/5(2:5/5(3:3/3)) 7:1/1(2:1/1))');
	},
	a_span_of_time_has_its_samples_only() {
		assert.strictEqual(shape(samples.build(opened(), { ...ALL, from: 3, to: 59 })), '-1:10/1(2:10/1(3:10/1))');
		assert.strictEqual(shape(samples.build(opened(), { ...ALL, from: 0, to: 60 })), shape(samples.build(opened(), ALL)));
		assert.strictEqual(shape(samples.build(opened(), { ...ALL, from: 4, to: 59 })), '-1:0/0');
	},
	unusual_weights_are_kept() {
		assert.strictEqual(shape(samples.build(opened(), { ...ALL, event: 1, from: 60, to: 60 })), '-1:70/1(2:70/1)');
	},
	slots_are_counted_by_event_and_by_what_was_found() {
		const all = samples.perSlot(opened(), 0, null);
		assert.deepStrictEqual([all.length, all[0], all[3], all[60]], [61, 2, 1, 2]);
		assert.strictEqual(samples.perSlot(opened(), -1, null)[60], 3);
		assert.deepStrictEqual([0, 3, 60].map((slot) => samples.perSlot(opened(), 0, [0, 0, 0, 1, 0, 0, 0, 0])[slot]), [2, 1, 0]);
	},
	thinned_samples_weigh_as_much_as_all() {
		const thinned = samples.open({ ...data(), every: 4 }, tree(), kinds);
		assert.strictEqual(shape(samples.build(thinned, { ...ALL, from: 3, to: 59 })), '-1:40/1(2:40/1(3:40/1))');
		assert.strictEqual(shape(samples.build(thinned, ALL)), shape(samples.build(opened(), ALL)));
	},
	slots_of_thinned_samples_are_exact_where_all_are_counted() {
		const thinned = () => samples.open({ ...data(), events: [['x', 6]], every: 4, slot_counts: numbers(...Array(70).fill(9)) }, tree(), kinds);
		const all = samples.perSlot(thinned(), 0, null);
		assert.deepStrictEqual([all.length, all[0], all[61], samples.isEstimate(thinned(), 0, null)], [70, 9, 9, false]);
		const found = samples.perSlot(thinned(), 0, [0, 0, 0, 1, 0, 0, 0, 0]);
		assert.deepStrictEqual([found.length, found[0], found[3], found[61]], [70, 8, 4, 0]);
		assert.strictEqual(samples.isEstimate(thinned(), 0, []), true);
		assert.strictEqual(samples.isEstimate(opened(), 0, []), false);
	},
};

/* Spans of time that are compared. */
'use strict';
const assert = require('assert');
const { numbers } = require('./numbers.js');
const model = global.FlameModel = require('../../src/report/flame/web/flame_model.js');
const samples = global.FlameSamples = require('../../src/report/flame/web/flame_samples.js');
const spans = require('../../src/report/flame/web/flame_spans.js');

const is = assert.deepStrictEqual;
const near = (value, wanted, most) => assert(Math.abs(value - wanted) <= most, value + ' is not ' + wanted);
const even = (weight) => new Float64Array(16).fill(weight / 16);
const side = (weight, total) => ({ weight, total, count: total, part: even(weight), whole: even(total) });

/* Frame 0 is a group, 1 main, 2 parse, 3 old, which is not called any more. In slots 0 to 15 parse has 2 and old 2 of 10
 * samples, in slots 20 to 35 parse has 6 of 10; main has the rest itself. */
const kinds = [0, 1, 1, 1];
function opened() {
	const slots = (first, rows) => Array.from({ length: 16 }, (_, i) => rows.map(([row, count], k) =>
		numbers(k ? 0 : i ? 1 : first, row, 2 * count)).join('')).join('');
	const tree = model.decode(numbers(0, 0, 0) + numbers(0, 1, 16 * 10, 16 * 10) + numbers(0, 2, 16 * 8, 16 * 8) + numbers(1, 3, 16 * 2, 16 * 2), 1);
	return samples.open({
		threads: [[1, 1, 0, 0, 0]], cpus: [[0, 0]], cgroups: [0], events: [['x', 0]], row_scale: 1,
		rows: numbers(2, 0, 0, 0, 0, 16 * 10, 16 * 10) + numbers(1, 0, 0, 0, 0, 16 * 8, 16 * 8) + numbers(1, 0, 0, 0, 0, 16 * 2, 16 * 2),
		slot_ns: 20000000, first_slot: 0, slots: 50, usual: 1,
		times: slots(0, [[0, 6], [1, 2], [2, 2]]) + slots(5, [[0, 4], [1, 6]]),
	}, tree, kinds);
}
const FIRST = { from: 0, to: 15 }, SECOND = { from: 20, to: 35 };

function compared(chosen, other) {
	const set = opened(), choice = { event: 0, by: [], weigh: 'period', ...chosen };
	return spans.compare(set, samples.build(set, choice, other), choice, other, [0, 1, 2, 3]);
}

module.exports = {
	limits_are_those_of_tables() {
		near(spans.normalLimit(0.05), 1.95996, 5e-4);
		near(spans.normalLimit(1e-6), 4.89164, 5e-4);
		near(spans.studentLimit(0.05, 15), 2.13145, 1e-3);
		near(spans.studentLimit(0.001, 15), 4.0728, 1e-2);
	},
	/* Newcombe, Statistics in Medicine 17 (1998) 873, table II, (a): 56/70 - 48/80, method 10. */
	intervals_are_those_that_were_published() {
		const { delta, low, high, differs } = spans.change([side(48, 80), side(56, 70)], 1);
		near(delta, 0.2, 1e-9);
		near(low, 0.0524, 1e-3);
		near(high, 0.3339, 1e-3);
		is(differs, true);
	},
	what_may_be_chance_does_not_differ() {
		is(spans.change([side(48, 100), side(52, 100)], 1).differs, false);
		is(spans.change([side(48, 80), side(56, 70)], 1000).differs, false);
	},
	what_varies_from_slice_to_slice_is_known_less_exactly() {
		const burst = { ...side(300, 1000), part: Float64Array.from({ length: 16 }, (_, i) => (i < 4 ? 75 : 0)) };
		const [steady, bursting] = [side(300, 1000), burst].map((after) => spans.change([side(200, 1000), after], 1));
		is([steady.differs, bursting.differs], [true, false]);
		assert(bursting.high - bursting.low > 3 * (steady.high - steady.low));
	},
	of_an_empty_span_nothing_is_known() {
		is(spans.change([side(0, 0), side(5, 10)], 1), { before: 0, delta: 0.5, low: -1, high: 1, differs: false });
	},
	paths_have_both_shares() {
		const tree = compared(SECOND, FIRST);
		is(Array.from(tree.frame), [-1, 1, 2, 3]);
		is(Array.from(tree.weight), [160, 160, 96, 0]);
		is(Array.from(tree.before), [160, 160, 32, 32]);
		is(Array.from(tree.points), [0, 0, 40, -20]);
		is([tree.total, tree.otherSamples, [...tree.low.keys()]], [160, 160, [2, 3]]);
	},
	functions_have_both_shares() {
		const shown = (tree) => [...tree.changes].map(([frame, [before, delta, , , differs]]) => [frame, before, delta, differs]);
		is(shown(compared(SECOND, FIRST)), [[1, 100, 0, false], [2, 20, 40, true], [3, 20, -20, true]]);
		is(shown(compared(FIRST, SECOND)), [[1, 100, 0, false], [2, 60, -40, true], [3, 0, 20, true]]);
	},
	a_span_is_compared_with_all_of_the_time() {
		is(Array.from(compared(FIRST, { from: -1, to: -1 }).before), [320, 320, 128, 32]);
	},
};

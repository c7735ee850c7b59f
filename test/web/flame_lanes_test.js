/* How threads spent their time, out of the numbers of a page. */
'use strict';
const assert = require('assert');
const { numbers } = require('./numbers.js');
const model = global.FlameModel = require('../../src/report/flame/web/flame_model.js');
const samples = require('../../src/report/flame/web/flame_samples.js');
const lanes = require('../../src/report/flame/web/flame_lanes.js');

const is = assert.deepStrictEqual;
const kinds = [0, 0, 1, 0, 0, 0, 0];
const tree = () => model.decode(numbers(0, 2, 1, 1), 1);

/* Slots of 100 ns. Frames 0 and 1 are the threads a and b, 2 main. Rows: a runs, a sleeps, a is preempted, b sleeps on a disk,
 * and a has one of another event. Weights are nanoseconds, 10 each. */
const data = (times, event = 'cpu-clock') => ({
	threads: [[1, 1, 3, 3, 0], [1, 2, 3, 3, 1]], cpus: [[0, 4]], cgroups: [3], events: [[event, 5], ['offcpu-time', 6], ['faults', 6]],
	row_scale: 10, rows: numbers(1, 0, 0, 0, 0, 9, 9) + numbers(0, 0, 0, 0, 1, 9, 9) + numbers(0, 0, 0, 0, 1, 9, 9) +
		numbers(0, 1, 0, 0, 1, 9, 9) + numbers(0, 0, 0, 0, 2, 1, 9),
	states: ['sleeping', 'preempted', 'disk'], row_states: numbers(0, 1, 2, 3, 0),
	slot_ns: 100, first_slot: 0, slots: 50, usual: 1, times,
});
const opened = (...given) => {
	const page = data(...given);
	return lanes.open(samples.open(page, tree(), kinds), page);
};
/* "slot: nanoseconds of running, for a CPU, disk, asleep" of each column with some */
const columns = (set, lane, count, width = 100, from = 0) => {
	const sums = lanes.columnsOf(set.lanes[lane], set.isLoose, from, width, count);
	return Array.from({ length: count }, (_, i) => [...sums.subarray(i * 6, i * 6 + 4)].join(' '));
};
const entry = (later, row, tens) => numbers(later, row, 3, tens);

module.exports = {
	a_wait_lies_before_the_end_of_its_slot() {
		const set = opened(entry(0, 0, 10) + entry(3, 1, 25));
		is(columns(set, 0, 4), ['100 0 0 0', '0 0 0 50', '0 0 0 100', '0 0 0 100']);
	},
	a_thread_that_is_back_waited_for_a_cpu_and_runs() {
		const set = opened(entry(0, 0, 1) + entry(1, 0, 2) + entry(0, 1, 5) + entry(0, 2, 3));
		is(lanes.columnsOf(set.lanes[0], false, 100, 10, 10).reduce((all, ns, i) => all + (ns ? i % 6 : ''), ''), '3333311100');
	},
	what_came_later_has_its_place_first() {
		const set = opened(entry(0, 0, 5) + entry(1, 1, 6) + entry(1, 1, 15));
		is(columns(set, 0, 3), ['50 0 0 10', '0 0 0 100', '0 0 0 100']);
		is(set.lanes[0].from.map((from, i) => from + '-' + set.lanes[0].to[i]), ['150-300', '90-150', '40-90']);
	},
	another_thread_is_another_lane_and_other_events_say_nothing() {
		const set = opened(entry(0, 0, 10) + entry(1, 3, 20) + entry(0, 4, 5));
		is([set.lanes.length, columns(set, 0, 2), columns(set, 1, 2)], [2, ['100 0 0 0', '0 0 0 0'], ['0 0 100 0', '0 0 100 0']]);
	},
	events_that_are_no_time_run_as_long_as_waits_leave() {
		const set = opened(entry(0, 0, 900) + entry(0, 1, 4) + entry(1, 0, 1), 'cycles');
		is(columns(set, 0, 2), ['60 0 0 40', '100 0 0 0']);
	},
	spans_are_cut_out() {
		const set = opened(entry(0, 0, 10) + entry(3, 1, 30));
		is(columns(set, 0, 2, 100, 200), ['0 0 0 100', '0 0 0 100']);
		is(lanes.ranked(set, 0, 100).map((one) => one.total), [100]);
		is(lanes.ranked(set, 5000, 5100), []);
	},
	threads_with_most_time_come_first_then_those_that_ran_more() {
		const names = (text) => lanes.ranked(opened(text), 0, 200).map((one) => one.lane.frame);
		is(names(entry(0, 0, 10) + entry(1, 3, 20)), [1, 0]);
		is(names(entry(0, 0, 10) + entry(1, 1, 10) + entry(0, 3, 20)), [0, 1]);
	},
	equal_columns_are_one_rectangle() {
		const set = opened(entry(1, 0, 10) + entry(2, 1, 10));
		const paths = lanes.outlines(lanes.columnsOf(set.lanes[0], false, 0, 50, 8), 50);
		is(paths, ['M4 0h4v16h-4z', '', '', 'M12 0h4v16h-4z', '', '']);
	},
	states_of_one_column_are_stacked_by_their_shares() {
		const paths = lanes.outlines(lanes.columnsOf(opened(entry(0, 0, 5) + entry(0, 1, 3)).lanes[0], false, 0, 100, 1), 100);
		is([paths[0], paths[3]], ['M0 8h2v8h-2z', 'M0 3h2v5h-2z']);
	},
	shares_are_said_in_words() {
		is(lanes.words([125, 0, 0, 875, 0, 0], 1000), '12.5% running, 87.5% asleep');
		is(lanes.words([0, 0, 0, 0, 0, 0], 1000), '');
	},
};

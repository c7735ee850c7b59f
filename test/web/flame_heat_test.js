/* Times and colours of the map over time. */
'use strict';
const assert = require('assert');
const { axisOf, lengthText, timeText, darknessOf } = require('../../src/report/flame/web/flame_heat.js');

const is = assert.deepStrictEqual;
const MS = 1e6, S = 1e9, MINUTE = 60 * S, HOUR = 60 * MINUTE;

/* "unit: label label ..." */
const axis = (ns, most) => {
	const { unit, ticks } = axisOf(ns, most);
	return unit + ': ' + ticks.map((tick) => tick.text).join(' ');
};

module.exports = {
	an_axis_has_times_that_people_count_in() {
		is(axis(800 * MS, 5), 'ms: 0 200 400 600 800');
		is(axis(1500 * MS, 4), 's: 0 0.5 1 1.5');
		is(axis(13 * S, 16), 's: 0 1 2 3 4 5 6 7 8 9 10 11 12 13');
		is(axis(65 * S, 5), 's: 0 15 30 45 60');
	},
	beyond_two_minutes_an_axis_has_minutes_and_seconds() {
		is(axis(195 * S, 8), 'min:s: 0:00 0:30 1:00 1:30 2:00 2:30 3:00');
		is(axis(83.2 * MINUTE, 6), 'min:s: 0:00 15:00 30:00 45:00 60:00 75:00');
	},
	beyond_two_hours_an_axis_has_hours_and_minutes() {
		is(axis(5 * HOUR, 12), 'h:min: 0:00 0:30 1:00 1:30 2:00 2:30 3:00 3:30 4:00 4:30 5:00');
		is(axis(100 * HOUR, 5), 'h:min: 0:00 24:00 48:00 72:00 96:00');
		is(axisOf(10000 * HOUR, 5).ticks.length, 6);
	},
	an_axis_of_a_part_begins_within_the_time() {
		const part = (ns, most, start) => {
			const { unit, ticks } = axisOf(ns, most, start);
			return unit + ': ' + ticks.map((tick) => tick.text).join(' ');
		};
		is(part(6 * MINUTE, 4, 7 * MINUTE + 4 * S), 'min:s: 8:00 10:00 12:00');
		is(part(HOUR, 4, 19.5 * HOUR), 'h:min: 19:30 19:45 20:00 20:15 20:30');
		is(part(6 * MINUTE, 12, 20 * HOUR), 'h:min:s: 20:00:00 20:00:30 20:01:00 20:01:30 20:02:00 20:02:30 20:03:00 20:03:30 ' +
			'20:04:00 20:04:30 20:05:00 20:05:30 20:06:00');
		is(part(HOUR, 4, -0.4 * HOUR), 'min:s: 0:00 15:00 30:00');
	},
	every_length_has_a_short_label() {
		is([0, 20 * MS, 40.96 * MS, 1.28 * S, 65 * S, 195 * S, 3 * MINUTE, 81.92 * MINUTE, 5.5 * HOUR].map(lengthText),
			['0', '20 ms', '41 ms', '1.28 s', '65 s', '3 min 15 s', '3 min', '81 min 55 s', '5 h 30 min']);
		for (let ns = MS; ns < 1000 * HOUR; ns *= 1.37)
			assert(lengthText(ns).length <= 12, lengthText(ns));
	},
	a_time_has_the_digits_of_its_slot() {
		const at = (slotNs, slot) => timeText({ shift: 0, slotNs }, slot);
		is([at(20 * MS, 53), at(MS, 12), at(S, 65), at(20 * MS, 6 * 50 * 60 + 3), at(MINUTE, 125)],
			['1.06 s', '0.012 s', '1 min 5 s', '6 min 0.06 s', '2 h 5 min 0 s']);
	},
	slots_are_as_dark_as_they_have_more_than_others() {
		is([...darknessOf([0, 7, 8, 8, 9, 0])], [[7, 0.125], [8, 0.5], [9, 0.875]]);
	},
	a_busy_system_shows_structure_whatever_its_peak() {
		const darkness = darknessOf([...Array(50).fill(18), ...Array(50).fill(20), 1000]);
		assert(darkness.get(20) - darkness.get(18) > 0.4);
	},
	one_value_is_in_the_middle() {
		is([...darknessOf([3, 3, 3])], [[3, 0.5]]);
		is([...darknessOf([0, 0])], []);
	},
};

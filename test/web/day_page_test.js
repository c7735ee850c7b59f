/* The map over time of a day as readers use it: node day_page_test.js BROWSER DIRECTORY speaks TAP. In DIRECTORY are the pages of
 * test/e2e/flame_day.t: after 20 hours there are 500 samples of burst in ten seconds. */
'use strict';
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const tap = require('./tap.js');
const { launch, open } = require('./browser.js');

const [executable, directory] = process.argv.slice(2);
const is = assert.deepStrictEqual;
const page = (name) => path.join(directory, name + '.html');
const BURST = 'a=3600000&b=3600499'; /* slots of 20 ms */

let browser, reader;

async function on(name, options) {
	if (reader)
		await reader.close();
	reader = await open(browser, page(name), options);
}

const range = () => reader.text('range');
/* "name samples" of each function */
const counts = () => reader.page.locator('#rows tr').evaluateAll((rows) =>
	rows.map((row) => row.cells[3].textContent + ' ' + row.cells[2].textContent));

/* "name before difference, whether it is more than chance" */
const changes = () => reader.page.locator('#rows tr').evaluateAll((rows) => rows.map((row) => {
	const cells = [...row.cells], change = row.querySelectorAll('.change');
	return cells[change.length ? 6 : 3].textContent + ' ' + (change.length ?
		change[0].textContent + ' ' + change[1].textContent + ' ' + !change[1].classList.contains('chance') : undefined);
}));

async function clickMap(share) {
	const box = await reader.page.locator('#heat').boundingBox();
	await reader.page.mouse.click(box.x + box.width * share, box.y + box.height / 2);
}

const tests = {
	async slots_of_a_day_are_as_fine_as_those_of_a_minute() {
		const text = fs.readFileSync(page('day'), 'utf8');
		assert(text.includes('"slot_ns":20000000,'));
		assert(text.length < 1e6, String(text.length)); /* of 10 MB that a million samples may have */
	},
	async at_first_the_whole_day_is_shown() {
		is(await range(), 'drag to choose a span of time');
		is([await reader.page.locator('#closer').isEnabled(), await reader.page.locator('#farther').isEnabled()], [true, false]);
		assert(await reader.colors('#heat') > 3);
	},
	async a_column_of_ten_minutes_is_chosen_there() {
		await clickMap(0.5);
		assert.match(await range(), /^1[01] h \d+ min [0-9.]+ s to 1[01] h \d+ min [0-9.]+ s, 150 samples$/);
		is(await counts(), ['work 150', 'main 150']);
	},
	async closer_shows_seconds_around_what_is_chosen() {
		await on('day', { hash: BURST });
		is(await counts(), ['burst 500', 'work 3', 'main 503']);
		const shown = [];
		for (let i = 0; i < 3; i++) {
			await reader.click('closer');
			shown.push((await range()).replace(/.*; shown: /, ''));
		}
		is(shown, ['16 h 59 min 20.00 s to 22 h 59 min 20.00 s, columns of 60 s',
			'19 h 30 min 0.00 s to 20 h 30 min 0.00 s, columns of 10 s', '19 h 57 min 4.00 s to 20 h 3 min 4.00 s, columns of 1 s']);
		is(await reader.page.locator('#closer').isEnabled(), false);
	},
	async there_a_column_is_a_second() {
		const box = await reader.page.locator('#heat').boundingBox(), across = (box.width - 60) / 360;
		await reader.page.mouse.click(box.x + 52 + 177.5 * across, box.y + 50);
		assert.match(await range(), /^20 h 0 min 1.00 s to 20 h 0 min 2.00 s, 50 samples; /);
		is(await counts(), ['burst 50', 'main 50']);
	},
	async the_address_keeps_what_is_shown() {
		const hash = (await reader.hash()).slice(1), before = await range();
		await on('day', { hash });
		is(await range(), before);
		is(await counts(), ['burst 50', 'main 50']);
	},
	async keys_move_and_change_the_scale() {
		await reader.press('h', 'PageDown');
		assert.match(await range(), /shown: 20 h 0 min 4.00 s to 20 h 6 min 4.00 s, columns of 1 s$/);
		await reader.press('-', '-', '-', '-');
		assert.match(await range(), /^20 h 0 min 1.00 s to 20 h 0 min 2.00 s, 50 samples$/);
		await reader.press('Escape');
		is([await range(), await reader.hash()], ['drag to choose a span of time', '']);
	},
	async arrows_take_the_part_that_is_shown_with_them() {
		await on('day');
		await reader.press('h', '+', '+', '+', 'PageDown');
		is(await reader.hash(), '#c=1%2C180');
		await reader.press('ArrowRight');
		is(await reader.hash(), '#c=1%2C0');
		await reader.press('Shift+ArrowRight');
		assert.match(await range(), /^2\.00 s: 0 samples in 20 ms/);
		is(await reader.hash(), '#a=50&b=100&c=1%2C0');
	},
	async names_that_no_scale_has_are_ignored() {
		await on('day', { hash: 'c=7,7' });
		is(await range(), 'drag to choose a span of time');
	},
	async a_span_is_compared_with_the_one_that_is_chosen_next() {
		await on('day', { hash: BURST });
		is(await reader.text('compare'), 'Compare this span');
		await reader.click('compare');
		assert.match(await range(), /^choose a span to compare with 20 h 0 min 0.00 s to 20 h 0 min 10.00 s/);
		await clickMap(0.5);
		assert.match(await range(), /^1[01] h .* s, 150 samples, compared with 20 h 0 min 0.00 s to 20 h 0 min 10.00 s, 503 samples$/);
		is(await changes(), ['work 0.60% +99.40 true', 'main 100.00% +0.00 false', 'burst 99.40% -99.40 true']);
		is(await reader.page.locator('#before-title').textContent(), 'Other span');
		assert.match(await reader.text('legend'), /more than in the other span.*may be chance/);
	},
	async that_is_in_the_address_and_in_the_words_of_a_frame() {
		const hash = (await reader.hash()).slice(1), before = await range();
		assert.match(hash, /&i=3600000&j=3600499$/);
		await on('day', { hash });
		is(await range(), before);
		await reader.press('f', 'End');
		assert.match(await reader.text('details'), /^work — .*150 samples.* in the other span 0\.60%, \+99\.40 points \(/);
	},
	async keys_compare_and_stop_comparing() {
		await reader.press('d');
		is([await changes(), await reader.text('compare')], [['work undefined', 'main undefined'], 'Compare this span']);
		await reader.press('d', 'h', 'Home', 'Escape');
		assert.match(await range(), /^the whole time, 22,100 samples, compared with 1[01] h/);
		await reader.press('Escape');
		is([await range(), await reader.hash()], ['drag to choose a span of time', '']);
	},
	async it_is_accessible_and_nothing_goes_wrong() {
		await reader.click('closer');
		is([await reader.violations(), reader.problems], [[], []]);
	},
	async a_busy_day_has_short_slots_in_less_than_10_MB() {
		const text = fs.readFileSync(page('busy'), 'utf8');
		assert(text.includes('"slot_ns":20000000,'));
		assert(text.length < 1e7, String(text.length));
	},
	async a_span_of_it_has_a_part_of_its_samples_and_says_so() {
		await on('busy', { hash: 'a=180000&b=359999' }); /* an hour */
		const words = (await range()).match(/, ([0-9,]+) samples \(one of each 2 that were recorded\)$/);
		const kept = Number(words[1].replace(',', '')), all = 1300000 / 24;
		assert(Math.abs(kept - all / 2) < 5 * Math.sqrt(all / 4), String(kept));
		const shares = await reader.page.locator('#rows tr').evaluateAll((rows) =>
			rows.filter((row) => /^f\d+$/.test(row.cells[3].textContent)).map((row) => parseFloat(row.cells[1].textContent)));
		is(shares.length, 13);
		shares.forEach((share) => assert(Math.abs(share - 100 / 13) < 0.8, String(share)));
	},
	async its_map_counts_all_samples_and_estimates_those_of_what_is_searched() {
		await on('busy');
		await reader.press('h', 'ArrowRight');
		assert.match(await range(), /: 18[01] samples in 12 s/);
		await on('busy', { hash: 'q=f3' });
		await reader.press('h', 'ArrowRight');
		assert.match(await range(), /: about \d+ samples in 12 s/);
	},
	async a_short_recording_has_one_scale() {
		await on('short');
		is(await reader.page.locator('#scale').isVisible(), false);
		await reader.press('h', '+', 'PageDown');
		assert(!(await range()).includes('shown'));
		is(reader.problems, []);
	},
};

(async () => {
	browser = await launch(executable);
	await on('day');
	await tap.run(tests);
	await browser.close();
	tap.done();
})();

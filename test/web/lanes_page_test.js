/* Lanes of threads as readers use them: node lanes_page_test.js BROWSER DIRECTORY SOURCES speaks TAP. In DIRECTORY are pages of
 * the program of test/e2e/off_cpu_page.t. */
'use strict';
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const tap = require('./tap.js');
const { launch, open } = require('./browser.js');

const [executable, directory, sources] = process.argv.slice(2);
const is = assert.deepStrictEqual;
const page = (name) => path.join(directory, name + '.html');

let browser, reader;

async function on(name, options) {
	if (reader)
		await reader.close();
	reader = await open(browser, page(name), options);
}

/* [{ name, words, selected }] of each lane, in order. */
const lanes = () => reader.page.locator('.lane').evaluateAll((rows) => rows.map((row) => ({
	name: row.querySelector('.lane-name').textContent, words: row.querySelector('.lane-words').textContent,
	selected: row.getAttribute('aria-selected') === 'true',
})));
const laneOf = (name) => reader.page.locator('.lane', { hasText: name }).first();
/* The share of that state in percent. */
const share = (words, state) => Number((words.match('([0-9.]+)% ' + state) || [0, 0])[1]);
const chosen = async () => (await lanes()).filter((lane) => lane.selected).map((lane) => lane.name.replace(/\d+/, 'N'));
const axis = () => reader.page.locator('.lane-axis span').allTextContents();
const colorOf = (name) => reader.page.locator('.lane-legend .lane-' + name).evaluate((drawn) => {
	const probe = document.querySelector('#lane-' + drawn.getAttribute('class').slice(5) + ' rect');
	return getComputedStyle(probe || drawn).fill;
});

const reading = {
	async there_is_a_lane_for_each_thread() {
		is((await lanes()).map((lane) => lane.name.replace(/thread \d+ /, '')).sort(), ['napper', 'spinner', 'spinner', 'threads']);
		assert.match(await reader.page.locator('.lane-title').textContent(), /^Time of 4 threads$/);
	},
	async a_thread_that_naps_is_asleep() {
		const { words } = (await lanes()).find((lane) => lane.name.endsWith('napper'));
		assert(share(words, 'asleep') > 20 && share(words, 'running') < 20, words);
	},
	async threads_that_share_a_cpu_run_and_wait_for_it() {
		for (const { name, words } of await lanes())
			if (name.endsWith('spinner'))
				assert(share(words, 'running') > 2 && share(words, 'waiting for a CPU') > 10 && share(words, 'asleep') < 20, words);
	},
	async no_thread_has_more_time_than_there_is() {
		for (const { words } of await lanes()) {
			const sum = words.match(/[0-9.]+(?=%)/g).map(Number).reduce((a, b) => a + b);
			assert(sum > 10 && sum <= 100.3, words);
		}
	},
	async pictures_show_what_words_say() {
		const seen = await laneOf('spinner').locator('path').evaluateAll((all) => all.map((one) => one.getAttribute('class')));
		assert(seen.includes('lane-run') && seen.includes('lane-ready'), seen.join());
	},
	async the_legend_names_states_and_no_two_look_alike() {
		is(await reader.page.locator('.lane-legend li').allTextContents(),
			['running', 'waiting for a CPU', 'in disk sleep', 'asleep', 'stopped', 'blocked']);
		const fills = await reader.page.locator('.lane-legend path').evaluateAll((all) => all.map((one) => getComputedStyle(one).fill));
		is(new Set(fills).size, 6);
		is(fills.filter((fill) => fill.startsWith('url')).length, 5); /* patterns */
	},
};

const choosing = {
	async a_click_shows_the_stacks_of_a_thread() {
		await laneOf('napper').click();
		assert.match(await reader.details(), /^thread \d+ napper — /);
		assert.match(await reader.title(), / in stacks through thread \d+ napper, /);
		assert.match(await reader.hash(), /g=tid.*n=\d+/);
		is(await chosen(), ['thread N napper']);
	},
	async the_address_keeps_it() {
		const hash = (await reader.hash()).slice(1);
		await on('waits', { hash });
		is(await chosen(), ['thread N napper']);
	},
	async another_click_shows_all_again() {
		await laneOf('napper').click();
		is([await chosen(), (await reader.hash()).includes('n=')], [[], false]);
	},
	async keys_lead_to_lanes_and_enter_chooses() {
		const names = (await lanes()).map((lane) => lane.name.replace(/\d+/, 'N'));
		await reader.press('l', 'End', 'ArrowUp', 'Enter');
		is(await chosen(), [names[names.length - 2]]);
		is(await reader.page.evaluate(() => document.activeElement.className), 'lane');
		await reader.press('Escape');
		is(await chosen(), []);
		await reader.press('Home', 'Enter');
		is(await chosen(), [names[0]]);
		await reader.press(' ');
		is(await chosen(), []);
	},
	async events_without_the_thread_give_way() {
		await reader.choose('event', '0');
		for (const name of ['spinner', 'napper']) {
			await laneOf(name).click();
			is(await chosen(), ['thread N ' + name]);
		}
	},
	async a_span_of_time_is_that_of_the_lanes() {
		await on('waits');
		const whole = await axis(), before = (await lanes()).map((lane) => lane.words);
		await reader.page.locator('#heat').focus();
		await reader.press('ArrowRight', 'Enter');
		assert.notDeepStrictEqual(await axis(), whole);
		assert.notDeepStrictEqual((await lanes()).map((lane) => lane.words), before);
		await reader.press('Escape');
		is(await axis(), whole);
	},
};

const looks = {
	async the_dark_theme_has_colors_of_its_own() {
		const light = await colorOf('run');
		await reader.click('theme');
		assert.notStrictEqual(await colorOf('run'), light);
		is(await reader.violations(), []);
		await reader.page.emulateMedia({ media: 'print' });
		is(await colorOf('run'), light);
		assert(await laneOf('napper').isVisible());
		await reader.page.emulateMedia({ media: 'screen' });
		await reader.click('theme');
	},
	async it_is_accessible() {
		is(await reader.violations(), []);
	},
	async a_phone_has_room_for_it() {
		await on('waits', { viewport: { width: 390, height: 800 } });
		is(await reader.sticksOut(), false);
		is(await reader.violations(), []);
	},
	async nothing_goes_wrong() {
		is(reader.problems, []);
	},
};

const others = {
	async beyond_fifty_threads_the_rest_is_said() {
		await on('many');
		is((await lanes()).length, 50);
		assert.match(await reader.page.locator('.lane-title').textContent(),
			/^Time of the 50 threads that have most; [0-9.]+% is of 11 others$/);
		const { words } = (await lanes()).find((lane) => lane.name.endsWith('napper'));
		assert(share(words, 'asleep') > 20, words); /* of time on and off the CPU as one event */
		is(reader.problems, []);
	},
	/* Without the lines of parts that only some pages have, and nothing else. */
	async without_such_samples_a_page_has_nothing_of_it() {
		const kept = (file) => fs.readFileSync(path.join(sources, 'src/report/flame/web', file), 'utf8')
			.replace(/^\t*(?:\/\*|<!--) begin (\w+) [^]*? end \1 (?:\*\/|-->)\n/gm, '');
		for (const name of ['on', 'chosen']) {
			const text = fs.readFileSync(page(name), 'utf8');
			assert(!/lane/i.test(text), name);
			for (const file of ['flame_html.js', 'flame_html.css', 'flame_html.html'])
				assert(text.includes(kept(file)), name + ' ' + file);
		}
	},
};

(async () => {
	browser = await launch(executable);
	await on('waits');
	for (const part of [reading, choosing, looks, others])
		await tap.run(part);
	await browser.close();
	tap.done();
})();

/* The numbers of a page beside those of the xprof report that it offers, whatever was chosen there:
 * node agreement_test.js BROWSER XPROF RECORDING DIRECTORY speaks TAP. */
'use strict';
const assert = require('assert');
const path = require('path');
const { execFileSync } = require('child_process');
const tap = require('./tap.js');
const { launch, open } = require('./browser.js');

const [executable, xprof, recording, directory] = process.argv.slice(2);
let reader;

/* The words of a command as a shell has them. */
function words(command) {
	return execFileSync('sh', ['-c', 'for word in ' + command + '; do printf "%s\\n" "$word"; done'], { encoding: 'utf8' })
		.trimEnd().split('\n');
}

function report(command, ...options) {
	const [, ...rest] = words(command);
	return execFileSync(xprof, [...rest, '--no-pager', ...options], { encoding: 'utf8', maxBuffer: 1 << 28 });
}

/* By "function in file": what the report prints; null where that means several rows. */
function reported(command) {
	const rows = new Map(), samples = new Map();
	for (const row of JSON.parse(report(command, '--json', '--children')).events[0].rows)
		samples.set((row.symbol || row.address) + (row.inlined ? ' (inlined)' : '') + ' in ' + row.dso, row.children.samples);
	for (const line of report(command, '-q', '-t', '|').trim().split('\n')) {
		const [total, self, , file, symbol] = line.split('|').map((cell) => cell.trim());
		const key = symbol.slice(4) + ' in ' + file;
		rows.set(key, rows.has(key) ? null : { self, total, samples: samples.get(key) });
	}
	return rows;
}

async function shown() {
	while (await reader.page.locator('#more').isVisible())
		await reader.click('more');
	return reader.page.locator('#rows tr').evaluateAll((rows) => rows.map((row) => {
		const [self, total, samples, , file] = [...row.cells].map((cell) => cell.textContent);
		const name = row.querySelector('button').title; /* long ones are shown shorter */
		return [name + ' in ' + file, { self, total, samples: Number(samples.replace(/,/g, '')) }];
	}));
}

/* Functions without a name are one row by file on the page, and by address in the report. */
async function agree(least = 3) {
	await reader.page.locator('body').press('x');
	await reader.page.waitForFunction(() => document.getElementById('details').textContent.includes('xprof report'));
	const command = (await reader.details()).replace(/^Copied: /, ''), rows = reported(command);
	let compared = 0;
	for (const [key, numbers] of await shown()) {
		const row = rows.get(key);
		if (row === null || key.startsWith('['))
			continue;
		compared++;
		assert.deepStrictEqual({ key, ...numbers }, { key, ...row }, command);
	}
	assert(compared >= least, compared + ' functions were compared: ' + command);
	return command;
}

async function drag(from, to) {
	const box = await reader.page.locator('#heat').boundingBox();
	await reader.page.mouse.move(box.x + box.width * from[0], box.y + box.height * from[1]);
	await reader.page.mouse.down();
	await reader.page.mouse.move(box.x + box.width * (from[0] + to[0]) / 2, box.y + box.height * to[1], { steps: 3 });
	await reader.page.mouse.move(box.x + box.width * to[0], box.y + box.height * to[1], { steps: 3 });
	await reader.page.mouse.up();
}

const samplesOf = async () => Number(/([\d,]+) samples?$/.exec(await reader.title())[1].replace(/,/g, ''));

const tests = {
	async everything() {
		assert(!(await agree()).includes('--time'));
	},
	async a_span_of_time_dragged_in_the_heat_map() {
		const all = await samplesOf();
		await drag([0.2, 0.3], [0.35, 0.6]);
		assert((await agree()).includes('--time'));
		assert((await samplesOf()) < all && (await samplesOf()) > 0);
	},
	async one_column_of_the_heat_map_by_a_click() {
		const box = await reader.page.locator('#heat').boundingBox();
		await reader.page.mouse.click(box.x + 60 + 80, box.y + 40);
		assert((await agree()).includes('--time'));
	},
	async a_span_of_time_by_keys() {
		await reader.press('h', 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowUp');
		assert.strictEqual(await reader.focused(), 'heat');
		assert((await agree()).includes('--time'));
	},
	async the_same_by_its_address() {
		const hash = (await reader.hash()).slice(1), rows = await shown();
		await reader.page.goto('about:blank');
		await reader.page.goto('file://' + path.join(directory, 'recording.html') + '#' + hash);
		assert.deepStrictEqual(await shown(), rows);
		await reader.click('all-time');
		assert.strictEqual(await reader.hash(), '');
	},
	async processes() {
		await reader.choose('by', 'pid');
		await reader.focusGraph();
		await reader.press('ArrowUp', 'Enter');
		assert(/^process \d+ /.test(await reader.details()));
		assert((await agree()).includes('--pid'));
	},
	async threads_on_cpus() {
		await reader.page.evaluate(() => { location.hash = 'g=cpu,tid'; });
		await reader.page.waitForFunction(() => document.getElementById('by').value === 'cpu,tid');
		await reader.focusGraph();
		await reader.press('ArrowUp', 'ArrowUp', 'Enter');
		assert(/ --tid \d+ --cpu \d+| --cpu \d+ --tid \d+/.test(await agree(3)));
	},
	async a_path_of_calls() {
		await reader.click('reset');
		await reader.choose('by', 'comm');
		await reader.focusGraph();
		await reader.press('ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter');
		assert(/--comms .* --stack '[^.][^']*;\.\.\.'/.test(await agree(3)));
	},
	async a_sandwich() {
		await reader.focusGraph();
		await reader.press('s');
		assert((await agree(3)).includes("--stack '...;"));
	},
	async the_end_of_stacks() {
		await reader.click('reset');
		await reader.choose('view', 'reversed');
		await reader.focusGraph();
		await reader.press('ArrowUp', 'ArrowUp', 'Enter');
		assert(/--stack '\.\.\.;[^']+[^.]'/.test(await agree(2)));
	},
	async a_span_of_time_and_a_path() {
		await reader.choose('view', 'flame');
		await drag([0.2, 0.3], [0.35, 0.6]);
		await reader.focusGraph();
		await reader.press('ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter');
		const command = await agree(2);
		assert(command.includes('--time') && command.includes('--stack'), command);
	},
	async another_event() {
		await reader.click('reset');
		await reader.choose('event', '1');
		assert((await agree(3)).includes('--event'));
	},
	async all_events_side_by_side() {
		await reader.choose('by', 'event');
		assert.strictEqual(await reader.page.locator('#copy-command').isDisabled(), true);
		assert.strictEqual(await reader.page.locator('#weigh').inputValue(), 'samples');
		const every = JSON.parse(execFileSync(xprof, ['report', '--json', '-i', recording], { encoding: 'utf8', maxBuffer: 1 << 28 }));
		assert.strictEqual(await samplesOf(), every.events.reduce((sum, event) => sum + event.total.samples, 0));
	},
	async no_rule_of_accessibility_is_broken() {
		assert.deepStrictEqual(await reader.violations(), []);
	},
	async the_page_has_no_problems() {
		assert.deepStrictEqual(reader.problems, []);
	},
};

/* Of a recording, whose page has the most above its graph. */
const phone = {
	async the_graph_is_on_the_first_screen_of_a_phone() {
		const graph = await reader.page.locator('.pane canvas').boundingBox(), time = await reader.page.locator('#time').boundingBox();
		assert(graph.y < 700 / 3, 'it begins at ' + graph.y);
		assert(time.y > graph.y, 'the map over time comes after it');
		assert.strictEqual(await reader.sticksOut(), false);
	},
	async no_rule_of_accessibility_is_broken_on_a_phone() {
		assert.deepStrictEqual(await reader.violations(), []);
	},
};

(async () => {
	const browser = await launch(executable), page = path.join(directory, 'recording.html');
	execFileSync(xprof, ['flamegraph', '-q', '-i', recording, '-o', page]);
	reader = await open(browser, page);
	await tap.run(tests);
	await reader.close();
	reader = await open(browser, page, { viewport: { width: 375, height: 700 }, hasTouch: true, isMobile: true });
	await tap.run(phone);
	await browser.close();
	tap.done();
})();

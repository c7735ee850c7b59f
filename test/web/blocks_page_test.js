/* Basic blocks of functions as readers find them: node blocks_page_test.js BROWSER DIRECTORY SOURCES speaks TAP. In DIRECTORY are
 * the pages of test/e2e/flame_blocks.t, and `blocks`, as xprof report prints them. */
'use strict';
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const tap = require('./tap.js');
const { launch, open } = require('./browser.js');

const [executable, directory, sources] = process.argv.slice(2);
const is = assert.deepStrictEqual;
const page = (name) => path.join(directory, name + '.html');

/* Of a report: by function, its rows as the page's table has them. */
const report = new Map();
for (const line of fs.readFileSync(path.join(directory, 'blocks'), 'utf8').trim().split('\n')) {
	const [, figures, name, rest] = line.trim().match(/^((?:\S+ +){5})(.+?)(\+0x\S+ \(\d+ bytes\).*)$/);
	report.set(name, [...report.get(name) || [], (figures + rest).replace(/\s+/g, ' ').trim()]);
}

let browser, reader;

async function on(name, options) {
	if (reader)
		await reader.close();
	reader = await open(browser, page(name), options);
}

const isShown = () => reader.page.locator('#blocks').isVisible();
const rows = () => reader.page.locator('#blocks tbody tr').evaluateAll((all) =>
	all.map((row) => [...row.cells].map((cell) => cell.textContent).join(' ').trim()));
const functionButton = (name) => reader.page.locator('#rows button', { hasText: new RegExp('^' + name + '$') });

const blocks = {
	async nothing_is_selected_at_first() {
		is(await isShown(), false);
		assert(report.size >= 3, [...report.keys()].join());
	},
	async each_function_has_those_of_the_report() {
		let found = 0;
		for (const [name, expected] of report) {
			if (!await functionButton(name).count())
				continue;
			await functionButton(name).click();
			is(await rows(), expected);
			assert((await reader.text('blocks-title')).startsWith(expected.length + ' basic block' + (expected.length > 1 ? 's' : '') + ' of ' + name + ', '));
			await reader.click('reset');
			found++;
		}
		assert(found >= 3, String(found));
	},
	async frames_of_the_graph_have_them_too() {
		await reader.focusGraph();
		await reader.press('Home', 'ArrowUp', 'ArrowUp'); /* the command, then a function */
		const name = (await reader.details()).split(' — ')[0];
		assert(report.has(name), name);
		is(await rows(), report.get(name));
		await reader.press('ArrowDown');
		is(await isShown(), false);
	},
	async it_is_accessible_in_the_dark_and_on_a_phone() {
		await functionButton([...report.keys()].find((name) => name === 'hot')).click();
		is(await reader.violations(), []);
		const hash = (await reader.hash()).slice(1);
		await on('work', { hash, colorScheme: 'dark', viewport: { width: 390, height: 800 } });
		is([await isShown(), await reader.sticksOut(), await reader.violations(), reader.problems], [true, false, [], []]);
	},
	async functions_that_are_left_out_have_none() {
		await on('odd');
		await reader.focusGraph();
		await reader.press('End');
		is([await isShown(), await rows()], [true, report.get('odd')]);
		assert(!fs.readFileSync(page('odd'), 'utf8').includes('"hot"'));
	},
	/* Without the lines of parts that only some pages have, and nothing else. */
	async without_branches_a_page_has_nothing_of_it() {
		const kept = (file) => fs.readFileSync(path.join(sources, 'src/report/flame/web', file), 'utf8')
			.replace(/^\t*(?:\/\*|<!--) begin (\w+) [^]*? end \1 (?:\*\/|-->)\n/gm, '');
		for (const name of ['plain', 'piped']) {
			const text = fs.readFileSync(page(name), 'utf8');
			assert(!text.includes('"blocks"') && !text.includes('FlameBlocks'), name);
			for (const file of ['flame_html.js', 'flame_html.css', 'flame_html.html'])
				assert(text.includes(kept(file)), name + ' ' + file);
		}
	},
};

(async () => {
	browser = await launch(executable);
	await on('work');
	await tap.run(blocks);
	await browser.close();
	tap.done();
})();

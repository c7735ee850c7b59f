/* How fast a flame graph's page is in a browser: node flame_page.js BROWSER PAGE [RUNS]. Milliseconds, medians: from
 * asking for the page to the first frames on its canvas; from a key or a word to the picture that it makes. */
'use strict';
const { chromium } = require('playwright-core');

const [executable, file, runs = '5'] = process.argv.slice(2);
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/* In the page: how long something takes until the browser has drawn what it changed. */
async function timed(page, action, argument) {
	return page.evaluate(async ([name, value]) => {
		const drawn = () => new Promise((resolve) => {
			window.requestAnimationFrame(() => window.setTimeout(resolve, 0));
		});
		const actions = {
			key: () => document.activeElement.dispatchEvent(new window.KeyboardEvent('keydown', { key: value, bubbles: true })),
			search() {
				document.getElementById('query').value = value;
				document.getElementById('query').dispatchEvent(new window.Event('input', { bubbles: true }));
			},
			choose() {
				const [id, choice] = value;
				document.getElementById(id).value = choice;
				document.getElementById(id).dispatchEvent(new window.Event('change', { bubbles: true }));
			},
		};
		await drawn();
		const start = window.performance.now();
		actions[name]();
		await drawn();
		return window.performance.now() - start;
	}, [action, argument]);
}

async function measure(browser, times) {
	const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
	const add = (name, value) => (times[name] = times[name] || []).push(value);
	await page.goto('file://' + file);
	await page.waitForFunction(() => window.performance.getEntriesByName('drawn').length);
	add('first paint', await page.evaluate(() => window.performance.getEntriesByName('drawn')[0].startTime));
	await page.locator('.pane canvas').first().focus();
	for (let step = 0; step < 4; step++) {
		await timed(page, 'key', 'ArrowUp');
		add('zoom', await timed(page, 'key', 'Enter'));
	}
	add('all again', await timed(page, 'key', 'Escape'));
	for (const word of ['1', 'function_12', '/_4[0-9]+_of/'])
		add('search', await timed(page, 'search', word));
	await timed(page, 'search', '');
	add('reversed', await timed(page, 'choose', ['view', 'reversed']));
	add('sandwich', await timed(page, 'choose', ['view', 'sandwich']));
	if (await page.locator('#by').isVisible()) {
		add('grouping', await timed(page, 'choose', ['by', '']));
		await page.locator('#heat').focus();
		add('span of time', await timed(page, 'key', 'Enter'));
		await timed(page, 'key', 'ArrowRight');
		await page.locator('#compare').click();
		await page.locator('#heat').focus();
		add('two spans', await timed(page, 'key', 'Enter'));
	}
	await page.close();
}

(async () => {
	const browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox'] });
	const times = {};
	for (let run = 0; run < Number(runs); run++)
		await measure(browser, times);
	await browser.close();
	for (const [name, values] of Object.entries(times))
		console.log(name.padEnd(14) + ' ms ' + median(values).toFixed(0).padStart(6) + '   up to ' + Math.max(...values).toFixed(0));
})();

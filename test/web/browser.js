/* A headless browser with pages of xprof flamegraph in it, and what a reader sees there. */
'use strict';
const fs = require('fs');
const { chromium } = require('playwright-core');

const ROW = 18; /* of the page's canvas, in pixels */

/* As root (in a container, say) Chromium cannot make its sandbox. */
async function launch(executable) {
	return chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
}

/* options: as for a browser's context, and `hash`. What goes wrong on the page is in reader.problems. */
async function open(browser, file, options = {}) {
	const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, colorScheme: 'light', ...options });
	const page = await context.newPage(), problems = [];
	page.on('console', (message) => problems.push(message.text()));
	page.on('pageerror', (error) => problems.push(String(error)));
	page.on('request', (request) => {
		if (!/^(file|data|about|blob):/.test(request.url()))
			problems.push('fetched ' + request.url());
	});
	page.on('dialog', (dialog) => {
		problems.push('dialog ' + dialog.message());
		dialog.dismiss();
	});
	await page.goto('file://' + file + (options.hash ? '#' + options.hash : ''));
	const text = (id) => page.locator('#' + id).textContent();
	return {
		page, problems, text,
		close: () => context.close(),
		details: () => text('details'),
		matched: () => text('matched'),
		title: () => text('functions-title'),
		hash: () => page.evaluate(() => location.hash),
		focused: () => page.evaluate(() => document.activeElement.id || document.activeElement.tagName),
		/* "self total samples name file" of each row. */
		rows: () => page.locator('#rows tr').evaluateAll((rows) =>
			rows.map((row) => [...row.cells].map((cell) => cell.textContent).join(' ').trim())),
		search: (query) => page.locator('#query').fill(query),
		choose: (id, value) => page.locator('#' + id).selectOption(value),
		click: (id) => page.locator('#' + id).click(),
		press: (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve()),
		focusGraph: (pane = 0) => page.locator('.pane canvas').nth(pane).focus(),
		labels: () => page.locator('.pane canvas').evaluateAll((all) =>
			all.map((canvas) => canvas.getAttribute('aria-label').split('.')[0])),
		/* In a pane, by the share of its width and by rows from where callers are. */
		async clickFrame(share, row, { pane = 0, upward = true } = {}) {
			const canvas = page.locator('.pane canvas').nth(pane), box = await canvas.boundingBox();
			const y = upward ? box.height - (row + 0.5) * ROW : (row + 0.5) * ROW;
			await canvas.click({ position: { x: box.width * share, y } });
		},
		/* How many different colours a canvas has. */
		colors: (selector) => page.locator(selector).evaluate((canvas) => {
			const { width, height } = canvas, pixels = canvas.getContext('2d').getImageData(0, 0, width, height).data;
			const seen = new Set();
			for (let i = 0; i < pixels.length; i += 4 * 7)
				seen.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
			return seen.size;
		}),
		background: () => page.evaluate(() => getComputedStyle(document.body).backgroundColor),
		sticksOut: () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth),
		/* Rules of accessibility that are broken, with the elements. */
		async violations() {
			await page.evaluate(fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
			const { violations } = await page.evaluate(() => window.axe.run());
			return violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html.slice(0, 120)).join(' | '));
		},
	};
}

module.exports = { launch, open, ROW };

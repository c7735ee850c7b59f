/* What make lint asks of the scripts that pages carry, and of their tests. */
'use strict';

const browser = ['document', 'window', 'location', 'history', 'navigator', 'getComputedStyle', 'ResizeObserver', 'DOMMatrix', 'MouseEvent'];
const node = ['require', 'process', 'console', 'global', 'Buffer', '__dirname'];
const parts = ['FlameModel', 'FlameSamples', 'FlameSpans', 'FlameCommand', 'FlameSearch', 'FlameNames', 'FlamePaint', 'FlamePane', 'FlameScale', 'FlameHeat', 'FlameLanes', 'FlameBlocks', 'FlameTable'];
const known = (names, access) => Object.fromEntries(names.map((name) => [name, access]));

const rules = {
	'array-callback-return': 'error', 'block-scoped-var': 'error', complexity: ['error', 18],
	'default-case-last': 'error', eqeqeq: 'error', 'for-direction': 'error', 'getter-return': 'error',
	'max-lines-per-function': ['error', { max: 70, skipComments: true, IIFEs: false }], 'no-console': 'off',
	'no-const-assign': 'error', 'no-dupe-keys': 'error', 'no-duplicate-case': 'error', 'no-else-return': 'error', 'no-eval': 'error',
	'no-fallthrough': 'error', 'no-implied-eval': 'error', 'no-inner-declarations': 'error', 'no-redeclare': 'error',
	'no-self-compare': 'error', 'no-shadow': 'error', 'no-sparse-arrays': 'error', 'no-undef': 'error', 'no-unreachable': 'error',
	'no-unused-expressions': 'off', 'no-unused-vars': ['error', { caughtErrors: 'none', varsIgnorePattern: '^Flame' }],
	'no-use-before-define': ['error', { functions: false, variables: false }], 'no-useless-return': 'error', 'no-var': 'error',
	'prefer-const': ['error', { destructuring: 'all' }], radix: 'error', strict: ['error', 'global'], 'use-isnan': 'error',
	'no-restricted-properties': ['error',
		...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'write'].map((property) =>
			({ property, message: 'Names are written as text, never as markup.' }))],
};

module.exports = [
	{
		files: ['src/report/flame/web/*.js'],
		languageOptions: {
			ecmaVersion: 2022, sourceType: 'script',
			globals: { ...known(browser, 'readonly'), ...known(parts, 'writable'), module: 'readonly' },
		},
		rules: { ...rules, 'no-redeclare': ['error', { builtinGlobals: false }] },
	},
	{
		files: ['test/web/*.js', 'bench/*.js'],
		languageOptions: {
			ecmaVersion: 2022, sourceType: 'commonjs',
			globals: { ...known(browser, 'readonly'), ...known(node, 'readonly'), module: 'readonly' },
		},
		rules: { ...rules, 'max-lines-per-function': 'off' },
	},
];

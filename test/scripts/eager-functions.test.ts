import { expect, test } from 'vitest';
import { withEagerFunctions } from '../../scripts/eager-functions.ts';

/** With the functions in parentheses whose text begins with one of these. */
function eager(code: string, ...functions: string[]): string {
  return withEagerFunctions(code, new Set(functions.map((text) => code.indexOf(text))));
}

test('functions that are called get parentheses, and others stay', () => {
  expect(eager('const a = () => 1;\nconst b = () => 2;', '() => 2')).toBe('const a = () => 1;\nconst b = (() => 2);');
  expect(eager('f(function () {}, async (x) => x);', 'function', 'async')).toBe(
    'f((function () {}), (async (x) => x));',
  );
});

test('a declared function is still there before the first statement of its block', () => {
  const code = 'const é = one();\nfunction one() { return two(); function two() { return "é"; } }\nexport { é, one };';
  const written = eager(code, 'function one', 'function two');
  expect(written).toMatch(
    /^var one = \(function one\(\) \{ var two = \(function two\(\) \{ return "é"; \}\);\s+return two\(\);/,
  );
  expect(new Function(`${written.replace(/export.*/, '')} return é + one.name;`)()).toBe('éone');
});

test('methods of objects keep their names, and those of classes stay', () => {
  const code = 'const o = { a() { return 1; }, async *[b]() {}, get c() { return 2; } }; class K { d() {} }';
  expect(eager(code, 'a()', 'async', 'get c', '() { return 2', 'd()', '() {} }')).toBe(
    'const o = { a: (function () { return 1; }), [b]: (async function* () {}), get c() { return 2; } }; class K { d() {} }',
  );
  const inherited = '({ a() { return super.a(); }, __proto__() {} })';
  expect(eager(inherited, 'a()', '__proto__')).toBe(inherited);
});

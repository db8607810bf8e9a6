import { expect, test } from 'vitest';
import { patternLiterals } from '../../scripts/patterns-in-source.ts';

test('finds every regular expression literal with its line, and nothing that only looks like one', () => {
  const text = "const a = 1 / 2 / 3;\nconst b = { c: [/x+/g, '/no/'] };\n// /no/\nf(/[/]\\s*$/u, [/y/.source]);\n";
  expect(patternLiterals('src/a.ts', text)).toEqual([
    { source: 'x+', flags: 'g', place: 'src/a.ts:2' },
    { source: '[/]\\s*$', flags: 'u', place: 'src/a.ts:4' },
    { source: 'y', flags: '', place: 'src/a.ts:4' },
  ]);
});

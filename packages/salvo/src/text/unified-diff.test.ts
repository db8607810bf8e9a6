import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index)).join('\n');

test('equal texts have no difference', () => {
  expect(unifiedDiff('a\nb\n', 'a\nb\n')).toBe('');
});

test('a changed line is shown with three lines around it', () => {
  expect(unifiedDiff(numbered(1, 20), numbered(1, 20).replace('10', 'ten')).split('\n')).toEqual([
    '@@ -7,7 +7,7 @@',
    ' 7',
    ' 8',
    ' 9',
    '-10',
    '+ten',
    ' 11',
    ' 12',
    ' 13',
  ]);
});

test('changes that are near each other are shown together, and others apart', () => {
  const after = numbered(1, 40).replace('\n5\n', '\nfive\n').replace('\n9\n', '\nnine\n').replace('\n30\n', '\n');
  const heads = unifiedDiff(numbered(1, 40), after)
    .split('\n')
    .filter((line) => line.startsWith('@@'));
  expect(heads).toEqual(['@@ -2,11 +2,11 @@', '@@ -27,7 +27,6 @@']);
});

test('a text that is rewritten is cut, and takes no long time', () => {
  const diff = unifiedDiff(numbered(1, 20_000), numbered(20_001, 40_000)).split('\n');
  expect(diff.length).toBe(401);
  expect(diff.at(-1)).toMatch(/^\[\d+ more lines\]$/);
});

test('without what was removed it is a part of the text after, and without what was added a part of that before', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 40 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const hunks = unifiedDiff(before, after)
        .split(/^@@.*\n/m)
        .slice(1);
      for (const hunk of hunks) {
        const lines = hunk.replace(/\n$/, '').split('\n');
        const side = (mark: string) => lines.filter((line) => !line.startsWith(mark)).map((line) => line.slice(1));
        expect(`\n${after}\n`).toContain(`\n${side('-').join('\n')}`);
        expect(`\n${before}\n`).toContain(`\n${side('+').join('\n')}`);
      }
      expect(hunks.length > 0).toBe(before !== after);
    }),
  );
});

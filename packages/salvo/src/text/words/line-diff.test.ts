import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffLine, lineDiff } from './line-diff.ts';

const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 25 });

function words(lines: readonly DiffLine[]): string {
  const signs = { same: ' ', added: '+', removed: '-' };
  return lines.map(({ kind, text }) => signs[kind] + text).join('');
}

/** By the table of all beginnings: slow and obviously right. */
function fewestChanges(before: readonly string[], after: readonly string[]): number {
  const common = before.map(() => after.map(() => 0));
  const at = (x: number, y: number) => common[x]?.[y] ?? 0;
  for (const [x, row] of common.entries()) {
    for (const y of row.keys()) {
      row[y] = before[x] === after[y] ? at(x - 1, y - 1) + 1 : Math.max(at(x - 1, y), at(x, y - 1));
    }
  }
  return before.length + after.length - 2 * at(before.length - 1, after.length - 1);
}

describe('lineDiff', () => {
  it.each([
    ['abc', 'abc', ' a b c'],
    ['abc', 'axc', ' a-b+x c'],
    ['', 'ab', '+a+b'],
    ['ab', '', '-a-b'],
    ['abcabba', 'cbabac', '-a-b c+b a b-b a+c'],
  ])('of %j and %j is %j', (before, after, expected) => {
    expect(words(lineDiff([...before], [...after]))).toBe(expected);
  });

  it('has all lines of both texts in their order and by their numbers, and no shorter way exists', () => {
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const lines = lineDiff(before, after);
        const numbered = (side: 'before' | 'after') => lines.map((line) => line[side]).filter((each) => each !== null);
        expect(numbered('before')).toEqual(before.map((_, index) => index + 1));
        expect(numbered('after')).toEqual(after.map((_, index) => index + 1));
        expect(lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text)).toEqual(before);
        expect(lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)).toEqual(after);
        expect(lines.filter(({ kind }) => kind !== 'same')).toHaveLength(fewestChanges(before, after));
      }),
    );
  });

  it('of texts that have almost nothing in common is a replacement', () => {
    const [before, after] = [0, 1].map((side) => Array.from({ length: 3000 }, (_, index) => `${side} ${index}`));
    const lines = lineDiff(before ?? [], after ?? []);
    expect(lines.map(({ kind }) => kind).join(' ')).toBe(`${'removed '.repeat(3000)}${'added '.repeat(3000)}`.trim());
  });
});

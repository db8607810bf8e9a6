import { describe, expect, it } from 'vitest';
import { readLines, readList, readText } from './claim-values.ts';

describe('lines', () => {
  it.each([
    [12, 12, null],
    ['12', 12, null],
    ['L12', 12, null],
    ['line 12', 12, null],
    ['~12', 12, null],
    ['12-15', 12, 15],
    ['12 – 15', 12, 15],
    ['lines 12 to 15', 12, 15],
    ['L12-L15', 12, 15],
    ['12, 15', 12, 15],
    [[12, 15], 12, 15],
    [['12', '15'], 12, 15],
    [[12], 12, null],
    ['15-12', 15, null],
    [12.7, 12, null],
    [0, null, null],
    [-3, null, null],
    ['unknown', null, null],
    ['', null, null],
    [null, null, null],
    [{ start: 1 }, null, null],
    [Number.NaN, null, null],
    ['99999999999999999999', null, null],
    [[[12], [15]], null, null],
  ])('of %j are %j to %j', (value, line, end) => {
    expect(readLines(value)).toEqual({ line, end_line: end });
  });

  it('of a hostile text are read quickly', () => {
    expect(readLines(' '.repeat(1_000_000)).line).toBeNull();
    expect(readLines(`x${' '.repeat(1_000_000)}-3`).line).toBeNull();
  });
});

describe('a text', () => {
  it('is read from a text, a number, or a list of them', () => {
    expect(readText(' a ')).toBe('a');
    expect(readText(3)).toBe('3');
    expect(readText(['a', null, 3, ['b'], {}], ' ')).toBe('a 3');
    expect([readText(null), readText({ a: 1 }), readText(undefined)]).toEqual(['', '', '']);
  });
});

describe('a list', () => {
  it('is read from a list, or from a text with commas outside brackets', () => {
    expect(readList(['a', '', 'b'])).toEqual(['a', 'b']);
    expect(readList('a, b;c\nd["x,y"],')).toEqual(['a', 'b', 'c', 'd["x,y"]']);
    expect(readList('a[b, c')).toEqual(['a[b, c']);
    expect(readList(null)).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, type TextEdit } from './edits.ts';

/** A text with edits that do not overlap, in reverse order. */
const textWithEdits = fc.string({ unit: 'binary', maxLength: 60 }).chain((text) =>
  fc
    .tuple(
      fc.uniqueArray(fc.nat(text.length), { maxLength: 10 }),
      fc.array(fc.string({ maxLength: 5 }), { minLength: 5, maxLength: 5 }),
    )
    .map(([cuts, texts]) => {
      const sorted = cuts.toSorted((a, b) => a - b);
      const edits: TextEdit[] = [];
      for (let index = 0; index + 1 < sorted.length; index += 2) {
        edits.push({ start: sorted[index] ?? 0, end: sorted[index + 1] ?? 0, text: texts[index / 2] ?? '' });
      }
      return { text, edits: edits.reverse() };
    }),
);

describe('applyEdits', () => {
  it('applies all edits to the original text', () => {
    const edits = [
      { start: 4, end: 7, text: 'B' },
      { start: 0, end: 3, text: 'AAAA' },
    ];
    expect(applyEdits('aaa bbb ccc', edits)).toBe('AAAA B ccc');
  });

  it('keeps the order of insertions at one place', () => {
    const at = { start: 1, end: 1 };
    expect(
      applyEdits('ab', [
        { ...at, text: '1' },
        { ...at, text: '2' },
      ]),
    ).toBe('a12b');
  });

  it('refuses edits that overlap or are outside of the text', () => {
    const overlapping = [
      { start: 0, end: 2, text: '' },
      { start: 1, end: 3, text: '' },
    ];
    expect(() => applyEdits('abc', overlapping)).toThrow('An edit at 1 overlaps another that goes to 2');
    expect(() => applyEdits('abc', [{ start: 2, end: 4, text: '' }])).toThrow('is outside of a text of 3');
    expect(() => applyEdits('abc', [{ start: 2, end: 1, text: '' }])).toThrow('outside');
  });

  it('gives the same as the edits one by one, from the last to the first', () => {
    fc.assert(
      fc.property(textWithEdits, ({ text, edits }) => {
        const oneByOne = edits.reduce(
          (rest, edit) => rest.slice(0, edit.start) + edit.text + rest.slice(edit.end),
          text,
        );
        expect(applyEdits(text, edits)).toBe(oneByOne);
      }),
    );
  });
});

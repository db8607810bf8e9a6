import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TextPart, wordDifference } from './word-difference.ts';

/** Differing parts in brackets. */
const shown = (parts: TextPart[]) => parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');

describe('the words in which two texts differ', () => {
  it.each([
    [
      'I refunded 49.90 to you.',
      'I refunded 50.00 to you.',
      'I refunded [49].[90] to you.',
      'I refunded [50].[00] to you.',
    ],
    ['same', 'same', 'same', 'same'],
    ['', 'new', '', '[new]'],
    ['Sorry, it is late.', 'Sorry, it is very late.', 'Sorry, it is late.', 'Sorry, it is [very ]late.'],
    ['für 😀 alle', 'für 😁 alle', 'für [😀] alle', 'für [😁] alle'],
  ])('of %j and %j', (base, next, left, right) => {
    const found = wordDifference(base, next);
    expect([shown(found.base), shown(found.next)]).toEqual([left, right]);
  });

  it('leave both texts as they are, and have the same text in common', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const { base, next } = wordDifference(a, b);
        const whole = (parts: TextPart[]) => parts.map(({ text }) => text).join('');
        const common = (parts: TextPart[]) => whole(parts.filter(({ differs }) => !differs));
        expect([whole(base), whole(next)]).toEqual([a, b]);
        expect(common(base)).toBe(common(next));
      }),
    );
  });

  it('are all words between the common ends if the texts are too long', () => {
    const long = (word: string) => `begin ${`${word} `.repeat(3000)}end`;
    expect(wordDifference(long('a'), long('b')).base.map(({ differs }) => differs)).toEqual([false, true, false]);
  });
});

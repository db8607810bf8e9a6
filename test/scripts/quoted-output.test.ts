import { describe, expect, it } from 'vitest';
import { missingQuote, refreshedQuote } from '../../scripts/quoted-output.ts';

const printed = 'Name   Passed  Time\na        3/3    9ms\nb        1/3  1.2s\n\nPASS in 40ms\nthe end\n';

describe('a quotation of what a command prints', () => {
  it.each([
    ['all of it', printed],
    ['other times', printed.replaceAll(/\d+(?=ms)/g, '777').replace('1.2s', '0.9s')],
    ['a word cut elsewhere', 'Na…   Passed  Time\n'],
    ['lines left out', 'Name   Passed  Time\n...\nPASS in 40ms\n...\n'],
    ['its beginning left out', '...\n\nPASS in 40ms\n'],
  ])('is right with %s', (_, quotation) => {
    expect(missingQuote(quotation, printed)).toBe(null);
  });

  it.each([
    ['another figure', 'a        2/3    9ms\n', 'a        2/3    9ms'],
    [
      'a line left out without saying so',
      'Name   Passed  Time\nb        1/3  1.2s\n',
      'Name   Passed  Time\nb        1/3  1.2s',
    ],
    ['a cut word that is another one', 'Nu…   Passed  Time\n', 'Nu…   Passed  Time'],
    ['another order', 'the end\n...\nPASS in 40ms\n', 'PASS in 40ms'],
  ])('is wrong with %s', (_, quotation, missing) => {
    expect(missingQuote(quotation, printed)).toBe(missing);
  });

  it('is refreshed: each part from its first line to its last', () => {
    const old = 'Name   Passed\na        2/3    1ms\n...\nPASSED in 20ms\n...\n';
    expect(refreshedQuote(old, printed)).toBe('Name   Passed  Time\na        3/3    9ms\n...\nPASS in 40ms\n...\n');
  });

  it('is left to a person when a part is not recognised', () => {
    expect(refreshedQuote('Quite another table\n', printed)).toBe(null);
  });

  it('is right after it was refreshed', () => {
    const refreshed = refreshedQuote('Name  Passed\n...\nthe very end\n', printed);
    expect(missingQuote(refreshed ?? 'nothing', printed)).toBe(null);
  });
});

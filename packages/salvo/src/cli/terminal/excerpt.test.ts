import { describe, expect, it } from 'vitest';
import { excerpt } from './excerpt.ts';

const BOX = '━━━━\n PASS\n━━━━';

describe('an excerpt of what a command prints', () => {
  it('is all of it when it is short enough', () => {
    expect(excerpt('a\nb\n\nc\n', 4)).toBe('a\nb\n\nc\n');
  });

  it('ends after a paragraph, and says how much was left out', () => {
    expect(excerpt('a\nb\n\nc\nd\n\ne\n', 4)).toBe('a\nb\n\n  (4 more lines: salvo demo --full)\n');
  });

  it('has the first paragraph whatever its length', () => {
    expect(excerpt('a\nb\nc\n\nd\n', 2)).toBe('a\nb\nc\n\n  (1 more line: salvo demo --full)\n');
  });

  it('has the verdict, also where it is in color', () => {
    const red = BOX.replaceAll('━━━━', '\u001b[31m━━━━\u001b[39m');
    expect(excerpt(`a\n\nb\nc\n\n${BOX}\n\nd\n`, 1)).toBe(`a\n\n  (4 more lines: salvo demo --full)\n\n${BOX}\n`);
    expect(excerpt(`a\n\nb\n\n${red}\n`, 1)).toBe(`a\n\n  (1 more line: salvo demo --full)\n\n${red}\n`);
    expect(excerpt(`a\n\n${BOX}\n`, 1)).toBe(`a\n\n${BOX}\n`);
  });
});

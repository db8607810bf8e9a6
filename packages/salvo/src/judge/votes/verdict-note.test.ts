import { describe, expect, it } from 'vitest';
import { verdictNote } from './aggregation.ts';

describe('a note about the verdict', () => {
  it('is made when the majority failed what the score would pass', () => {
    expect(verdictNote({ score: 1, passed: false, threshold: 0.8 })).toBe(
      'The majority of the votes failed it, although its score of 1.00 meets its threshold of 0.80.',
    );
  });

  it('is made when the majority passed what the score would fail, with digits that show it', () => {
    expect(verdictNote({ score: 0.7999, passed: true, threshold: 0.8 })).toBe(
      'The majority of the votes passed it, although its score of 0.7999 is below its threshold of 0.80.',
    );
  });

  it('is not made when they agree, the last bit of a sum notwithstanding', () => {
    expect(verdictNote({ score: 0.1 + 0.7, passed: true, threshold: 0.8 })).toBeNull();
    expect(verdictNote({ score: 0.5, passed: false, threshold: 0.8 })).toBeNull();
  });
});

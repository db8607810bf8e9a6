import { describe, expect, it } from 'vitest';
import { whichTrials } from './which-trials.ts';

const first = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const rows = (count: number) => first(count).map((row) => `row ${row}`);

describe('whichTrials', () => {
  it('names all trials that are listed', () => {
    expect(whichTrials({ trial_numbers: [3] }, 1)).toBe('trial 3');
    expect(whichTrials({ trial_numbers: [1, 2, 3, 7] }, 4)).toBe('trials 1-3, 7');
  });

  it('counts the trials that the document does not list', () => {
    expect(whichTrials({ trial_numbers: first(20) }, 30)).toBe('trials 1-20 and 10 more');
  });

  it('names the first cases, and counts the others', () => {
    const trials = { trial_numbers: first(8).map(() => 1), trial_cases: rows(8) };
    expect(whichTrials(trials, 8)).toBe('cases row 1, row 2, row 3, row 4, row 5 and 3 more');
    expect(whichTrials({ trial_numbers: [1, 2], trial_cases: ['row 1', 'row 1'] }, 2)).toBe('case row 1');
  });

  it('gives no number of cases when trials are not listed', () => {
    const trials = { trial_numbers: first(20).map(() => 1), trial_cases: rows(20) };
    expect(whichTrials(trials, 46)).toBe('cases row 1, row 2, row 3, row 4, row 5 and more');
  });
});

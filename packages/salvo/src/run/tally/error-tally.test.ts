import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onlyCase } from '../../../../../test/sample-run.ts';
import { createErrorTally } from './error-tally.ts';
import { trialNames } from './trial-list.ts';

function groupsOf(errors: [message: string, trialNumber: number][]) {
  const tally = createErrorTally(trialNames([onlyCase(100)]));
  for (const [message, trialNumber] of errors)
    tally.add({ message, trial: { case_index: 0, trial_number: trialNumber } });
  return tally.groups();
}

describe('createErrorTally', () => {
  it('counts equal messages together, most frequent first', () => {
    expect(
      groupsOf([
        ['timeout', 1],
        ['refused', 3],
        ['refused', 2],
      ]),
    ).toEqual([
      { message: 'refused', count: 2, trial_numbers: [2, 3] },
      { message: 'timeout', count: 1, trial_numbers: [1] },
    ]);
  });

  it('keeps twenty texts at most, and counts the others together', () => {
    const groups = groupsOf(Array.from({ length: 100 }, (_, index) => [`request ${index}`, index + 1]));
    expect(groups).toHaveLength(21);
    expect(groups[0]).toEqual({ message: 'request 0', count: 1, trial_numbers: [1] });
    expect(groups[20]).toMatchObject({ message: '(80 other messages)', count: 80 });
    expect(groups[20]?.trial_numbers[0]).toBe(21);
  });

  it('keeps the stack of the first trial, and tells apart crashes with one message at two places', () => {
    const tally = createErrorTally(trialNames([onlyCase(100)]));
    const message = 'x is undefined';
    const at = (line: number, caller: string) =>
      `TypeError: x\n    at plan (/app/agent.ts:${line}:1)\n    at ${caller} (b.ts:1:1)`;
    tally.add({ message, trial: { case_index: 0, trial_number: 4 }, stack: at(1, 'later') });
    tally.add({ message, trial: { case_index: 0, trial_number: 2 }, stack: at(1, 'first'), code: 'AGENT_CRASHED' });
    tally.add({ message, trial: { case_index: 0, trial_number: 3 }, stack: at(7, 'other') });
    expect(tally.groups()).toEqual([
      { message, stack: at(1, 'first'), count: 2, trial_numbers: [2, 4] },
      { message, stack: at(7, 'other'), count: 1, trial_numbers: [3] },
    ]);
  });

  it('cuts a message without end', () => {
    expect(groupsOf([['x'.repeat(1_000_000), 1]])[0]?.message).toHaveLength(2000);
  });

  it('is the same for every order of the trials, and loses none', () => {
    const errors = fc
      .array(fc.integer({ min: 0, max: 60 }), { maxLength: 120 })
      .map((kinds) => kinds.map((kind, index): [string, number] => [`message ${kind}`, index + 1]));
    fc.assert(
      fc.property(
        errors.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([inOrder, shuffled]) => {
          const groups = groupsOf(shuffled);
          expect(groups).toEqual(groupsOf(inOrder));
          expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(inOrder.length);
        },
      ),
    );
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TrialStatus, trialStatusSchema } from '../../../evaluators/eval-result.ts';
import { trialStrip } from './trial-strip.ts';

test('a trial that was given up is a gap in its place', () => {
  const statuses: TrialStatus[] = [];
  statuses[0] = 'passed';
  statuses[2] = 'failed';
  expect(trialStrip({ statuses, planned: 5, width: 10 }).text).toBe('●·○··');
});

test('as many symbols as trials, each in its place, whatever is missing', () => {
  const results = fc.array(fc.tuple(fc.nat(40), fc.constantFrom(...trialStatusSchema.options)), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(results, fc.integer({ min: 41, max: 60 }), (placed, planned) => {
      const statuses: TrialStatus[] = [];
      for (const [index, status] of placed) statuses[index] = status;
      const { text } = trialStrip({ statuses, planned, width: 60 });
      expect(text).toHaveLength(planned);
      for (let index = 0; index < planned; index += 1) expect(text[index] === '·').toBe(statuses[index] === undefined);
    }),
  );
});

test('the counts of a long strip have the gaps, too', () => {
  const statuses: TrialStatus[] = [];
  statuses[99] = 'passed';
  expect(trialStrip({ statuses, planned: 120, width: 24 }).text).toBe('●1 ·119');
});

import { expect, it } from 'vitest';
import type { BlueComparison } from '../../experiment/results/experiment-results.ts';
import { differenceSentences } from './difference-sentences.ts';

function comparison(change: Partial<BlueComparison>): BlueComparison {
  return {
    first: 'checkov',
    second: 'rules',
    games: 10,
    vulnerabilities: 40,
    both: 10,
    only_first: 2,
    only_second: 14,
    neither: 14,
    risk_difference: { value: -0.3, interval: [-0.45, -0.15] },
    odds_ratio: 0.14,
    mcnemar_p: 0.002,
    mcnemar_p_holm: 0.004,
    precision_used: 'twin',
    precision_difference: { value: null, interval: null },
    f1_difference: { value: -0.2, interval: null },
    f1_effect_size: null,
    permutation_p: 0.2,
    permutation_p_holm: 0.2,
    ...change,
  };
}

it('the better Blue is named first, whichever comes first in the plan', () => {
  expect(differenceSentences([comparison({})])).toEqual([
    'On the same 40 flaws, rules found 30 points more than checkov (p = 0.004, 95% interval +15 to +45): only rules found 14, only checkov 2.',
  ]);
});

it('an interval that contains 0 is said to do so', () => {
  const wide = comparison({ risk_difference: { value: -0.3, interval: [-0.6, 0.02] } });
  expect(differenceSentences([wide])[0]).toContain('95% interval -2 to +60, which contains 0)');
});

it('a difference that may be luck is not called one, and the surest comes first', () => {
  const luck = comparison({ mcnemar_p_holm: 0.3, permutation_p_holm: 0.01 });
  expect(differenceSentences([luck, comparison({})])).toEqual([
    expect.stringContaining('30 points more'),
    'On the same 40 flaws, no difference between rules and checkov is more than luck: only rules found 14, only checkov 2 (p = 0.30).',
    'The mean F1 by the twin of rules is 20 points higher than that of checkov (p = 0.010).',
  ]);
});

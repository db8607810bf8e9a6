import { expect, test } from 'vitest';
import { sampleGame, sampleScores } from '../../../test/arena-experiment/sample-experiment.ts';
import { createBlueEfforts, weightedKappa } from './blue-effort.ts';

test('kappa with linear weights is 1 for the same, 0 for chance, and less the further off', () => {
  const same: [number, number][] = [
    [1, 1],
    [3, 3],
    [2, 2],
  ];
  expect(weightedKappa(same)).toBe(1);
  expect(weightedKappa([])).toBeNull();
  expect(
    weightedKappa([
      [2, 2],
      [2, 2],
    ]),
  ).toBeNull();
  expect(
    weightedKappa([
      [1, 1],
      [1, 3],
      [3, 1],
      [3, 3],
    ]),
  ).toBeCloseTo(0);
  const near = weightedKappa([...same, [1, 2]]) ?? 0;
  expect(near).toBeGreaterThan(weightedKappa([...same, [1, 3]]) ?? 0);
});

test('severities are compared where both sides have one, and what is not known has no price', () => {
  const efforts = createBlueEfforts();
  const scores = sampleScores([true, true, true, false], 1);
  const rated = ['critical', 'medium', undefined].map((severity, index) => ({
    ...scores.vulnerabilities[index],
    found_by: { finding: index, rule: null, resource: null, title: null, severity },
  }));
  const vulnerabilities = scores.vulnerabilities.map((each, index) => ({ ...each, ...rated[index] }));
  efforts.add(sampleGame({ blue_seconds: 2 }), { ...scores, vulnerabilities });
  efforts.add(sampleGame({ blue_cost_usd: null }), scores);
  expect(efforts.efforts()).toMatchObject([
    { findings: 8, matches: 6, cost_usd: null, cost_per_match_usd: null, seconds: null, seconds_per_match: null },
  ]);
  expect(efforts.efforts()[0]?.severity).toMatchObject({ matches: 2, same: 0, one_off: 2 });
});

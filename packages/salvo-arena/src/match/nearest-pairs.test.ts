import { expect, it } from 'vitest';
import { JudgeAgent } from './judge-agent.ts';
import { nearestPairs } from './nearest-pairs.ts';

const FLAWS = [
  { id: 'v1', type: 'encryption', resource: 'aws_db_instance.a', title: 'The database is not encrypted' },
  { id: 'v2', type: 'network', resource: 'aws_security_group.b', title: 'SSH is open to the world' },
];
const FINDINGS = [
  { type: 'iam', resource: 'aws_iam_role.c', title: 'The role may do everything' },
  { type: 'network', resource: 'aws_security_group.b', title: 'SSH is open to the world' },
  { type: 'encryption', resource: 'aws_db_instance.a', title: 'The storage is not encrypted' },
];

it.each(['documented', 'evidence'] as const)(
  'has the scores and factors of the judge with the %s matcher',
  (matcher) => {
    const pairs = nearestPairs(FLAWS, FINDINGS, { matcher, each: 3 });
    expect(pairs).toHaveLength(FLAWS.length * FINDINGS.length);
    const { matches } = new JudgeAgent({ matcher }).score(FLAWS, FINDINGS);
    expect(matches).toHaveLength(2);
    for (const { vulnerabilityIndex, findingIndex, score, factors } of matches) {
      expect(pairs).toContainEqual(expect.objectContaining({ vulnerabilityIndex, findingIndex, score, factors }));
    }
  },
);

it('keeps the nearest of each side, and compares nothing if there is too much to compare', () => {
  const pairs = nearestPairs(FLAWS, FINDINGS, { matcher: 'evidence', each: 1 });
  const named = pairs.map(({ vulnerabilityIndex, findingIndex }) => `${vulnerabilityIndex} ${findingIndex}`);
  expect(named).toEqual(expect.arrayContaining(['0 2', '1 1']));
  // The role is near nothing, and still has the flaw that is nearest to it.
  expect(named.filter((name) => name.endsWith(' 0'))).toHaveLength(1);
  expect(named).toHaveLength(3);
  const many = Array.from({ length: 60_000 }, () => ({ type: 'iam' }));
  expect(nearestPairs(FLAWS, many, { matcher: 'evidence', each: 1 })).toEqual([]);
});

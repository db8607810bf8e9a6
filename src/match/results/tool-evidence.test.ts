import { describe, expect, it } from 'vitest';
import { sampleClaim } from '../../../test/match/sample-claim.ts';
import { tableMatcher } from '../../../test/match/table-matcher.ts';
import type { Claim } from '../claims/claim.ts';
import { compareWithTools } from './tool-evidence.ts';

const about = (title: string, ...resources: string[]) => sampleClaim({ title, resources });
/** Two claims score 1 when they have the same title. */
const createMatcher = (claims: readonly Claim[], tools: readonly Claim[]) =>
  tableMatcher(claims.map((claim) => tools.map((tool) => (claim.title === tool.title ? 1 : 0.1))));
const game = {
  vulnerabilities: [about('sse', 'x'), about('acl', 'y'), about('log', 'z')],
  findings: [about('no sse', 'x'), about('no acl', 'y'), about('alarm', 'w'), about('noise', 'w')],
  matches: [
    { vulnerability: 0, finding: 0 },
    { vulnerability: 1, finding: 1 },
  ],
  falseAlarms: [2, 3],
  createMatcher,
  floor: 0.5,
};

describe('compareWithTools', () => {
  it('corroborates a match when a tool reports the vulnerability or the finding', () => {
    expect(compareWithTools({ ...game, tools: [about('sse', 'x')] })).toMatchObject({
      corroborated: [0],
      corroborationRate: 0.5,
    });
    expect(compareWithTools({ ...game, tools: [about('no acl', 'y')] }).corroborated).toEqual([1]);
  });

  it('supports a false alarm that a tool reports, and leaves it out of the adjusted precision', () => {
    expect(compareWithTools({ ...game, tools: [about('alarm', 'w')] })).toMatchObject({
      corroborated: [],
      supportedAlarms: [2],
      adjustedPrecision: 2 / 3,
    });
  });

  it("ignores a tool's claim about another resource, but not one that names no resource", () => {
    expect(compareWithTools({ ...game, tools: [about('alarm', 'v'), about('sse', 'v')] })).toMatchObject({
      corroborated: [],
      supportedAlarms: [],
      adjustedPrecision: 0.5,
    });
    expect(compareWithTools({ ...game, tools: [about('alarm')] }).supportedAlarms).toEqual([2]);
  });

  it('has no rate with a denominator of 0', () => {
    const nothing = { ...game, findings: [], matches: [], falseAlarms: [] };
    expect(compareWithTools({ ...nothing, tools: [] })).toEqual({
      corroborated: [],
      corroborationRate: null,
      supportedAlarms: [],
      adjustedPrecision: null,
    });
  });
});

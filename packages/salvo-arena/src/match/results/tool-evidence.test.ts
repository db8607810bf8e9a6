import { describe, expect, it } from 'vitest';
import { sampleClaim } from '../../../test/match/sample-claim.ts';
import { compareWithTools } from './tool-evidence.ts';

const about = (title: string, ...resources: string[]) => sampleClaim({ title, resources });
const UNENCRYPTED = 'The bucket is not encrypted at rest';
const PUBLIC = 'The bucket has a public ACL';
const OPEN_PORT = 'SSH is open to the world';
const game = {
  vulnerabilities: [about(UNENCRYPTED, 'x'), about(PUBLIC, 'y'), about('Access logging is disabled', 'z')],
  findings: [
    about('The instance has a hard-coded password', 'x'),
    about('Versioning is disabled', 'y'),
    about(OPEN_PORT, 'w'),
    about('The backups are deleted too early', 'w'),
  ],
  matches: [
    { vulnerability: 0, finding: 0 },
    { vulnerability: 1, finding: 1 },
  ],
  falseAlarms: [2, 3],
};

describe('compareWithTools', () => {
  it('corroborates a match when a tool reports the vulnerability or the finding', () => {
    expect(compareWithTools({ ...game, tools: [about(UNENCRYPTED, 'x')] })).toMatchObject({
      corroborated: [0],
      corroborationRate: 0.5,
    });
    expect(compareWithTools({ ...game, tools: [about('Versioning is disabled', 'y')] }).corroborated).toEqual([1]);
  });

  it('supports a false alarm that a tool reports, and leaves it out of the adjusted precision', () => {
    expect(compareWithTools({ ...game, tools: [about(OPEN_PORT, 'w')] })).toMatchObject({
      corroborated: [],
      supportedAlarms: [2],
      adjustedPrecision: 2 / 3,
    });
  });

  it("ignores a tool's claim about another resource, but not one that names no resource", () => {
    expect(compareWithTools({ ...game, tools: [about(OPEN_PORT, 'v'), about(UNENCRYPTED, 'v')] })).toMatchObject({
      corroborated: [],
      supportedAlarms: [],
      adjustedPrecision: 0.5,
    });
    expect(compareWithTools({ ...game, tools: [about(OPEN_PORT)] }).supportedAlarms).toEqual([2]);
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

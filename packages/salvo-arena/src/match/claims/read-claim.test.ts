import { describe, expect, it } from 'vitest';
import { canonicalVulnerability } from './canonical-entries.ts';
import { fieldKeys } from './claim-fields.ts';
import { readLabels } from './read-claim.ts';

const labelsOf = (record: Record<string, unknown>, index: number) => readLabels(record, fieldKeys(record), index);

describe('the labels of a vulnerability', () => {
  it.each([
    { id: 'v1', difficulty: 'hard', technique: 'decoy', weakness: 'kms-no-rotation' },
    { vuln_id: 7 },
    { vulnerability_id: 'x' },
    { id: null, technique: null },
    { id: ' ' },
    {},
  ])('of %j are the same as those of the canonical manifest', (record) => {
    const { id, difficulty = '', technique = '', weakness = '' } = canonicalVulnerability(record, 4);
    expect(labelsOf(record, 4)).toEqual({ id, difficulty, technique, weakness });
  });

  it('have its position for a missing id', () => {
    expect(labelsOf({}, 2).id).toBe('#3');
  });

  it('accept an id of any type', () => {
    const record = JSON.parse('{"id": {"toString": 1}, "technique": [{"__proto__": 1}, []]}');
    expect(labelsOf(record, 0).id).toBe('#1');
  });
});

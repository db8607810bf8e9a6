import { describe, expect, it } from 'vitest';
import { relateRules } from './relate-rules.ts';
import { allRelations, otherNames, whyItFollows } from './weakness-relations.ts';
import { weaknessById, weaknessesOfRule } from './weaknesses.ts';

describe('relations.jsonl', () => {
  it('names weaknesses of the catalogue only', () => {
    const named = allRelations().flatMap(({ weakness, implies = [], part_of = [], same_as = [] }) => [
      weakness,
      ...implies,
      ...part_of,
      ...same_as,
    ]);
    expect(named.filter((id) => weaknessById(id) === undefined)).toEqual([]);
  });

  it('has no weakness that implies itself, directly or through others', () => {
    const links = new Map<string, string[]>();
    for (const { weakness, implies = [] } of allRelations()) {
      links.set(weakness, [...(links.get(weakness) ?? []), ...implies]);
    }
    const reaches = (from: string, wanted: string, seen = new Set<string>()): boolean =>
      (links.get(from) ?? []).some((next) => {
        if (next === wanted) return true;
        if (seen.has(next)) return false;
        seen.add(next);
        return reaches(next, wanted, seen);
      });
    expect([...links.keys()].filter((id) => reaches(id, id))).toEqual([]);
  });

  it('has each kind of relation between two weaknesses once', () => {
    const pairs = allRelations().flatMap(({ weakness, implies = [], part_of = [], same_as = [] }) => [
      ...implies.map((other) => `${weakness} implies ${other}`),
      ...part_of.map((other) => `${weakness} part_of ${other}`),
      ...same_as.map((other) => `${[weakness, other].toSorted().join(' same_as ')}`),
    ]);
    expect(pairs.length).toBe(new Set(pairs).size);
  });

  it('makes same_as hold both ways', () => {
    for (const { weakness, same_as = [] } of allRelations()) {
      for (const other of same_as) {
        expect([...otherNames(weakness)]).toContain(other);
        expect([...otherNames(other)]).toContain(weakness);
      }
    }
  });
});

it.each(
  ['62', '63', '107', '108', '109', '110', '111', '286', '287', '288', '289', '290', '355', '356'].map(
    (n) => `CKV_AWS_${n}`,
  ),
)('what %s reports is the administrator’s policy itself, or follows from it', (rule) => {
  const weaknesses = weaknessesOfRule(rule);
  expect(weaknesses).not.toEqual([]);
  expect(
    weaknesses.some((id) => id === 'iam-policy-full-admin' || whyItFollows('iam-policy-full-admin', id) !== null),
  ).toBe(true);
});

it('what follows is followed through others', () => {
  expect(whyItFollows('iam-administrator-access', 'iam-policy-data-exfiltration')).toBe(
    'iam-administrator-access implies iam-policy-data-exfiltration',
  );
});

it('a part follows from the whole, and the whole from a part', () => {
  expect(whyItFollows('s3-block-public-acls-off', 's3-no-public-access-block')).toMatch(/is part of/);
  expect(whyItFollows('s3-no-public-access-block', 's3-block-public-acls-off')).toMatch(/is part of/);
});

it('nothing follows from a weakness that is only similar, or the other way round', () => {
  expect(whyItFollows('iam-policy-data-exfiltration', 'iam-policy-full-admin')).toBeNull();
  expect(whyItFollows('s3-bucket-no-cmk', 's3-bucket-unencrypted')).toBeNull();
  expect(whyItFollows('s3-bucket-no-versioning', 's3-bucket-no-access-logging')).toBeNull();
  expect(whyItFollows('s3-bucket-unencrypted', 's3-bucket-unencrypted')).toBeNull();
  expect(whyItFollows('iam-user-direct-policy', 'iam-policy-no-group')).toBeNull();
});

it('rules of one weakness under two names are the same, and rules of which one follows are related', () => {
  expect(relateRules(['iam-policy-no-group'], ['CKV_AWS_40'])).toBe('same');
  expect(relateRules(['CKV_AWS_62'], ['CKV_AWS_108'])).toBe('related');
  expect(relateRules(['CKV_AWS_108'], ['CKV_AWS_62'])).toBe('related');
});

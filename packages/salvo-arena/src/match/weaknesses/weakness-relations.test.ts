import { describe, expect, it } from 'vitest';
import { relateRules } from './relate-rules.ts';
import { allRelations, otherNames, whyItFollows } from './weakness-relations.ts';
import { allWeaknesses, weaknessById, weaknessesOfRule } from './weaknesses.ts';

describe('relations.jsonl', () => {
  it('names weaknesses of the catalogue only', () => {
    const named = allRelations().flatMap(({ weakness, ...kinds }) => [weakness, ...Object.values(kinds).flat()]);
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
    const pairs = allRelations().flatMap(({ weakness, ...kinds }) =>
      Object.entries(kinds).flatMap(([kind, others]) =>
        others.map((other) => (kind.startsWith('same') ? [weakness, other].toSorted() : [weakness, other]).join(kind)),
      ),
    );
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

/** What a policy of any service says if anyone may use it. */
const ADMITS_ANYONE = /admits any(?:one| principal)|assumed by anyone|lets everyone use it/;

describe('at the document of a policy', () => {
  const named = allRelations().flatMap(({ weakness, same_at_document: others = [] }) =>
    others.map((other) => [weakness, other] as const),
  );

  it('what CKV_AWS_283 reports is the same as every open policy of AWS, in the whole catalogue', () => {
    const open = allWeaknesses().filter(({ title, terraform }) => {
      const isAws = terraform?.types.some((type) => type.startsWith('aws_')) ?? false;
      return isAws && ADMITS_ANYONE.test(title);
    });
    expect(open.length).toBeGreaterThan(14);
    expect(open.filter(({ id }) => relateRules([id], ['CKV_AWS_283'], true) !== 'same')).toEqual([]);
  });

  it('a weakness has its other names both ways, and only there', () => {
    for (const pair of [...named, ...named.map(([one, other]) => [other, one] as const)]) {
      const [planted, reported] = pair;
      const rules = [reported, ...Object.values(weaknessById(reported)?.rules ?? {}).flat()];
      const isOwn = (rule: string) => weaknessesOfRule(rule).includes(planted);
      for (const rule of rules.filter((id) => !isOwn(id))) {
        expect([rule, relateRules([planted], [rule], true)]).toEqual([rule, 'same']);
        expect([rule, relateRules([planted], [rule])]).not.toEqual([rule, 'same']);
      }
    }
  });

  it('a rule that names a part of a weakness does so there only, and not the other way round', () => {
    expect(relateRules(['iam-policy-full-admin'], ['CKV_AWS_111'], true)).toBe('in_part');
    expect(relateRules(['iam-policy-wildcard-resource'], ['CKV_AWS_111'], true)).toBe('in_part');
    expect(relateRules(['iam-policy-full-admin'], ['CKV_AWS_111'])).toBe('related');
    expect(relateRules(['CKV_AWS_111'], ['iam-policy-full-admin'], true)).toBe('related');
  });

  it('policies of two services stay different', () => {
    expect(relateRules(['sns-public'], ['CKV_AWS_70'], true)).toBe('different');
    expect(relateRules(['kms-key-policy-wildcard'], ['CKV_AWS_169'], true)).toBe('different');
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

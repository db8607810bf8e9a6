import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleClaim } from '../../../test/match/sample-claim.ts';
import { canonicalOrder } from './canonical-order.ts';
import type { Claim } from './claim.ts';
import { SEVERITIES } from './severity.ts';

const word = fc.constantFrom('', 'a', 'b', 'ab');
const words = fc.array(word, { maxLength: 2 });
const number = fc.option(fc.integer({ min: 1, max: 3 }));
const claim: fc.Arbitrary<Claim> = fc.record({
  type: word,
  resources: words,
  severity: fc.option(fc.constantFrom(...SEVERITIES)),
  title: word,
  description: word,
  evidence: word,
  attributes: words,
  file: fc.option(word),
  line: number,
  end_line: number,
  rule_ids: words,
  locations: fc.array(
    fc.record({
      kind: fc.constant('definition' as const),
      resource: fc.option(word),
      file: word,
      line: number,
      end_line: number,
    }),
    { maxLength: 2 },
  ),
});

const pick = <T>(items: readonly T[], order: readonly number[]): (T | undefined)[] =>
  order.map((index) => items[index]);

describe('canonicalOrder', () => {
  it('is a permutation', () => {
    fc.assert(
      fc.property(fc.array(claim), (claims) => {
        expect(canonicalOrder(claims).toSorted((a, b) => a - b)).toEqual(claims.map((_, index) => index));
      }),
    );
  });

  it('brings the same claims and tie-breakers into the same order, however they were ordered', () => {
    const items = fc.array(fc.record({ claim, id: word }), { maxLength: 12 });
    const shuffled = items.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([items, others]) => {
        const ordered = [items, others].map((list) => {
          const claims = list.map((item) => item.claim);
          const ids = list.map((item) => item.id);
          return pick(list, canonicalOrder(claims, ids));
        });
        // An unknown file and an empty name are ordered alike, and no matcher distinguishes them.
        const normalised = ordered.map((list) =>
          list.map((item) => ({ ...item, claim: { ...item?.claim, file: item?.claim.file ?? '' } })),
        );
        expect(normalised[0]).toEqual(normalised[1]);
      }),
    );
  });

  it.each<[string, Partial<Claim>, Partial<Claim>]>([
    ['type', { type: 'encryption' }, { type: 'network' }],
    ['resource', { resources: ['aws_s3_bucket.a'] }, { resources: ['aws_s3_bucket.b'] }],
    ['number of resources', { resources: ['a'] }, { resources: ['a', 'b'] }],
    ['severity', { severity: 'critical' }, { severity: 'high' }],
    ['title', { title: 'a' }, { title: 'b' }],
    ['description', { description: 'a' }, { description: 'b' }],
    ['evidence', { evidence: 'a' }, { evidence: 'b' }],
    ['attribute', { attributes: ['a'] }, { attributes: ['b'] }],
    ['file', { file: 'a.tf' }, { file: 'b.tf' }],
    ['line', { line: 9 }, { line: 10 }],
    ['last line', { end_line: 9 }, { end_line: 10 }],
    ['rule', { rule_ids: ['CKV_AWS_19'] }, { rule_ids: ['CKV_AWS_20'] }],
  ])('distinguishes claims by their %s', (_, first, second) => {
    const [a, b] = [sampleClaim(first), sampleClaim(second)];
    expect(canonicalOrder([a, b])).toEqual([0, 1]);
    expect(canonicalOrder([b, a])).toEqual([1, 0]);
  });

  it('lets a tie-breaker decide only between equal claims', () => {
    const a = sampleClaim({ type: 'a' });
    const b = sampleClaim({ type: 'b' });
    expect(canonicalOrder([b, a, a], ['v1', 'v3', 'v2'])).toEqual([2, 1, 0]);
  });

  it('leaves an empty list empty', () => {
    expect(canonicalOrder([], [])).toEqual([]);
  });
});

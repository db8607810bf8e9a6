import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tried } from '../../../../../test/thorough.ts';
import { wordsOf } from '../../../../salvo/src/text/words/words.ts';
import { categoriesOf } from '../claims/categories.ts';
import type { Claim } from '../claims/claim.ts';
import { extractKeywords } from '../claims/keywords.ts';
import { readClaim } from '../claims/read-claim.ts';
import { sameResource } from '../claims/resource-address.ts';
import { createClaimNumbering } from './claim-numbers.ts';
import { documentedCandidates } from './documented-candidates.ts';
import { createDocumentedMatcher } from './documented-matcher.ts';
import { createFindingIndex } from './finding-index.ts';

function score(a: Record<string, unknown>, b: Record<string, unknown>): number {
  return createDocumentedMatcher([readClaim(a)], [readClaim(b)]).score(0, 0);
}

describe('the documented matcher', () => {
  it('scores the pairs of the quick start', () => {
    const matcher = createDocumentedMatcher(
      [
        readClaim({ type: 'encryption', resource: 'aws_s3_bucket.data' }),
        readClaim({ type: 'access_control', resource: 'aws_s3_bucket.data' }),
      ],
      [
        readClaim({ type: 'encryption', resource: 'aws_s3_bucket.data', severity: 'HIGH' }),
        readClaim({ type: 'network', resource: 'aws_security_group.web', severity: 'MEDIUM' }),
      ],
    );
    expect([matcher.score(0, 0), matcher.score(0, 1), matcher.score(1, 0), matcher.score(1, 1)]).toEqual([
      0.8, 0, 0.25, 0,
    ]);
    expect(matcher.candidates(0.4)).toMatchObject({
      length: 1,
      vulnerability: new Int32Array([0]),
      finding: new Int32Array([0]),
      score: new Float64Array([0.8]),
    });
  });

  it('gives 0.30 for the category, by equal type or by pattern', () => {
    expect(score({ type: 'kms' }, { type: 'tls' })).toBe(0.3);
    expect(score({ type: 'Hard-coded secret' }, { type: 'hardcodedSecret', title: 'Token leak' })).toBe(0.3 + 0.125);
    expect(score({ type: 'secret' }, { type: 'token' })).toBe(0);
    expect(score({ type: '!' }, { type: '!' })).toBe(0);
  });

  it('gives 0.25 for the resource', () => {
    expect(score({ resource: 'aws_s3_bucket.data' }, { resource: ['x', 'module.m.aws_s3_bucket.data[0]'] })).toBe(0.25);
    expect(score({ resource: '' }, { resource: '' })).toBe(0);
  });

  it('gives 0.25 times the share of common keywords', () => {
    expect(score({ title: 'alpha beta gamma' }, { title: 'beta gamma delta' })).toBe(0.125);
    expect(score({ title: 'the' }, { title: 'the' })).toBe(0);
  });

  it('gives 0.20 for the severity, only when both state one', () => {
    expect(score({ severity: 'high' }, { severity: 'HIGH' })).toBe(0.2);
    expect(score({ severity: 'high' }, { severity: 'low' })).toBe(0);
    expect(score({ severity: null }, {})).toBe(0);
    expect(score({ severity: 'odd' }, { severity: 'odd' })).toBe(0);
  });

  it('refuses an index without a claim', () => {
    expect(() => createDocumentedMatcher([], []).score(0, 0)).toThrow(RangeError);
  });

  it('has no candidates when a side is empty', () => {
    expect(createDocumentedMatcher([], []).candidates(0.4).length).toBe(0);
    expect(createDocumentedMatcher([], [readClaim({ type: 'iam' })]).candidates(0.1).length).toBe(0);
  });

  it('accepts a score that equals the floor', () => {
    const claims = [readClaim({ type: 'kms', title: 'alpha beta' })];
    const others = [readClaim({ type: 'kms', title: 'alpha gamma gamma delta' })];
    expect(createDocumentedMatcher(claims, others).score(0, 0)).toBe(0.4);
    expect(createDocumentedMatcher(claims, others).candidates(0.4).length).toBe(1);
    expect(createDocumentedMatcher(claims, others).candidates(0.1 + 0.3).length).toBe(1);
  });
});

describe('the candidates', () => {
  it('are the pairs that comparing each with each finds, to the last bit', () => {
    fc.assert(
      fc.property(claims, claims, floor, (vulnerabilities, findings, least) => {
        const matcher = createDocumentedMatcher(vulnerabilities, findings);
        const expected = densePairs(vulnerabilities, findings, least);
        expect(pairsOf(matcher.candidates(least))).toEqual(expected);
        for (const [pair, value] of expected) {
          const [v = 0, f = 0] = pair.split(' ').map(Number);
          expect(matcher.score(v, f)).toBe(value);
        }
      }),
    );
  });

  it('are the same through the index, however few there are', () => {
    fc.assert(
      fc.property(claims, claims, floor, (vulnerabilities, findings, least) => {
        const numbering = createClaimNumbering();
        const numbers = vulnerabilities.map(numbering.numbersOf);
        const index = createFindingIndex(findings.map(numbering.numbersOf), numbering.keywordCount());
        expect(pairsOf(documentedCandidates(numbers, index, least))).toEqual(
          densePairs(vulnerabilities, findings, least),
        );
      }),
      { numRuns: tried(300) },
    );
  });

  it('contain each pair once, even when two claims share several resources', () => {
    const claim = readClaim({ resource: ['a', 'aws_s3_bucket.a', 'module.m.aws_s3_bucket.a', 'b'], type: 'iam' });
    const list = createDocumentedMatcher(Array(20).fill(claim), Array(20).fill(claim)).candidates(0.4);
    expect(list.length).toBe(400);
    expect(pairsOf(list).size).toBe(400);
  });
});

describe('any score', () => {
  it('is from 0 to 1, the same from both sides, and at least as high with itself', () => {
    fc.assert(
      fc.property(claim, claim, (a, b) => {
        const matcher = createDocumentedMatcher([a, b], [a, b]);
        expect(matcher.score(0, 1)).toBe(matcher.score(1, 0));
        expect(matcher.score(0, 1)).toBeGreaterThanOrEqual(0);
        expect(matcher.score(0, 1)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('does not depend on the order of the lists, nor on the other claims in them', () => {
    fc.assert(
      fc.property(claim, claim, claims, (a, b, others) => {
        const alone = createDocumentedMatcher([a], [b]).score(0, 0);
        expect(createDocumentedMatcher([...others, a], [b, ...others]).score(others.length, 0)).toBe(alone);
        expect(createDocumentedMatcher([a, ...others], [...others, b]).score(0, others.length)).toBe(alone);
      }),
    );
  });

  it('is what the factors of its explanation add up to', () => {
    fc.assert(
      fc.property(claim, claim, (a, b) => {
        const matcher = createDocumentedMatcher([a], [b]);
        const factors = matcher.explain(0, 0);
        expect(factors.map(({ name }) => name)).toEqual(['category', 'resource', 'keywords', 'severity']);
        expect(factors.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(matcher.score(0, 0), 12);
        for (const { points, most } of factors) expect(points).toBeLessThanOrEqual(most);
      }),
    );
  });
});

/** The formula again, computed from the texts. */
function denseScore(a: Claim, b: Claim): number {
  const [typeA, typeB] = [wordsOf(a.type).join(' '), wordsOf(b.type).join(' ')];
  const category = (typeA !== '' && typeA === typeB) || !categoriesOf(a).isDisjointFrom(categoriesOf(b));
  const [wordsA, wordsB] = [extractKeywords(a), extractKeywords(b)];
  const either = wordsA.union(wordsB).size;
  const jaccard = either === 0 ? 0 : (25 * wordsA.intersection(wordsB).size) / either;
  const severity = a.severity !== null && a.severity === b.severity;
  const whole = (category ? 30 : 0) + (sameResource(a.resources, b.resources) ? 25 : 0) + (severity ? 20 : 0);
  return (whole + jaccard) / 100;
}

function densePairs(vulnerabilities: readonly Claim[], findings: readonly Claim[], least: number): Map<string, number> {
  const pairs = vulnerabilities.flatMap((a, v) =>
    findings.map((b, f): [string, number] => [`${v} ${f}`, denseScore(a, b)]),
  );
  return new Map(pairs.filter(([, value]) => value >= least - 1e-9));
}

function pairsOf(list: ReturnType<ReturnType<typeof createDocumentedMatcher>['candidates']>): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let at = 0; at < list.length; at += 1)
    pairs.set(`${list.vulnerability[at]} ${list.finding[at]}`, list.score[at] ?? -1);
  expect(pairs.size).toBe(list.length);
  return pairs;
}

const text = fc
  .array(
    fc.constantFrom('bucket', 'encryption', 'encrypted', 'public', 'key', 'the', 'role', 'rest', 'port', '22', 'log'),
    {
      maxLength: 5,
    },
  )
  .map((words) => words.join(' '));
const claim: fc.Arbitrary<Claim> = fc.record({
  type: fc.constantFrom('', 'encryption', 'Encryption', 'iam', 'secrets', 'hard_coded', 'hardCoded', 'network'),
  resources: fc.array(
    fc.constantFrom(
      '',
      'data',
      'aws_s3_bucket.data',
      'module.x.aws_s3_bucket.data',
      'module.y.aws_s3_bucket.data[0]',
      'web',
      'aws_lb.web',
      'aws_lb',
    ),
    { maxLength: 2 },
  ),
  severity: fc.constantFrom(null, 'low', 'high', 'critical'),
  title: text,
  description: text,
  evidence: fc.constant(''),
  attributes: fc.constant([]),
  file: fc.constant(null),
  line: fc.constant(null),
  end_line: fc.constant(null),
  rule_ids: fc.constant([]),
  locations: fc.constant([]),
});
const claims = fc.array(claim, { maxLength: 24 });
const floor = fc.oneof(
  fc.constantFrom(0.05, 0.2, 0.25, 0.3, 0.4, 0.45, 0.5, 0.55, 0.7, 0.75, 0.9, 1),
  fc.double({ min: 0.01, max: 1, noNaN: true }),
);

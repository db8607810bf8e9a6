import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../salvo/src/stats/seeded-random.ts';
import { assigned, chain, largerCases, smallCases, star, totalOf } from '../../../test/match/assignment-cases.ts';
import { bestOfAll, hungarianTotal } from '../../../test/match/reference-assignment.ts';
import { sampleClaim } from '../../../test/match/sample-claim.ts';
import { canonicalOrder } from '../claims/canonical-order.ts';

describe('optimalAssignment', () => {
  it('has the largest possible total and, of all such pairings, the most pairs', () => {
    fc.assert(
      fc.property(smallCases, (given) => {
        const pairs = assigned(given);
        expect({ total: totalOf(pairs), pairs: pairs.length }).toEqual(bestOfAll(given));
      }),
      { numRuns: 1000 },
    );
  });

  it('has the total of the textbook algorithm on cases too large to try everything', () => {
    fc.assert(
      fc.property(largerCases, (given) => {
        expect(totalOf(assigned(given))).toBe(hungarianTotal(given));
      }),
    );
  });

  it('never has a smaller total than greedy', () => {
    fc.assert(
      fc.property(largerCases, (given) => {
        expect(totalOf(assigned(given))).toBeGreaterThanOrEqual(totalOf(assigned(given, 'greedy')));
      }),
    );
  });

  it('has the same total and number of pairs however the two sides are numbered, and with the sides exchanged', () => {
    const renumbered = largerCases.chain((given) =>
      fc.tuple(
        fc.constant(given),
        permutation(given.sizes.vulnerabilities),
        permutation(given.sizes.findings),
        fc.boolean(),
      ),
    );
    fc.assert(
      fc.property(renumbered, ([given, left, right, swap]) => {
        const candidates = given.candidates.map(({ vulnerability, finding, score }) => {
          const [a, b] = [left[vulnerability] ?? 0, right[finding] ?? 0];
          return swap ? { vulnerability: b, finding: a, score } : { vulnerability: a, finding: b, score };
        });
        const { vulnerabilities, findings } = given.sizes;
        const sizes = swap ? { vulnerabilities: findings, findings: vulnerabilities } : given.sizes;
        const [before, after] = [assigned(given), assigned({ candidates, sizes })];
        expect(totalOf(after)).toBe(totalOf(before));
        expect(after.length).toBe(before.length);
      }),
    );
  });

  it('pairs the same claims in any order of the input, when both sides are numbered canonically', () => {
    const claims = fc.array(fc.record({ type: fc.constantFrom('a', 'b', 'c'), line: fc.integer({ min: 1, max: 4 }) }), {
      maxLength: 8,
    });
    const twice = claims.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(twice, twice, ([vulnerabilities, shuffled], [findings, others]) => {
        expect(pairedClaims(shuffled, others)).toEqual(pairedClaims(vulnerabilities, findings));
      }),
    );
  });

  it('gives up the best pair when the two that it blocks are worth more together', () => {
    const given = chain(0.55, 1, 0.55);
    expect(assigned(given).map(({ score }) => score)).toEqual([0.55, 0.55]);
    expect(assigned(given, 'greedy').map(({ score }) => score)).toEqual([1]);
  });

  it('prefers two pairs to one of the same total', () => {
    expect(assigned(chain(0.5, 1, 0.5))).toHaveLength(2);
  });

  it('leaves a pair out if it would reduce the total', () => {
    expect(assigned(chain(0.45, 1, 0.45)).map(({ score }) => score)).toEqual([1]);
  });

  it('counts scores as equal that differ only by how they were added up', () => {
    // 0.1 + 0.2 is above 0.3 by a rounding error; both findings are equally good, and the first one counts.
    expect(assigned(star([0.3 + 0.3, 0.1 + 0.2 + 0.3], 'vulnerability'))).toMatchObject([{ finding: 0 }]);
  });

  it('may find more matches at a higher threshold: fewer candidates, but another pairing has the largest total', () => {
    const scores = [0.55, 1, 0.55, 0.4, 0.55, 1, 0.55];
    const given = chain(...scores);
    expect(assigned(given).map(({ score }) => score)).toEqual([1, 0.4, 1]);
    const stricter = { ...given, candidates: given.candidates.filter(({ score }) => score >= 0.5) };
    expect(assigned(stricter).map(({ score }) => score)).toEqual([0.55, 0.55, 0.55, 0.55]);
  });

  it.each([
    ['rising', (at: number) => 0.4 + at / 50_000],
    ['falling', (at: number) => 1 - at / 50_000],
    ['tied', () => 0.5],
  ])('follows a chain of 10,000 vulnerabilities with %s scores', (_, score) => {
    const given = chain(...Array.from({ length: 20_000 }, (_, at) => score(at)));
    const pairs = assigned(given);
    // Dynamic programming along the chain gives the largest total.
    let [without, total] = [0, 0];
    for (const candidate of given.candidates) {
      [without, total] = [total, Math.max(total, without + Math.round(candidate.score * 1e9))];
    }
    expect(totalOf(pairs)).toBe(total);
  });

  it('pairs a thousand claims of a few kinds that compete for the same partners', () => {
    const random = seededRandom('kinds');
    const kinds = Array.from({ length: 2000 }, () => 1 + Math.floor(random() * 10));
    const side = kinds.length / 2;
    const candidates = kinds
      .slice(0, side)
      .flatMap((words, vulnerability) =>
        kinds
          .slice(side)
          .map((more, finding) => ({ vulnerability, finding, score: 0.5 + (0.25 * words) / (10 + more) })),
      );
    const pairs = assigned({ candidates, sizes: { vulnerabilities: side, findings: side } });
    // A sum of products is largest when the larger factors of both sides are paired.
    const ascending = (a: number, b: number): number => a - b;
    const fewest = kinds.slice(side).sort(ascending);
    const best = kinds
      .slice(0, side)
      .sort((a, b) => b - a)
      .map((words, at) => 0.5 + (0.25 * words) / (10 + (fewest[at] ?? 0)));
    expect(totalOf(pairs)).toBe(best.reduce((sum, score) => sum + Math.round(score * 1e9), 0));
  });
});

interface Said {
  type: string;
  line: number;
}

/** The pairs of claims. A pair scores half a point for the same type, and half for nearby lines. */
function pairedClaims(vulnerabilities: readonly Said[], findings: readonly Said[]): (readonly [Said?, Said?])[] {
  const [left, right] = [vulnerabilities, findings].map((side) => {
    const claims = side.map((said) => sampleClaim(said));
    return canonicalOrder(claims).flatMap((index) => side[index] ?? []);
  });
  if (!left || !right) return [];
  const candidates = left.flatMap((a, vulnerability) =>
    right.flatMap((b, finding) => {
      const score = (a.type === b.type ? 0.5 : 0) + (Math.abs(a.line - b.line) < 2 ? 0.5 : 0);
      return score === 0 ? [] : [{ vulnerability, finding, score }];
    }),
  );
  const sizes = { vulnerabilities: left.length, findings: right.length };
  return assigned({ candidates, sizes }).map(({ vulnerability, finding }) => [left[vulnerability], right[finding]]);
}

function permutation(size: number): fc.Arbitrary<number[]> {
  const all = Array.from({ length: size }, (_, index) => index);
  return fc.shuffledSubarray(all, { minLength: size });
}

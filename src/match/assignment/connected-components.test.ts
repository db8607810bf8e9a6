import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidateListOf } from './candidate-list.ts';
import { connectedComponents } from './connected-components.ts';

const listOf = (pairs: readonly (readonly [number, number])[]) =>
  candidateListOf(pairs.map(([vulnerability, finding]) => ({ vulnerability, finding, score: 0.5 })));

describe('connectedComponents', () => {
  it('joins what is a candidate of each other, directly or through others', () => {
    const root = connectedComponents(
      listOf([
        [0, 0],
        [1, 0],
        [1, 2],
        [2, 1],
      ]),
      { vulnerabilities: 4, findings: 4 },
    );
    // Vulnerabilities 0 to 3, then findings 0 to 3.
    expect([...root]).toEqual([0, 0, 2, 3, 0, 2, 0, 7]);
  });

  it('follows a chain of any length', () => {
    const links = 20_000;
    const pairs = Array.from({ length: 2 * links - 1 }, (_, at): [number, number] => [at >> 1, (at + 1) >> 1]);
    const root = connectedComponents(listOf(pairs.toReversed()), { vulnerabilities: links, findings: links });
    expect(new Set(root).size).toBe(1);
  });

  it('does not depend on the order of the candidates', () => {
    const pair = fc.tuple(fc.nat(9), fc.nat(9));
    const shuffled = fc
      .array(pair, { maxLength: 15 })
      .chain((pairs) => fc.tuple(fc.constant(pairs), fc.shuffledSubarray(pairs, { minLength: pairs.length })));
    fc.assert(
      fc.property(shuffled, ([pairs, others]) => {
        const sizes = { vulnerabilities: 10, findings: 10 };
        expect(connectedComponents(listOf(pairs), sizes)).toEqual(connectedComponents(listOf(others), sizes));
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidateListOf } from '../../../test/match/assignment-cases.ts';
import { buildCandidateGraph, firstWithEqualCandidates, MOST_VERTICES } from './candidate-graph.ts';

/** Millions of findings, so that a vertex needs all bits of its part of a sort key. */
const FINDINGS = 8_000_000;

const weight = fc.oneof(fc.constantFrom(400_000_000, 550_000_000, 1_000_000_000), fc.nat(1_000_000_000));
const entry = fc.record({ target: fc.oneof(fc.nat(5), fc.nat(FINDINGS - 1)), weight });
const few = fc.array(entry, { maxLength: 6 });
const many = fc.array(entry, { minLength: 24, maxLength: 300, size: 'max' });

describe('buildCandidateGraph', () => {
  it('sorts the candidates of each vulnerability by falling weight, then by rising finding', () => {
    // Few graphs, with many vulnerabilities each: one of this size takes a while to build.
    fc.assert(
      fc.property(fc.array(fc.oneof(few, many), { maxLength: 20 }), (rows) => {
        const candidates = rows.flatMap((row, vulnerability) =>
          row.map(({ target, weight }) => ({ vulnerability, finding: target, score: weight / 1e9 })),
        );
        const sizes = { vulnerabilities: rows.length, findings: FINDINGS };
        const graph = buildCandidateGraph(candidateListOf(candidates), sizes);
        const sorted = rows.flatMap((row) => row.toSorted((a, b) => b.weight - a.weight || a.target - b.target));
        expect([...graph.target].map((vertex) => vertex - rows.length)).toEqual(sorted.map(({ target }) => target));
        expect([...graph.weight]).toEqual(sorted.map((candidate) => candidate.weight));
      }),
      { numRuns: 5 },
    );
  });

  it('refuses more vertices than a sort key can hold', () => {
    const sizes = { vulnerabilities: 1, findings: MOST_VERTICES };
    expect(() => buildCandidateGraph(candidateListOf([]), sizes)).toThrow(RangeError);
  });
});

describe('firstWithEqualCandidates', () => {
  it('finds the first vertex with the same targets at the same weights', () => {
    const rows = [
      [[1, 0.5]],
      [[1, 0.5]],
      [[1, 0.51]],
      [[2, 0.5]],
      [
        [1, 0.5],
        [2, 0.4],
      ],
      [],
      [[1, 0.5]],
      [],
    ];
    const candidates = rows.flatMap((row, vulnerability) =>
      row.map(([finding = -1, score = -1]) => ({ vulnerability, finding, score })),
    );
    const sizes = { vulnerabilities: rows.length, findings: 3 };
    const graph = buildCandidateGraph(candidateListOf(candidates), sizes);
    expect([...firstWithEqualCandidates(graph)].slice(0, rows.length)).toEqual([0, 0, 2, 3, 4, 5, 0, 5]);
  });
});

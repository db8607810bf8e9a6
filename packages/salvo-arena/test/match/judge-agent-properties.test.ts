import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tried } from '../../../../test/thorough.ts';
import { readClaim } from '../../src/match/claims/read-claim.ts';
import { createDocumentedMatcher } from '../../src/match/documented/documented-matcher.ts';
import { createEvidenceMatcher } from '../../src/match/evidence/evidence-matcher.ts';
import { JudgeAgent } from '../../src/match/judge-agent.ts';
import type { ScoreResults } from '../../src/match/results/score-results.ts';
import { findingsArbitrary, shuffled, vulnerabilitiesArbitrary } from './game-arbitrary.ts';

const kinds = (['documented', 'evidence'] as const).flatMap((matcher) =>
  (['optimal', 'greedy'] as const).map((assignment) => ({ matcher, assignment })),
);
const keys = fc.array(fc.nat(), { minLength: 1, maxLength: 7 });
const CASES = { numRuns: tried(300) };

describe.each(kinds)('with the $matcher matcher and the $assignment assignment', (options) => {
  const judge = new JudgeAgent(options);

  it('every vulnerability and every finding is counted once', () => {
    const seen = { duplicates: 0, nearMisses: 0 };
    fc.assert(
      fc.property(vulnerabilitiesArbitrary, findingsArbitrary, (vulnerabilities, findings) => {
        const results = judge.score(vulnerabilities, findings);
        expect(results.truePositives + results.falsePositives).toBe(findings.length);
        expect(results.truePositives + results.falseNegatives).toBe(vulnerabilities.length);
        const found = results.matches.map(({ vulnerabilityIndex }) => vulnerabilityIndex);
        const used = results.matches.map(({ findingIndex }) => findingIndex);
        expect([...found, ...results.evadedIndices].sort(ascending)).toEqual([...vulnerabilities.keys()]);
        expect([...used, ...results.falseAlarms].sort(ascending)).toEqual([...findings.keys()]);
        expect(found).toEqual(found.toSorted(ascending));
        for (const { findingIndex } of results.duplicates) expect(results.falseAlarms).toContain(findingIndex);
        for (const { vulnerabilityIndex } of results.nearMisses) {
          expect(results.evadedIndices).toContain(vulnerabilityIndex);
        }
        seen.duplicates += results.duplicates.length;
        seen.nearMisses += results.nearMisses.length;
      }),
      CASES,
    );
    expect(seen.duplicates).toBeGreaterThan(0);
    expect(seen.nearMisses).toBeGreaterThan(0);
  });

  it('the order of the input changes nothing', () => {
    fc.assert(
      fc.property(vulnerabilitiesArbitrary, findingsArbitrary, keys, keys, (vulnerabilities, findings, a, b) => {
        const [red, blue] = [shuffled(vulnerabilities, a), shuffled(findings, b)];
        expect(withContent(judge.score(red, blue), red, blue)).toEqual(
          withContent(judge.score(vulnerabilities, findings), vulnerabilities, findings),
        );
      }),
      CASES,
    );
  });

  it('a finding about something else never changes recall', () => {
    const irrelevant = { type: 'zzz', resource: 'google_pubsub_topic.zzz', description: 'qqq' };
    fc.assert(
      fc.property(vulnerabilitiesArbitrary, findingsArbitrary, fc.nat(), (vulnerabilities, findings, place) => {
        const at = place % (findings.length + 1);
        const more = [...findings.slice(0, at), irrelevant, ...findings.slice(at)];
        const before = judge.score(vulnerabilities, findings);
        const after = judge.score(vulnerabilities, more);
        expect(after.recall).toBe(before.recall);
        expect(after.falsePositives).toBe(before.falsePositives + 1);
        expect(after.breakdowns).toEqual(before.breakdowns);
      }),
      CASES,
    );
  });
});

describe.each([['documented', createDocumentedMatcher] as const, ['evidence', createEvidenceMatcher] as const])(
  'a higher threshold with the %s matcher',
  (matcher, create) => {
    const threshold = fc.double({ min: 0.05, max: 1, noNaN: true });

    it('never adds a candidate', () => {
      fc.assert(
        fc.property(vulnerabilitiesArbitrary, findingsArbitrary, threshold, threshold, (red, blue, a, b) => {
          const made = create(red.map(readClaim), blue.map(readClaim));
          const pairs = (floor: number) => {
            const { vulnerability, finding } = made.candidates(floor);
            return Array.from(vulnerability, (each, index) => `${each}-${finding[index]}`);
          };
          const low = new Set(pairs(Math.min(a, b)));
          const high = pairs(Math.max(a, b));
          fc.pre(high.length > 0);
          for (const pair of high) expect(low).toContain(pair);
        }),
        CASES,
      );
    });

    // The greedy assignment takes pairs by falling score, so those above a threshold do not depend on the others. The
    // optimal one may replace one good pair by two lesser ones, so only its total is certain.
    it('never adds a match of the greedy assignment, nor to the total of the optimal one', () => {
      fc.assert(
        fc.property(vulnerabilitiesArbitrary, findingsArbitrary, threshold, threshold, (red, blue, a, b) => {
          const matched = (matchThreshold: number, assignment: 'greedy' | 'optimal') =>
            new JudgeAgent({ matcher, assignment, matchThreshold, exactThreshold: 1 }).score(red, blue).matches;
          const [low, high] = [Math.min(a, b), Math.max(a, b)];
          const pairs = (threshold: number) =>
            matched(threshold, 'greedy').map(({ vulnerabilityIndex, findingIndex }) => [
              vulnerabilityIndex,
              findingIndex,
            ]);
          expect(pairs(low)).toEqual(expect.arrayContaining(pairs(high)));
          const total = (threshold: number) => matched(threshold, 'optimal').reduce((sum, { score }) => sum + score, 0);
          expect(total(high)).toBeLessThanOrEqual(total(low) + 1e-9);
        }),
        CASES,
      );
    });
  },
);

function ascending(a: number, b: number): number {
  return a - b;
}

/** The results with the content of entries in place of their positions. */
function withContent(results: ScoreResults, red: readonly unknown[], blue: readonly unknown[]) {
  const content = (values: unknown[]) => values.map((value) => JSON.stringify(value)).sort();
  const { precision, recall, f1Score, evasionRate, precisionWithoutDuplicates, severityWeightedRecall } = results;
  return {
    metrics: { precision, recall, f1Score, evasionRate, precisionWithoutDuplicates, severityWeightedRecall },
    breakdowns: results.breakdowns,
    matches: content(
      results.matches.map(({ vulnerabilityIndex, findingIndex, score, matchType, explanation }) => {
        return [red[vulnerabilityIndex], blue[findingIndex], score, matchType, explanation];
      }),
    ),
    evaded: content(results.evadedIndices.map((index) => red[index])),
    falseAlarms: content(results.falseAlarms.map((index) => blue[index])),
    duplicates: content(
      results.duplicates.map(({ vulnerabilityIndex, findingIndex }) => [red[vulnerabilityIndex], blue[findingIndex]]),
    ),
    nearMisses: content(
      results.nearMisses.map(({ vulnerabilityIndex, findingIndex, reason }) => {
        return [red[vulnerabilityIndex], blue[findingIndex], reason];
      }),
    ),
  };
}

import { meetsThreshold } from 'salvo/kit/stats';
import { once } from 'salvo/kit/text';
import type { Candidate } from '../candidates/candidate-list.ts';
import { explainPair, type Matcher } from '../candidates/matcher.ts';
import { type MatchInput, pairInInput } from '../claims/match-input.ts';
import { breakdownsOf } from './breakdowns.ts';
import { classifyRest } from './classify-rest.ts';
import { matchMetrics, severityWeightedRecall } from './match-metrics.ts';
import { nearMissesOf } from './near-misses.ts';
import { type KnownFromOutside, outsideEvidence } from './outside-evidence.ts';
import { duplicatesOf, type MatchSettings, pairUp } from './pairing.ts';
import type { Match, ModelsPart, Pair, ScoreResults } from './score-results.ts';
import type { TwinComparison } from './twin-comparison.ts';

/** Matches findings with vulnerabilities, and works out everything there is to say about the result. */
export function buildScoreResults(options: {
  input: MatchInput;
  comparison: TwinComparison;
  /** Without the findings that no flaw caused. */
  matcher: Matcher;
  settings: MatchSettings;
  known: KnownFromOutside | null;
  models: ModelsPart | null;
}): ScoreResults {
  const { input, comparison, matcher, settings, known, models } = options;
  const pairing = pairUp(matcher, input.sizes, settings);
  const describe = pairDescriber(input, matcher);
  const { claims, positions } = input.vulnerabilities;
  const counted = claims.map((claim, index) => {
    const position = positions[index] ?? 0;
    const found = pairing.findingOf[index] !== -1;
    const { difficulty = '', technique = '' } = input.labels[position] ?? {};
    return { claim, difficulty, technique, found, position };
  });
  const evadedIndices = counted.flatMap(({ found, position }) => (found ? [] : [position])).sort(ascending);
  const falseAlarms = input.findings.positions
    .filter((_, index) => pairing.vulnerabilityOf[index] === -1)
    .sort(ascending);
  const duplicates = duplicatesOf(pairing).filter(
    ({ vulnerability, finding }) => !matcher.isInPart?.(vulnerability, finding),
  );
  const rest = classifyRest({ input, comparison, matcher, pairing, duplicates, known });
  const inInput = (indices: Iterable<number>) =>
    [...indices].map((index) => input.findings.positions[index] ?? 0).sort(ascending);
  return {
    ...matchMetrics({
      truePositives: pairing.chosen.length,
      falsePositives: falseAlarms.length,
      falseNegatives: evadedIndices.length,
      duplicates: duplicates.length,
      falseAlarmsByTwin: comparison.hasTwin ? rest.falseAlarms.length : null,
      unresolved: rest.unresolved?.length ?? null,
    }),
    matches: pairing.chosen
      .map((pair) => Object.assign(describe(pair), { matchType: matchTypeOf(pair.score, settings) }))
      .sort(byVulnerability),
    evaded: evadedIndices.map((index) => input.labels[index]?.id ?? ''),
    falseAlarms,
    evadedIndices,
    nearMisses: nearMissesOf(matcher, pairing, { ...settings, excluded: comparison.excluded })
      .map(({ reason, ...pair }) => Object.assign(describe(pair), { reason }))
      .sort(byVulnerability),
    duplicates: duplicates.map(describe).sort((a, b) => a.findingIndex - b.findingIndex),
    consequences: rest.consequences
      .map(({ why, ...pair }) => ({ ...pairInInput(input, pair), why }))
      .sort((a, b) => a.findingIndex - b.findingIndex),
    presentBefore: inInput(rest.presentBefore),
    inTwin: comparison.hasTwin ? inInput([...pairing.vulnerabilityOf.keys()].filter(comparison.isInTwin)) : null,
    falseAlarmsByTwin: comparison.hasTwin ? inInput(rest.falseAlarms) : null,
    unresolved:
      rest.unresolved
        ?.map(({ finding, value }) => ({ findingIndex: input.findings.positions[finding] ?? 0, ...value }))
        .sort((a, b) => a.findingIndex - b.findingIndex) ?? null,
    cleanAlarms: comparison.hasTwin ? comparison.cleanAlarms : null,
    severityWeightedRecall: severityWeightedRecall(
      counted.map(({ claim, found }) => ({ severity: claim.severity, found })),
    ),
    breakdowns: breakdownsOf(counted),
    anchors: known ? outsideEvidence(known, { input, pairing, duplicates, explained: rest.explained }) : null,
    models,
  };
}

function matchTypeOf(score: number, { exactThreshold }: MatchSettings): Match['matchType'] {
  return meetsThreshold(score, exactThreshold) ? 'exact' : 'partial';
}

/**
 * Explanations are made when they are first read: most results are only counted, and words take longer than numbers.
 */
function pairDescriber(input: MatchInput, matcher: Matcher): (pair: Candidate) => Pair {
  return (pair) => {
    const { score } = pair;
    const explain = once(() => matcher.explain(pair.vulnerability, pair.finding));
    return {
      ...pairInInput(input, pair),
      score,
      get factors() {
        return explain();
      },
      get explanation() {
        return explainPair(score, explain());
      },
    };
  };
}

function byVulnerability(a: Pair, b: Pair): number {
  return a.vulnerabilityIndex - b.vulnerabilityIndex;
}

function ascending(a: number, b: number): number {
  return a - b;
}

import { meetsThreshold, THRESHOLD_TOLERANCE } from '../../stats/meets-threshold.ts';
import { assign } from '../assignment/assignment.ts';
import type { Candidate } from '../candidates/candidate-list.ts';
import type { Factor, Matcher } from '../candidates/matcher.ts';
import type { Game } from '../claims/match-input.ts';
import type { JudgeSettings } from '../judge-agent-options.ts';
import { breakdownsOf } from './breakdowns.ts';
import { duplicatesOf } from './duplicates.ts';
import { explainPair } from './explain-pair.ts';
import { gameFigures } from './match-metrics.ts';
import { nearMissesOf } from './near-misses.ts';
import { anchorsOf } from './outside-evidence.ts';
import type { AnchorInput } from './outside-evidence-input.ts';
import { type Pairing, pairingOf } from './pairing.ts';
import type { MatchType, ModelsPart, Pair, ScoreResults } from './score-results.ts';
import { severityWeightedRecall } from './severity-weighted-recall.ts';

/** Matchers let pass what lies below a floor by the tolerance, and nothing in common must not pass. */
export const LEAST_SCORE = 2 * THRESHOLD_TOLERANCE;

/** Pairs up a game's two sides. A pair that has nothing in common is none, however low the threshold. */
export function pairUp(game: Game, matcher: Matcher, settings: JudgeSettings): Pairing {
  const sizes = { vulnerabilities: game.vulnerabilities.claims.length, findings: game.findings.claims.length };
  const candidates = matcher.candidates(Math.max(settings.matchThreshold, LEAST_SCORE));
  return pairingOf(candidates, assign(candidates, sizes, settings.assignment), sizes);
}

/** Everything there is to say about a game. */
export function scoreGame(options: {
  game: Game;
  matcher: Matcher;
  settings: JudgeSettings;
  anchors: AnchorInput | undefined;
  models: ModelsPart | null;
}): ScoreResults {
  const { game, matcher, settings, models } = options;
  const pairing = pairUp(game, matcher, settings);
  const describe = describer(game, matcher);
  const { claims, positions } = game.vulnerabilities;
  const counted = claims.map((claim, index) => {
    const position = positions[index] ?? 0;
    const found = pairing.findingOf[index] !== -1;
    const { difficulty = '', technique = '' } = game.labels[position] ?? {};
    return { claim, difficulty, technique, found, position };
  });
  const evadedIndices = counted.flatMap(({ found, position }) => (found ? [] : [position])).sort(ascending);
  const falseAlarms = game.findings.positions
    .filter((_, index) => pairing.vulnerabilityOf[index] === -1)
    .sort(ascending);
  const duplicates = duplicatesOf(pairing);
  const figures = gameFigures({
    truePositives: pairing.chosen.length,
    falsePositives: falseAlarms.length,
    falseNegatives: evadedIndices.length,
    duplicates: duplicates.length,
  });
  return {
    ...figures,
    matches: pairing.chosen
      .map((pair) => Object.assign(describe(pair), { matchType: matchTypeOf(pair.score, settings) }))
      .sort(byVulnerability),
    evaded: evadedIndices.map((index) => game.labels[index]?.id ?? ''),
    falseAlarms,
    evadedIndices,
    nearMisses: nearMissesOf(matcher, pairing, settings.matchThreshold)
      .map(({ reason, ...pair }) => Object.assign(describe(pair), { reason }))
      .sort(byVulnerability),
    duplicates: duplicates.map(describe).sort((a, b) => a.findingIndex - b.findingIndex),
    severityWeightedRecall: severityWeightedRecall(
      counted.map(({ claim, found }) => ({ severity: claim.severity, found })),
    ),
    breakdowns: breakdownsOf(counted),
    anchors: options.anchors ? anchorsOf(options.anchors, { game, pairing, duplicates }) : null,
    models,
  };
}

function matchTypeOf(score: number, { exactThreshold }: JudgeSettings): MatchType {
  return meetsThreshold(score, exactThreshold) ? 'exact' : 'partial';
}

/** The explanations are made when they are first read: most games are only counted, and words take longer than numbers. */
function describer(game: Game, matcher: Matcher): (pair: Candidate) => Pair {
  return ({ vulnerability, finding, score }) => {
    const vulnerabilityIndex = game.vulnerabilities.positions[vulnerability] ?? 0;
    let factors: Factor[] | undefined;
    return {
      vulnerabilityId: game.labels[vulnerabilityIndex]?.id ?? '',
      vulnerabilityIndex,
      findingIndex: game.findings.positions[finding] ?? 0,
      score,
      get factors() {
        factors ??= matcher.explain(vulnerability, finding);
        return factors;
      },
      get explanation() {
        return explainPair(score, this.factors);
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

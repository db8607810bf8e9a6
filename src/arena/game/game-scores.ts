import { readSeverity } from '../../match/claims/severity.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import type { ScoreResults } from '../../match/results/score-results.ts';
import type { Game } from './game-document.ts';

export type GameScores = NonNullable<Game['scores']>;

/** What a game's document keeps of its scores: enough to aggregate and to compare Blues flaw by flaw. */
export function gameScores(
  results: ScoreResults,
  { scored, cleanResources }: { scored: readonly Vulnerability[]; cleanResources: readonly string[] },
): GameScores {
  const found = new Set(results.matches.map(({ vulnerabilityIndex }) => vulnerabilityIndex));
  const clean = new Set(cleanResources).size;
  return {
    true_positives: results.truePositives,
    false_positives: results.falsePositives,
    false_negatives: results.falseNegatives,
    precision: results.precision,
    recall: results.recall,
    f1_score: results.f1Score,
    evasion_rate: results.evasionRate,
    duplicates: results.duplicates.length,
    clean_resources: clean,
    flagged_clean_resources: clean - (results.anchors?.trueNegatives ?? clean),
    false_positive_rate: results.anchors?.falsePositiveRate ?? null,
    youden_j: results.anchors?.youdenJ ?? null,
    vulnerabilities: scored.map(({ id, type, severity, technique }, index) => ({
      id,
      category: type?.trim().toLowerCase() || 'unstated',
      severity: readSeverity(severity),
      technique: technique?.trim() || null,
      found: found.has(index),
    })),
  };
}

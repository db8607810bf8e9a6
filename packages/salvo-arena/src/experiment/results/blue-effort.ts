import { createCostSum } from 'salvo/kit/stats';
import { remembered } from 'salvo/kit/text';
import { sideCost } from '../../game/game-cost.ts';
import type { Game, GameScores } from '../../game/game-document.ts';
import { readSeverity, severityRank } from '../../match/claims/severity.ts';
import type { BlueEffort } from './experiment-results.ts';

interface Tally {
  games: number;
  findings: number;
  matches: number;
  cost: ReturnType<typeof createCostSum>;
  /** Null if a game does not say it. */
  seconds: number | null;
  severities: [planted: number, reported: number][];
}

/** What the findings of each Blue cost, how long it took, and whether it gives matches the severity of the flaw. */
export function createBlueEfforts() {
  const blues = new Map<string, Tally>();
  return {
    /** Failed games have no scores: what they cost is part of what the findings cost. */
    add(game: Game, scores: GameScores | null): void {
      const tally = remembered(blues, game.blue, newTally);
      tally.cost.add(sideCost(game, 'blue'));
      if (!scores) return;
      tally.games += 1;
      tally.findings += scores.true_positives + scores.false_positives;
      tally.matches += scores.true_positives;
      const { blue_seconds: seconds } = game;
      tally.seconds = tally.seconds === null || seconds === undefined ? null : tally.seconds + seconds;
      for (const { severity, found_by } of scores.vulnerabilities) {
        const [planted, reported] = [readSeverity(severity), readSeverity(found_by?.severity)];
        if (planted && reported) tally.severities.push([severityRank(planted), severityRank(reported)]);
      }
    },
    efforts: (): BlueEffort[] => [...blues].map(([blue, tally]) => ({ blue, ...effortOf(tally) })),
  };
}

function newTally(): Tally {
  return { games: 0, findings: 0, matches: 0, cost: createCostSum(), seconds: 0, severities: [] };
}

function effortOf({ games, findings, matches, cost, seconds, severities }: Tally): Omit<BlueEffort, 'blue'> {
  const { usd } = cost.total();
  const per = (total: number | null, count: number) => (total === null || count === 0 ? null : total / count);
  const off = (most: number) => severities.filter(([a, b]) => Math.abs(a - b) === most).length;
  return {
    ...{ findings, matches, cost_usd: usd, seconds },
    cost_per_finding_usd: per(usd, findings),
    cost_per_match_usd: per(usd, matches),
    seconds_per_game: per(seconds, games),
    seconds_per_match: per(seconds, matches),
    severity: { matches: severities.length, same: off(0), one_off: off(1), kappa: weightedKappa(severities) },
  };
}

/**
 * Cohen's kappa with linear weights: being two severities off is twice as wrong as being one off. Null with fewer than
 * two pairs, and where chance alone would always agree.
 *
 * @internal Exported for its tests.
 */
export function weightedKappa(pairs: readonly (readonly [number, number])[]): number | null {
  if (pairs.length < 2) return null;
  let [observed, byChance] = [0, 0];
  for (const [a] of pairs) for (const [, b] of pairs) byChance += Math.abs(a - b);
  for (const [a, b] of pairs) observed += Math.abs(a - b);
  return byChance === 0 ? null : 1 - (observed * pairs.length) / byChance;
}

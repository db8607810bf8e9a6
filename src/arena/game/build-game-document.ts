import { readSeverity } from '../../match/claims/severity.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import type { ScoreResults } from '../../match/results/score-results.ts';
import { RedModelError } from '../red/llm/red-model-error.ts';
import { contentHash } from './content-hash.ts';
import type { Game } from './game-document.ts';
import type { GameSetup } from './play-game.ts';
import type { GameStage, PlayedGame } from './played-game.ts';

/** The document of a game, scored or failed. */
export function buildGameDocument(over: {
  setup: GameSetup;
  played: Omit<PlayedGame, 'game'>;
  failure: { stage: GameStage; message: string } | null;
  startedAt: number;
  endedAt: number;
}): Game {
  const { setup, played, failure, startedAt, endedAt } = over;
  const { task, difficulty, language, strategy, seed, place } = setup;
  const { red, gate, blue, results, scored, cause } = played;
  const asked = { task, red: setup.red.name, difficulty, language, strategy, seed };
  const request = { ...asked, category: setup.category ?? null, count: setup.count ?? null };
  const code = red && { files: red.files, vulnerabilities: red.vulnerabilities };
  const outcome = { blue: setup.blue.name, findings: blue?.findings ?? null, error: failure };
  const count = (status: string) => gate?.entries.filter((entry) => entry.status === status).length ?? 0;
  return {
    // Without a clock in it: the same game is the same game whenever it is played.
    game_id: place?.gameId ?? contentHash({ request, code, outcome }),
    experiment_id: place?.experimentId ?? null,
    code_key: place?.codeKey ?? contentHash(code ?? request),
    ...asked,
    blue: setup.blue.name,
    repetition: place?.repetition ?? 0,
    started_at: new Date(startedAt).toISOString(),
    duration_seconds: Math.max(0, endedAt - startedAt) / 1000,
    status: failure ? 'failed' : 'scored',
    failed_stage: failure?.stage ?? null,
    error: failure?.message ?? null,
    template: red?.metadata.template ?? null,
    red_cost_usd: failure?.stage === 'red' ? costOfFailure(cause, setup.red.name) : costOf(red?.metadata),
    blue_cost_usd: failure?.stage === 'blue' ? costOfFailure(cause, setup.blue.name) : costOf(blue?.metadata),
    judge_cost_usd: failure?.stage === 'judge' ? costOfFailure(cause, null) : costOf(judgeBill(results)),
    claimed: red?.vulnerabilities.length ?? 0,
    confirmed: count('confirmed'),
    phantoms: count('phantom'),
    unchecked: count('unchecked'),
    manifest_accuracy: gate?.manifest_accuracy ?? null,
    scores: results && gameScores(results, { scored, cleanResources: red?.metadata.clean_resources ?? [] }),
  };
}

interface Bill {
  model_calls: number;
  cost_usd: number | null;
}

function judgeBill(results: ScoreResults | null): Bill | undefined {
  return results?.models ? { model_calls: results.models.calls, cost_usd: results.models.costUsd } : undefined;
}

/** Who asked no model cost nothing, and neither did who was never asked. */
function costOf(bill: Bill | undefined): number | null {
  return bill === undefined || bill.model_calls === 0 ? 0 : bill.cost_usd;
}

/** What failed may have been charged for: the error says so, or nobody knows. */
function costOfFailure(cause: unknown, team: string | null): number | null {
  if (cause instanceof RedModelError) return costOf(cause.figures);
  return team !== null && !/(?:^|[:+])llm:/.test(team) ? 0 : null;
}

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

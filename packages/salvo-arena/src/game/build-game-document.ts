import { type Cost, NO_COST, sumCosts, UNKNOWN_CALL } from 'salvo/kit/stats';
import { contentHash } from 'salvo/kit/text';
import { type AgentCostFields, agentCost, judgeCostFields } from 'salvo/kit/trace';
import { BlueTeamError } from '../blue/blue-team-error.ts';
import type { EntryStatus, GateResult } from '../gate/gate-result.ts';
import type { ScoreResults } from '../match/results/score-results.ts';
import { RedModelError } from '../red/llm/ask-engineer.ts';
import { asksModel } from '../teams/team-name.ts';
import type { Game } from './game-document.ts';
import { gameScores } from './game-scores.ts';
import type { GameSetup } from './game-setup.ts';
import type { GameStage, PlayedGame } from './played-game.ts';

/** The document of a game, scored or failed. */
export function buildGameDocument(ended: {
  setup: GameSetup;
  played: Omit<PlayedGame, 'game'>;
  failure: { stage: GameStage; message: string } | null;
  startedAt: number;
  endedAt: number;
}): Game {
  const { setup, played, failure, startedAt, endedAt } = ended;
  const { task, difficulty, language, strategy, seed, place } = setup;
  const { red, gate, blue, blueOnTwin, results, cause } = played;
  const structure = red?.metadata.structure ?? red?.metadata.template ?? null;
  const asked = { task, red: setup.red.name, difficulty, language, strategy, seed };
  const request = {
    ...asked,
    category: setup.category ?? null,
    count: setup.count ?? null,
    ...(setup.housekeeping && { housekeeping: true }),
  };
  const code = red && { files: red.files, vulnerabilities: red.vulnerabilities };
  const looks = { findings: blue?.findings ?? null, onTwin: blueOnTwin?.findings ?? null };
  const outcome = { blue: setup.blue.name, ...looks, error: failure };
  const redCost = failure?.stage === 'red' ? failureCost(cause, setup.red.name) : billedCost(red?.metadata);
  const blueCost = costOfBlue(setup.blue.name, played, failure?.stage === 'blue');
  return {
    // No time in the hash: the same game has the same id whenever it is played.
    game_id: place?.gameId ?? contentHash({ request, code, outcome }).slice(0, 16),
    experiment_id: place?.experimentId ?? null,
    code_key: place?.codeKey ?? contentHash(code ?? request).slice(0, 16),
    ...asked,
    blue: setup.blue.name,
    repetition: place?.repetition ?? 0,
    ...(place?.run && { run: place.run }),
    started_at: new Date(startedAt).toISOString(),
    duration_seconds: Math.max(0, endedAt - startedAt) / 1000,
    status: failure ? 'failed' : 'scored',
    failed_stage: failure?.stage ?? null,
    error: failure?.message ?? null,
    template: red?.metadata.template ?? null,
    ...(structure !== null && { structure }),
    ...(played.blueSeconds !== null && { blue_seconds: played.blueSeconds }),
    red_cost_usd: redCost.usd,
    ...(redCost.at_least && { red_cost_at_least: redCost.at_least }),
    blue_cost_usd: blueCost.usd,
    ...(blueCost.at_least && { blue_cost_at_least: blueCost.at_least }),
    ...judgeCostFields(failure?.stage === 'judge' ? failureCost(cause, null) : billedCost(judgeBill(results))),
    claimed: red?.vulnerabilities.length ?? 0,
    ...gateCounts(gate),
    manifest_accuracy: gate?.manifest_accuracy ?? null,
    scores: results && gameScores(results, played),
  };
}

/** How many entries of a manifest the gate decided about, and how. */
export function gateCounts(gate: GateResult | null) {
  const count = (wanted: EntryStatus) => gate?.entries.filter(({ status }) => status === wanted).length ?? 0;
  return { confirmed: count('confirmed'), phantoms: count('phantom'), unchecked: count('unchecked') };
}

type Bill = AgentCostFields & { model_calls: number };

function judgeBill(results: ScoreResults | null): Bill | undefined {
  if (!results?.models) return undefined;
  const { calls: model_calls, costUsd: cost_usd, costAtLeast: cost_at_least } = results.models;
  return { model_calls, cost_usd, cost_at_least };
}

/** Nothing for a team that made no model calls or never played. */
function billedCost(bill: Bill | undefined): Cost {
  return bill === undefined || bill.model_calls === 0 ? NO_COST : agentCost(bill);
}

/** Of both looks at code. If one failed, it may have been charged for. */
function costOfBlue(team: string, { blue, blueOnTwin, cause }: Omit<PlayedGame, 'game'>, failed: boolean): Cost {
  return sumCosts([
    billedCost(blue?.metadata),
    billedCost(blueOnTwin?.metadata),
    failed ? failureCost(cause, team) : NO_COST,
  ]);
}

/** A stage that failed may have been charged for. Unknown when the error does not say how much and a model was asked. */
function failureCost(cause: unknown, team: string | null): Cost {
  if (cause instanceof RedModelError) return billedCost(cause.usage);
  // Of several models, the error knows the costs of the one that failed.
  const isOneModel = team?.split('llm:').length === 2;
  if (cause instanceof BlueTeamError && cause.cost !== undefined && isOneModel) return cause.cost;
  return team !== null && !asksModel(team) ? NO_COST : UNKNOWN_CALL;
}

import { type Game, gameCost } from '../game/game-document.ts';
import type { ExperimentRecord, ExperimentRecorder } from './experiment-record.ts';
import type { ExperimentPlan } from './plan/experiment-plan.ts';

/** What is stored already of an experiment that is resumed. */
export interface EarlierGames {
  /** Ids of games that were scored. Failed games are played again. */
  scored: Set<string>;
  /** Keys of code that a scored game was charged for. */
  paidCode: Set<string>;
  /** Known costs only. */
  spentUsd: number;
  /** What the most expensive scored game cost, by `pairKind`. */
  highest: Map<number, number>;
}

/** The games of each Red against each Blue are of one kind, with a price of its own. */
export function pairKind(plan: ExperimentPlan, { red, blue }: { red: string; blue: string }): number {
  return plan.red.indexOf(red) * plan.blue.length + plan.blue.indexOf(blue);
}

export async function readEarlierGames(
  recorder: Pick<ExperimentRecorder, 'games'>,
  { experiment_id, plan }: Pick<ExperimentRecord, 'experiment_id' | 'plan'>,
  onScored: (game: Game) => void,
): Promise<EarlierGames> {
  const earlier: EarlierGames = { scored: new Set(), paidCode: new Set(), spentUsd: 0, highest: new Map() };
  for await (const game of recorder.games(experiment_id)) {
    const { known } = gameCost(game);
    // Failed games were paid for as well.
    earlier.spentUsd += known;
    if (game.status !== 'scored') continue;
    earlier.scored.add(game.game_id);
    const kind = pairKind(plan, game);
    earlier.highest.set(kind, Math.max(earlier.highest.get(kind) ?? 0, known));
    if (game.red_cost_usd !== 0) earlier.paidCode.add(game.code_key);
    onScored(game);
  }
  return earlier;
}

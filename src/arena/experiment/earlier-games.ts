import { type Game, gameCost } from '../game/game-document.ts';
import type { ExperimentRecorder } from './experiment-recorder.ts';

/** What is stored already of an experiment that is resumed. */
export interface EarlierGames {
  /** Ids of games that were scored. Failed games are played again. */
  scored: Set<string>;
  /** Keys of code that a scored game was charged for. */
  paidCode: Set<string>;
  /** Known costs only. */
  spentUsd: number;
  /** The most expensive scored game of each Red against each Blue. */
  highest: Map<string, { red: string; blue: string; usd: number }>;
}

export async function readEarlierGames(
  recorder: Pick<ExperimentRecorder, 'games'>,
  experimentId: string,
  onScored: (game: Game) => void,
): Promise<EarlierGames> {
  const earlier: EarlierGames = { scored: new Set(), paidCode: new Set(), spentUsd: 0, highest: new Map() };
  for await (const game of recorder.games(experimentId)) {
    // Failed games were paid for as well.
    earlier.spentUsd += gameCost(game).known;
    if (game.status !== 'scored') continue;
    earlier.scored.add(game.game_id);
    const { red, blue } = game;
    const kind = JSON.stringify([red, blue]);
    const usd = Math.max(earlier.highest.get(kind)?.usd ?? 0, gameCost(game).known);
    earlier.highest.set(kind, { red, blue, usd });
    if (game.red_cost_usd !== 0) earlier.paidCode.add(game.code_key);
    onScored(game);
  }
  return earlier;
}

import type { PlayedGame } from '../../arena/game/played-game.ts';
import { decideWinner } from '../../arena/game/winner.ts';
import { scoreResultsToDict } from '../../match/results/score-results-to-dict.ts';

/** A game as `--json` prints it: the document, who won, and everything that the scoreboard shows. */
export function gameResult({ game, scored, gate, blue, results }: PlayedGame) {
  const entries = gate?.entries ?? [];
  return {
    ...game,
    ...(game.scores ? decideWinner(game.scores) : { winner: null, reason: game.error ?? '' }),
    scored,
    not_scored: entries
      .filter(({ status }) => status !== 'confirmed')
      .map(({ vulnerability, status, checks }) => ({ status, checks, vulnerability })),
    findings: blue?.findings ?? null,
    dropped: blue?.metadata.dropped ?? null,
    results: results && scoreResultsToDict(results),
  };
}

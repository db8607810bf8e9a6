import type { ExperimentView, GameLines } from '../../app/view/games/experiment-view.ts';
import type { Ask } from './run-answers.ts';

/** Everything that the pages about an experiment ask for. With a game, that one is the only one with its details. */
export async function experimentAnswers(ask: Ask, experiment: string, game: string | null): Promise<void> {
  const path = `/experiments/${encodeURIComponent(experiment)}`;
  await ask<ExperimentView>(path);
  await ask(`${path}/standing`);
  for (let offset: number | null = 0; offset !== null; ) {
    const page: GameLines = await ask<GameLines>(`${path}/games?offset=${offset}`);
    const chosen = page.games.filter(({ game_id }) => game === null || game_id === game);
    for (const { game_id } of chosen) await gameAnswers(ask, path, game_id);
    offset = page.next_offset;
  }
}

async function gameAnswers(ask: Ask, path: string, game: string): Promise<void> {
  await ask(`${path}/games/${encodeURIComponent(game)}`);
  await ask(`${path}/games/${encodeURIComponent(game)}/code`);
}

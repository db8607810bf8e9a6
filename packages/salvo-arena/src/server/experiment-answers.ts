import { at } from 'salvo/kit/page';
import { hc } from 'salvo/kit/server';
import type { GameLines } from '../app/view/experiment-view.ts';
import type { ExperimentApi } from './experiment-routes.ts';

/** Everything that the pages about an experiment ask for. With a game, that one is the only one with its details. */
export async function experimentAnswers(
  ask: (path: string) => Promise<Response>,
  experiment: string,
  only: string | null,
): Promise<void> {
  const fetchPath = (address: Parameters<typeof fetch>[0]) => ask(String(address));
  const routes = hc<ExperimentApi>('', { fetch: fetchPath }).experiments[':experiment'];
  await routes.$get(at({ experiment }));
  await routes.standing.$get(at({ experiment }));
  for (let offset: number | null = 0; offset !== null; ) {
    const answer = await routes.games.$get({ ...at({ experiment }), query: { offset: String(offset) } });
    const page: Pick<GameLines, 'games' | 'next_offset'> = await answer.json();
    for (const { game_id: game } of page.games) {
      if (only !== null && game !== only) continue;
      await routes.games[':game'].$get(at({ experiment, game }));
      await routes.games[':game'].code.$get(at({ experiment, game }));
    }
    offset = page.next_offset;
  }
}

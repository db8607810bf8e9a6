import { isUnreadable, type UnreadableError } from 'salvo/kit/text';
import type { Game } from '../../game/game-document.ts';
import type { ExperimentTables } from '../../store/experiment-tables.ts';

/** The games of an experiment in their order, without those that can't be read. */
export async function* readableGames(
  store: Pick<ExperimentTables, 'games' | 'gamePage'>,
  experimentId: string,
  onUnreadable: (error: UnreadableError) => void = () => {},
): AsyncGenerator<Game> {
  let offset = 0;
  try {
    for await (const game of store.games(experimentId)) {
      offset += 1;
      yield game;
    }
    return;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  // Games are read in pages, and one of them spoils its page. From there on they are read one at a time.
  for (;;) {
    const page = await store.gamePage(experimentId, { offset, limit: 1 }).catch((error: unknown) => {
      if (!isUnreadable(error)) throw error;
      onUnreadable(error);
      return null;
    });
    if (page?.length === 0) return;
    if (page) yield* page;
    offset += 1;
  }
}

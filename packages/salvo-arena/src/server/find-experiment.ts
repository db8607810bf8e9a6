import { at } from 'salvo/kit/page';
import { hc, type ViewedSubject } from 'salvo/kit/server';
import type { Store } from 'salvo/kit/store';
import { SalvoError } from 'salvo/kit/text';
import { findExperiment, type GameLines } from '../app/view/experiment-view.ts';
import { experimentHref, gameHref } from '../app/view/page-hrefs.ts';
import { experimentsOf } from '../store/experiment-tables.ts';
import type { ExperimentApi } from './experiment-routes.ts';

const GAME_ID = /^(?<experiment>.+)-\d{7}$/;

/** `latest`, the id of an experiment or the beginning of one, the id of a game, or `EXPERIMENT/GAME`. */
export async function findExperimentOrGame(store: Store, words: string): Promise<ViewedSubject | null> {
  const [id = '', game = null] = words.split('/', 2);
  if ((await experimentsOf(store).findExperimentIds(id === 'latest' ? '' : id, 1)).length > 0) {
    const { experiment_id } = await findExperiment(store, id);
    return game === null ? experimentSubject(experiment_id, id) : await gameSubject(store, experiment_id, game);
  }
  const experiment = GAME_ID.exec(words)?.groups?.experiment;
  const isGame = experiment !== undefined && (await experimentsOf(store).getGame(experiment, words)) !== null;
  return isGame ? await gameSubject(store, experiment, words) : null;
}

function experimentSubject(id: string, words: string): ViewedSubject {
  const answers: ViewedSubject['answers'] = (ask) => experimentAnswers(ask, id, null);
  return { id, name: `Experiment ${id}`, href: experimentHref(id), typedHref: experimentHref(words), answers };
}

async function gameSubject(store: Store, experiment: string, id: string): Promise<ViewedSubject> {
  if (!(await experimentsOf(store).getGame(experiment, id))) {
    throw new SalvoError('GAME_UNKNOWN', `Experiment ${experiment} has no game ${JSON.stringify(id)}.`);
  }
  const answers: ViewedSubject['answers'] = (ask) => experimentAnswers(ask, experiment, id);
  return { id, name: `Game ${id}`, href: gameHref(experiment, id), answers };
}

/** Everything that the pages about an experiment ask for. With a game, that one is the only one with its details. */
async function experimentAnswers(
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

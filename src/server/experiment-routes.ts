import { Hono } from 'hono';
import { experimentLines, experimentPage, experimentStanding, gameLines } from '../app/view/games/experiment-view.ts';
import { gameCode, gameView } from '../app/view/games/game-view.ts';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import { wholeQuery } from './read-query.ts';

const MOST_GAMES = 1000;

/** Under `/experiments`. */
export function experimentRoutes(viewed: ViewedProject): Hono {
  const routes = new Hono();
  routes.get('/', async (context) => context.json(await experimentLines(await viewed.store())));
  routes.get('/:experiment', async (context) =>
    context.json(await experimentPage(await storeOf(viewed), context.req.param('experiment'))),
  );
  routes.get('/:experiment/standing', async (context) =>
    context.json(await experimentStanding(await storeOf(viewed), context.req.param('experiment'))),
  );
  routes.get('/:experiment/games', async (context) => {
    const offset = wholeQuery(context, 'offset', { default: 0 });
    const limit = wholeQuery(context, 'limit', { default: MOST_GAMES, most: MOST_GAMES });
    return context.json(await gameLines(await storeOf(viewed), context.req.param('experiment'), { offset, limit }));
  });
  routes.get('/:experiment/games/:game', async (context) => {
    const { experiment, game } = context.req.param();
    return context.json(await gameView(await storeOf(viewed), experiment, game));
  });
  routes.get('/:experiment/games/:game/code', async (context) => {
    const { experiment, game } = context.req.param();
    return context.json(await gameCode(await storeOf(viewed), experiment, game));
  });
  return routes;
}

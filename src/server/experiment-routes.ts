import { Hono } from 'hono';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import { wholeQuery } from './read-query.ts';

// A page loads only the views that it shows.
const experimentViews = () => import('../app/view/games/experiment-view.ts');
const gameViews = () => import('../app/view/games/game-view.ts');

const MOST_GAMES = 1000;

/** Under `/experiments`. */
export function experimentRoutes(viewed: ViewedProject): Hono {
  const routes = new Hono();
  routes.get('/', async (context) =>
    context.json(await (await experimentViews()).experimentLines(await viewed.store())),
  );
  routes.get('/:experiment', async (context) =>
    context.json(
      await (await experimentViews()).experimentPage(await storeOf(viewed), context.req.param('experiment')),
    ),
  );
  routes.get('/:experiment/standing', async (context) =>
    context.json(
      await (await experimentViews()).experimentStanding(await storeOf(viewed), context.req.param('experiment')),
    ),
  );
  routes.get('/:experiment/games', async (context) => {
    const offset = wholeQuery(context, 'offset', { default: 0 });
    const limit = wholeQuery(context, 'limit', { default: MOST_GAMES, most: MOST_GAMES });
    return context.json(
      await (await experimentViews()).gameLines(await storeOf(viewed), context.req.param('experiment'), {
        offset,
        limit,
      }),
    );
  });
  routes.get('/:experiment/games/:game', async (context) => {
    const { experiment, game } = context.req.param();
    return context.json(await (await gameViews()).gameView(await storeOf(viewed), experiment, game));
  });
  routes.get('/:experiment/games/:game/code', async (context) => {
    const { experiment, game } = context.req.param();
    return context.json(await (await gameViews()).gameCode(await storeOf(viewed), experiment, game));
  });
  return routes;
}

import { Hono } from 'hono';
import { storeOf, type ViewedProject } from 'salvo/kit/app';
import { ANY_OFFSET, answer, query, wholeUpTo } from 'salvo/kit/server';

// A page loads only the views that it shows.
const experimentViews = () => import('../app/view/experiment-view.ts');
const gameViews = () => import('../app/view/game-view.ts');

const MOST_GAMES = 1000;

const games = query({ offset: ANY_OFFSET, limit: wholeUpTo(MOST_GAMES) });

/** Under `/experiments`. */
export function experimentRoutes(viewed: ViewedProject) {
  return new Hono()
    .get('/', async (context) => answer(context, await (await experimentViews()).experimentLines(await viewed.store())))
    .get('/:experiment', async (context) =>
      answer(
        context,
        await (await experimentViews()).experimentPage(await storeOf(viewed), context.req.param('experiment')),
      ),
    )
    .get('/:experiment/standing', async (context) =>
      answer(
        context,
        await (await experimentViews()).experimentStanding(await storeOf(viewed), context.req.param('experiment')),
      ),
    )
    .get('/:experiment/games', games, async (context) => {
      const page = context.req.valid('query');
      return answer(
        context,
        await (await experimentViews()).gameLines(await storeOf(viewed), context.req.param('experiment'), page),
      );
    })
    .get('/:experiment/games/:game', async (context) => {
      const { experiment, game } = context.req.param();
      return answer(context, await (await gameViews()).gameView(await storeOf(viewed), experiment, game));
    })
    .get('/:experiment/games/:game/code', async (context) => {
      const { experiment, game } = context.req.param();
      return answer(context, await (await gameViews()).gameCode(await storeOf(viewed), experiment, game));
    });
}

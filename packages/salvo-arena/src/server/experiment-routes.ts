import {
  ANY_OFFSET,
  answer,
  type Hono,
  type NeedRight,
  query,
  type ResumeLimits,
  resumeBody,
  resumeWork,
  stopWork,
  storeOf,
  type ViewedProject,
  wholeUpTo,
} from 'salvo/kit/server';

// A page loads only the views that it shows.
const experiments = () => import('../store/experiment-tables.ts');
const experimentViews = () => import('../app/view/experiment-view.ts');
const gameViews = () => import('../app/view/game-view.ts');

const MOST_GAMES = 1000;

const games = query({ offset: ANY_OFFSET, limit: wholeUpTo(MOST_GAMES) });

export function experimentRoutes(api: Hono, viewed: ViewedProject, need: NeedRight, limits: ResumeLimits) {
  return api
    .get('/experiments', async (context) =>
      answer(context, await (await experimentViews()).experimentLines(await viewed.store())),
    )
    .get('/experiments/:experiment', async (context) =>
      answer(
        context,
        await (await experimentViews()).experimentPage(await storeOf(viewed), context.req.param('experiment')),
      ),
    )
    .get('/experiments/:experiment/standing', async (context) =>
      answer(
        context,
        await (await experimentViews()).experimentStanding(await storeOf(viewed), context.req.param('experiment')),
      ),
    )
    .get('/experiments/:experiment/games', games, async (context) => {
      const page = context.req.valid('query');
      return answer(
        context,
        await (await experimentViews()).gameLines(await storeOf(viewed), context.req.param('experiment'), page),
      );
    })
    .get('/experiments/:experiment/games/:game', async (context) => {
      const { experiment, game } = context.req.param();
      return answer(context, await (await gameViews()).gameView(await storeOf(viewed), experiment, game));
    })
    .get('/experiments/:experiment/games/:game/code', async (context) => {
      const { experiment, game } = context.req.param();
      return answer(
        context,
        await (await gameViews()).gameCode(await storeOf(viewed), experiment, game, viewed.project?.root),
      );
    })
    .post('/experiments/:experiment/stop', need('run'), async (context) => {
      await stopWork(viewed, { kind: 'experiment', id: context.req.param('experiment') });
      return context.json({});
    })
    .post('/experiments/:experiment/resume', need('run'), resumeBody, async (context) => {
      const store = await storeOf(viewed);
      const found = await (await experimentViews()).findExperiment(store, context.req.param('experiment'));
      const work = { kind: 'experiment', id: found.experiment_id };
      const records = (await experiments()).experimentsOf(store);
      const revision = async () => JSON.stringify([await records.getExperiment(work.id), await store.holderOf(work)]);
      await resumeWork(viewed, { work, revision, askedUsd: context.req.valid('json').budget_usd }, limits);
      return context.json({});
    });
}

/** Routes about what is stored, with what they take and answer. */
export type ExperimentApi = ReturnType<typeof experimentRoutes>;

import { Hono } from 'hono';
import type { ViewedProject } from 'salvo/kit/app';
import { answer, wholeNumber } from 'salvo/kit/server';
import { SalvoError } from 'salvo/kit/text';

// A page loads only the views that it shows.
const gameViews = () => import('../app/view/game-view.ts');
const scoreViews = () => import('../app/view/score-view.ts');

/** The result of one command with `--view`, under `/score` or `/game`. */
export function resultRoutes({ result }: ViewedProject) {
  const sheet = () => {
    if (result?.kind === 'score') return result.sheet;
    throw new SalvoError('SCORE_UNKNOWN', 'A score is shown by `salvo score ... --view`, and only there.');
  };
  const game = () => {
    if (result?.kind === 'game') return result;
    throw new SalvoError(
      'GAME_UNKNOWN',
      'A game without an experiment is shown by `salvo game --view`, and only there.',
    );
  };
  return new Hono()
    .get('/score', async (context) => answer(context, (await scoreViews()).scoreView(sheet())))
    .get('/score/code', async (context) => answer(context, (await scoreViews()).scoreCode(sheet())))
    .get('/score/blues/:blue', async (context) =>
      answer(context, (await scoreViews()).scoreBlueView(sheet(), wholeNumber('blue', context.req.param('blue')))),
    )
    .get('/game', async (context) => answer(context, (await gameViews()).playedView(game())))
    .get('/game/code', async (context) => answer(context, (await gameViews()).playedCode(game().played)));
}

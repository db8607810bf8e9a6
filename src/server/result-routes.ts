import { Hono } from 'hono';
import { playedCode, playedView } from '../app/view/games/game-view.ts';
import { scoreBlueView, scoreCode, scoreView } from '../app/view/games/score-view.ts';
import type { ViewedProject } from '../app/view/viewed-project.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { answer } from './answer.ts';
import { wholeNumber } from './read-query.ts';

/** The result of one command with `--view`, under `/score` or `/game`. */
export function resultRoutes({ result }: ViewedProject) {
  const sheet = () => {
    if (result?.kind === 'score') return result.sheet;
    throw new SalvoError('UNKNOWN_SCORE', 'A score is shown by `salvo score ... --view`, and only there.');
  };
  const game = () => {
    if (result?.kind === 'game') return result;
    throw new SalvoError(
      'UNKNOWN_GAME',
      'A game without an experiment is shown by `salvo game --view`, and only there.',
    );
  };
  return new Hono()
    .get('/score', (context) => answer(context, scoreView(sheet())))
    .get('/score/code', (context) => answer(context, scoreCode(sheet())))
    .get('/score/blues/:blue', (context) =>
      answer(context, scoreBlueView(sheet(), wholeNumber('blue', context.req.param('blue')))),
    )
    .get('/game', (context) => answer(context, playedView(game())))
    .get('/game/code', (context) => answer(context, playedCode(game().played)));
}

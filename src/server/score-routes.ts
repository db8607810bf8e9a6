import { Hono } from 'hono';
import { scoreBlueView, scoreCode, scoreView } from '../app/view/score-view.ts';
import type { ViewedProject } from '../app/view/viewed-project.ts';
import { SalvoError } from '../text/salvo-error.ts';
import { wholeNumber } from './read-query.ts';

/** Under `/score`. */
export function scoreRoutes({ score }: ViewedProject): Hono {
  const sheet = () => {
    if (score) return score;
    throw new SalvoError('UNKNOWN_SCORE', '`salvo score ... --view` shows a score. This viewer shows a project.');
  };
  const routes = new Hono();
  routes.get('/', (context) => context.json(scoreView(sheet())));
  routes.get('/code', (context) => context.json(scoreCode(sheet())));
  routes.get('/blues/:blue', (context) =>
    context.json(scoreBlueView(sheet(), wholeNumber('blue', context.req.param('blue')))),
  );
  return routes;
}

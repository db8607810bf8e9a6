import { Hono } from 'hono';
import type { TrialOfRun } from '../app/view/compare/trace-pair-view.ts';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { wholeNumber } from './read-query.ts';

// A page loads only the views that it shows.
const compareViews = () => import('../app/view/compare/compare-view.ts');
const traceViews = () => import('../app/view/compare/trace-pair-view.ts');

/** Under `/compare`. */
export function compareRoutes(viewed: ViewedProject): Hono {
  const routes = new Hono();
  // Each in a parameter of its own: the name of a model may contain any character.
  routes.get('/', async (context) =>
    context.json(await (await compareViews()).compareView(await storeOf(viewed), context.req.queries('run') ?? [])),
  );
  routes.get('/traces', async (context) => {
    const [base, next] = [trialOf(context.req.query('base')), trialOf(context.req.query('next'))];
    return context.json(await (await traceViews()).tracePairView(await storeOf(viewed), base, next));
  });
  return routes;
}

/** `RUN/SCENARIO/CASE/TRIAL` */
function trialOf(text = ''): TrialOfRun {
  const [run = '', scenario = '', caseIndex = '', trial = '', ...rest] = text.split('/');
  if (run === '' || rest.length > 0) {
    throw new SalvoError('REQUEST_INVALID', 'A trial is given as RUN/SCENARIO/CASE/TRIAL, with positions as numbers.');
  }
  return {
    run,
    scenario: wholeNumber('The scenario', scenario),
    case: wholeNumber('The case', caseIndex),
    trial: wholeNumber('The trial', trial),
  };
}

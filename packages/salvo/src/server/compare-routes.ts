import { Hono } from 'hono';
import type { TrialOfRun } from '../app/view/compare/trace-pair-view.ts';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { answer } from './answer.ts';
import { query, text, texts, wholeNumber } from './read-query.ts';

const compared = query({ run: texts });
const paired = query({ base: text, next: text });

// A page loads only the views that it shows.
const compareViews = () => import('../app/view/compare/compare-view.ts');
const traceViews = () => import('../app/view/compare/trace-pair-view.ts');

/** Under `/compare`. */
export function compareRoutes(viewed: ViewedProject) {
  return new Hono()
    .get('/', compared, async (context) =>
      answer(context, await (await compareViews()).compareView(await storeOf(viewed), context.req.valid('query').run)),
    )
    .get('/traces', paired, async (context) => {
      const { base, next } = context.req.valid('query');
      return answer(
        context,
        await (await traceViews()).tracePairView(await storeOf(viewed), trialOf(base), trialOf(next)),
      );
    });
}

/** `RUN/SCENARIO/CASE/TRIAL` */
function trialOf(words = ''): TrialOfRun {
  const [run = '', scenario = '', caseIndex = '', trial = '', ...rest] = words.split('/');
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

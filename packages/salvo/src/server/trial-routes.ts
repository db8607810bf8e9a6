import { Hono } from 'hono';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import { answer } from './answer.ts';
import { ANY_OFFSET, query, wholeNumber, wholeUpTo } from './read-query.ts';

// A page loads only the views that it shows.
const messageViews = () => import('../app/view/trial/message-view.ts');
const trialViews = () => import('../app/view/trial/trial-view.ts');

const MOST_MESSAGES = 200;

const messages = query({ offset: ANY_OFFSET, limit: wholeUpTo(MOST_MESSAGES) });

/** Trials, and the traces that they recorded. */
export function trialRoutes(viewed: ViewedProject) {
  return new Hono()
    .get('/runs/:run/trials/:scenario/:case/:trial', async (context) => {
      const { run, scenario, case: caseIndex, trial } = context.req.param();
      const place = {
        scenario: wholeNumber('scenario', scenario),
        case: wholeNumber('case', caseIndex),
        trial: wholeNumber('trial', trial),
      };
      return answer(context, await (await trialViews()).trialView(await storeOf(viewed), run, place));
    })
    .get('/traces/:trace', async (context) =>
      answer(context, await (await trialViews()).traceView(await storeOf(viewed), context.req.param('trace'))),
    )
    .get('/traces/:trace/messages', messages, async (context) => {
      const page = context.req.valid('query');
      return answer(
        context,
        await (await messageViews()).messagePage(await storeOf(viewed), context.req.param('trace'), page),
      );
    })
    .get('/traces/:trace/messages/:index', async (context) => {
      const { trace, index } = context.req.param();
      return answer(
        context,
        await (await messageViews()).wholeMessage(await storeOf(viewed), trace, wholeNumber('index', index)),
      );
    });
}

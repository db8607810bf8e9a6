import { Hono } from 'hono';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import { wholeNumber, wholeQuery } from './read-query.ts';

// A page loads only the views that it shows.
const messageViews = () => import('../app/view/trial/message-view.ts');
const trialViews = () => import('../app/view/trial/trial-view.ts');

const MOST_MESSAGES = 200;

/** Trials, and the traces that they recorded. */
export function trialRoutes(viewed: ViewedProject): Hono {
  const routes = new Hono();
  routes.get('/runs/:run/trials/:scenario/:case/:trial', async (context) => {
    const { run, scenario, case: caseIndex, trial } = context.req.param();
    const place = {
      scenario: wholeNumber('scenario', scenario),
      case: wholeNumber('case', caseIndex),
      trial: wholeNumber('trial', trial),
    };
    return context.json(await (await trialViews()).trialView(await storeOf(viewed), run, place));
  });
  routes.get('/traces/:trace', async (context) =>
    context.json(await (await trialViews()).traceView(await storeOf(viewed), context.req.param('trace'))),
  );
  routes.get('/traces/:trace/messages', async (context) => {
    const offset = wholeQuery(context, 'offset', { default: 0 });
    const limit = wholeQuery(context, 'limit', { default: MOST_MESSAGES, most: MOST_MESSAGES });
    return context.json(
      await (await messageViews()).messagePage(await storeOf(viewed), context.req.param('trace'), { offset, limit }),
    );
  });
  routes.get('/traces/:trace/messages/:index', async (context) => {
    const { trace, index } = context.req.param();
    return context.json(
      await (await messageViews()).wholeMessage(await storeOf(viewed), trace, wholeNumber('index', index)),
    );
  });
  return routes;
}

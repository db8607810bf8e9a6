import { Hono } from 'hono';
import { runLines, SORT_KEYS } from '../app/view/run-lines.ts';
import { outcomePage, runView } from '../app/view/run-view.ts';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import { optionalQuery, wholeQuery } from './read-query.ts';

const MOST_LINES = 500;
const MOST_OUTCOMES = 2000;

export function runRoutes(viewed: ViewedProject): Hono {
  const routes = new Hono();
  routes.get('/', async (context) => {
    const offset = wholeQuery(context, 'offset', { default: 0 });
    const limit = wholeQuery(context, 'limit', { default: 100, most: MOST_LINES });
    const sort = SORT_KEYS.find((key) => key === context.req.query('sort')) ?? 'created';
    const descending = context.req.query('order') !== 'ascending';
    const filter = context.req.query('filter') ?? '';
    return context.json(await runLines(await viewed.store(), { offset, limit, filter, sort, descending }));
  });
  routes.get('/:run', async (context) => context.json(await runView(await storeOf(viewed), context.req.param('run'))));
  routes.get('/:run/outcomes', async (context) => {
    const scenarioIndex = optionalQuery(context, 'scenario');
    const offset = wholeQuery(context, 'offset', { default: 0 });
    const limit = wholeQuery(context, 'limit', { default: MOST_OUTCOMES, most: MOST_OUTCOMES });
    const page = { scenarioIndex, offset, limit };
    return context.json(await outcomePage(await storeOf(viewed), context.req.param('run'), page));
  });
  return routes;
}

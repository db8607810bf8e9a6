import { Hono } from 'hono';
import { z } from 'zod';
import type { ResumeLimits } from '../app/view/runs/resume-budget.ts';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import type { NeedRight } from './need-right.ts';
import { readBody } from './read-body.ts';
import { optionalQuery, wholeQuery } from './read-query.ts';

// A page loads only the views that it shows.
const runActions = () => import('../app/view/runs/run-actions.ts');
const runLists = () => import('../app/view/runs/run-lines.ts');
const runViews = () => import('../app/view/runs/run-view.ts');

const MOST_LINES = 500;
const MOST_OUTCOMES = 2000;

export function runRoutes(viewed: ViewedProject, need: NeedRight, limits: ResumeLimits): Hono {
  const routes = new Hono();
  routes.get('/', async (context) => {
    const offset = wholeQuery(context, 'offset', { default: 0 });
    const limit = wholeQuery(context, 'limit', { default: 100, most: MOST_LINES });
    const { runLines, SORT_KEYS } = await runLists();
    const sort = SORT_KEYS.find((key) => key === context.req.query('sort')) ?? 'created';
    const descending = context.req.query('order') !== 'ascending';
    const filter = context.req.query('filter') ?? '';
    return context.json(await runLines(await viewed.store(), { offset, limit, filter, sort, descending }));
  });
  routes.get('/:run', async (context) =>
    context.json(await (await runViews()).runView(await storeOf(viewed), context.req.param('run'))),
  );
  routes.get('/:run/flaky', async (context) =>
    context.json(await (await runViews()).flakyView(await storeOf(viewed), context.req.param('run'))),
  );
  routes.get('/:run/outcomes', async (context) => {
    const scenarioIndex = optionalQuery(context, 'scenario');
    const offset = wholeQuery(context, 'offset', { default: 0 });
    const limit = wholeQuery(context, 'limit', { default: MOST_OUTCOMES, most: MOST_OUTCOMES });
    const page = { scenarioIndex, offset, limit };
    return context.json(await (await runViews()).outcomePage(await storeOf(viewed), context.req.param('run'), page));
  });
  routes.delete('/:run', need('delete'), async (context) => {
    await (await runActions()).deleteRun(viewed, context.req.param('run'));
    return context.json({});
  });
  routes.post('/:run/restore', need('delete'), async (context) => {
    await (await runActions()).restoreRun(viewed, context.req.param('run'));
    return context.json({});
  });
  routes.post('/:run/stop', need('run'), async (context) => {
    await (await runActions()).stopRun(viewed, context.req.param('run'));
    return context.json({});
  });
  routes.post('/:run/resume', need('run'), async (context) => {
    const { budget_usd: askedUsd } = await readBody(context, resumeSchema);
    await (await runActions()).resumeRun(viewed, context.req.param('run'), { askedUsd, ...limits });
    return context.json({});
  });
  return routes;
}

const resumeSchema = z.strictObject({ budget_usd: z.number().positive().optional() });

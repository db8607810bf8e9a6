import { Hono } from 'hono';
import { z } from 'zod';
import type { ResumeLimits } from '../app/view/runs/resume-budget.ts';
import { deleteRun, restoreRun, resumeRun, stopRun } from '../app/view/runs/run-actions.ts';
import { runLines, SORT_KEYS } from '../app/view/runs/run-lines.ts';
import { flakyView, outcomePage, runView } from '../app/view/runs/run-view.ts';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import { answer } from './answer.ts';
import type { NeedRight } from './need-right.ts';
import { jsonBody } from './read-body.ts';
import { ANY_OFFSET, query, text, whole, wholeUpTo } from './read-query.ts';

const MOST_LINES = 500;
const MOST_OUTCOMES = 2000;

const listed = query({ offset: ANY_OFFSET, limit: wholeUpTo(MOST_LINES, 100), filter: text, sort: text, order: text });
const outcomes = query({ scenario: whole, offset: ANY_OFFSET, limit: wholeUpTo(MOST_OUTCOMES) });
const resumed = jsonBody(z.strictObject({ budget_usd: z.number().positive().optional() }));

/** Under `/runs`. Routes are chained, because the page's client has its types from the chain. */
export function runRoutes(viewed: ViewedProject, need: NeedRight, limits: ResumeLimits) {
  return new Hono()
    .get('/', listed, async (context) => {
      const { offset, limit, filter = '', ...order } = context.req.valid('query');
      const sort = SORT_KEYS.find((key) => key === order.sort) ?? 'created';
      const descending = order.order !== 'ascending';
      return answer(context, await runLines(await viewed.store(), { offset, limit, filter, sort, descending }));
    })
    .get('/:run', async (context) => answer(context, await runView(await storeOf(viewed), context.req.param('run'))))
    .get('/:run/flaky', async (context) =>
      answer(context, await flakyView(await storeOf(viewed), context.req.param('run'))),
    )
    .get('/:run/outcomes', outcomes, async (context) => {
      const { scenario: scenarioIndex, offset, limit } = context.req.valid('query');
      const page = { scenarioIndex, offset, limit };
      return answer(context, await outcomePage(await storeOf(viewed), context.req.param('run'), page));
    })
    .delete('/:run', need('delete'), async (context) => {
      await deleteRun(viewed, context.req.param('run'));
      return context.json({});
    })
    .post('/:run/restore', need('delete'), async (context) => {
      await restoreRun(viewed, context.req.param('run'));
      return context.json({});
    })
    .post('/:run/stop', need('run'), async (context) => {
      await stopRun(viewed, context.req.param('run'));
      return context.json({});
    })
    .post('/:run/resume', need('run'), resumed, async (context) => {
      const { budget_usd: askedUsd } = context.req.valid('json');
      await resumeRun(viewed, context.req.param('run'), { askedUsd, ...limits });
      return context.json({});
    });
}

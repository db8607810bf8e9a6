import { Hono } from 'hono';
import type { ResumeLimits } from '../app/view/resume-budget.ts';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import type { NeedRight } from '../app/view/viewer-door.ts';
import { answer } from './answer.ts';
import { ANY_OFFSET, query, text, whole, wholeUpTo } from './read-query.ts';
import { resumeBody } from './resume-body.ts';

// A page loads only the views that it shows.
const runActions = () => import('../app/view/runs/run-actions.ts');
const runLists = () => import('../app/view/runs/run-lines.ts');
const runViews = () => import('../app/view/runs/run-view.ts');

const MOST_LINES = 500;
const MOST_OUTCOMES = 2000;

const listed = query({ offset: ANY_OFFSET, limit: wholeUpTo(MOST_LINES, 100), filter: text, sort: text, order: text });
const outcomes = query({ scenario: whole, offset: ANY_OFFSET, limit: wholeUpTo(MOST_OUTCOMES) });

const answers = query({ group: whole, offset: ANY_OFFSET, limit: wholeUpTo(100, 25) });

/** Under `/runs`. Routes are chained, because the page's client has its types from the chain. */
export function runRoutes(viewed: ViewedProject, need: NeedRight, limits: ResumeLimits) {
  return new Hono()
    .get('/', listed, async (context) => {
      const { offset, limit, filter = '', ...order } = context.req.valid('query');
      const { runLines, SORT_KEYS } = await runLists();
      const sort = SORT_KEYS.find((key) => key === order.sort) ?? 'created';
      const descending = order.order !== 'ascending';
      return answer(context, await runLines(await viewed.store(), { offset, limit, filter, sort, descending }));
    })
    .get('/:run', async (context) =>
      answer(context, await (await runViews()).runView(await storeOf(viewed), context.req.param('run'))),
    )
    .get('/:run/flaky', async (context) =>
      answer(context, await (await runViews()).flakyView(await storeOf(viewed), context.req.param('run'))),
    )
    .get('/:run/outcomes', outcomes, async (context) => {
      const { scenario: scenarioIndex, offset, limit } = context.req.valid('query');
      const page = { scenarioIndex, offset, limit };
      return answer(
        context,
        await (await runViews()).outcomePage(await storeOf(viewed), context.req.param('run'), page),
      );
    })
    .get('/:run/outputs', answers, async (context) => {
      const { outputsView } = await import('../app/view/runs/outputs-view.ts');
      const { group = 0, ...page } = context.req.valid('query');
      return answer(context, await outputsView(await storeOf(viewed), context.req.param('run'), { group, ...page }));
    })
    .delete('/:run', need('delete'), async (context) => {
      await (await runActions()).deleteRun(viewed, context.req.param('run'));
      return context.json({});
    })
    .post('/:run/restore', need('delete'), async (context) => {
      await (await runActions()).restoreRun(viewed, context.req.param('run'));
      return context.json({});
    })
    .post('/:run/stop', need('run'), async (context) => {
      await (await import('../app/view/work-under-way.ts')).stopWork(viewed, {
        kind: 'run',
        id: context.req.param('run'),
      });
      return context.json({});
    })
    .post('/:run/resume', need('run'), resumeBody, async (context) => {
      const { budget_usd: askedUsd } = context.req.valid('json');
      await (await runActions()).resumeRun(viewed, context.req.param('run'), { askedUsd, ...limits });
      return context.json({});
    });
}

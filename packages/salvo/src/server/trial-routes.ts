import { Hono } from 'hono';
import { z } from 'zod';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import type { NeedRight } from '../app/view/viewer-door.ts';
import { answer } from './answer.ts';
import { jsonBody } from './read-body.ts';
import { ANY_OFFSET, query, text, wholeNumber, wholeUpTo } from './read-query.ts';

// A page loads only the views that it shows.
const fileViews = () => import('../app/view/trial/file-view.ts');
const messageViews = () => import('../app/view/trial/message-view.ts');
const scenarioViews = () => import('../app/view/trial/scenario-view.ts');
const trialViews = () => import('../app/view/trial/trial-view.ts');

const MOST_MESSAGES = 200;

const scenario = query({ failed: text });
/** What was wrong with a trial that becomes a scenario. */
const scenarioBody = jsonBody(z.strictObject({ failed: z.string().max(2000).optional() }));
const messages = query({ offset: ANY_OFFSET, limit: wholeUpTo(MOST_MESSAGES) });

/** Trials, and the traces that they recorded. */
export function trialRoutes(viewed: ViewedProject, need: NeedRight) {
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
    .get('/traces/:trace/scenario', scenario, async (context) => {
      const { failed } = context.req.valid('query');
      return answer(context, await (await scenarioViews()).scenarioView(viewed, context.req.param('trace'), failed));
    })
    .post('/traces/:trace/scenario', need('write'), scenarioBody, async (context) => {
      const { failed } = context.req.valid('json');
      const { writeScenario } = await scenarioViews();
      return answer(context, await writeScenario(viewed, context.req.param('trace'), failed), 201);
    })
    .get('/traces/:trace/messages', messages, async (context) => {
      const page = { ...context.req.valid('query'), embed: viewed.embed };
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
    })
    .get('/traces/:trace/messages/:index/files/:file', async (context) => {
      const { trace, index, file } = context.req.param();
      const place = { index: wholeNumber('index', index), file: wholeNumber('file', file) };
      const { content, image, name } = await (await fileViews()).servedFile(await storeOf(viewed), trace, place);
      return context.body(content, 200, {
        'content-type': image ?? 'application/octet-stream',
        'content-disposition': `${image ? 'inline' : 'attachment'}; filename*=UTF-8''${headerName(name)}`,
        // A trace never changes.
        'cache-control': 'private, max-age=600',
      });
    });
}

/** The name that a browser proposes for a file: without folders, and without what a header cannot have. */
function headerName(name: string): string {
  const safe = name
    .toWellFormed()
    .replaceAll(/[\\/\p{Cc}\p{Cf}]/gu, '_')
    .slice(-100);
  return encodeURIComponent(safe).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

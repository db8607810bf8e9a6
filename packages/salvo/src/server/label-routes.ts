import { Hono } from 'hono';
import { z } from 'zod';
import { giveLabel, givenLabelSchema } from '../app/view/labels/give-label.ts';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import type { NeedRight } from '../app/view/viewer-door.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { judgesOf } from '../store/judge-tables.ts';
import { nothingStored } from '../store/resolve-id.ts';
import { answer } from './answer.ts';
import { jsonBody } from './read-body.ts';
import { query, text, whole } from './read-query.ts';

// A page loads only the views that it shows.
const agreements = () => import('../app/view/labels/label-agreement.ts');
const queues = () => import('../app/view/labels/label-queue.ts');
const names = () => import('../app/view/labels/person-name.ts');

const subjectSchema = z.strictObject({
  file: z.string().max(10_000),
  scenario: z.string().max(10_000),
  assertion_id: z.string().max(10_000).nullable(),
});

const queue = query({ run: text, scenario: whole, assertion: text, blind_for: text });
const agreement = query({ file: text, scenario: text, assertion: text });

/** Under `/labels`. An assertion that is not given means the trial as a whole. A result without a project has no labels. */
export function labelRoutes(viewed: ViewedProject, need: NeedRight) {
  const { env } = viewed;
  const projectOf = (): Project => {
    if (viewed.project !== null) return viewed.project;
    throw nothingStored('Only trials of a project have labels.');
  };
  return new Hono()
    .get('/person', async (context) =>
      answer(context, { name: await (await names()).personName(projectOf().root, env) }),
    )
    .get('/queue', queue, async (context) => {
      const { run = '', scenario = 0, assertion: assertionId = null, blind_for: blindFor } = context.req.valid('query');
      const subject = { run, scenario, assertionId };
      return answer(context, await (await queues()).labelQueue(await storeOf(viewed), subject, { blindFor }));
    })
    .get('/of/:trace', async (context) => {
      const { listLabels } = judgesOf(await storeOf(viewed));
      return answer(context, { labels: await listLabels({ traceId: context.req.param('trace') }) });
    })
    .get('/agreement', agreement, async (context) => {
      const { file = '', scenario = '', assertion: assertion_id = null } = context.req.valid('query');
      const place = { store: await storeOf(viewed), project: projectOf(), env };
      return answer(context, await (await agreements()).labelAgreement(place, { file, scenario, assertion_id }));
    })
    .post('/', need('label'), jsonBody(givenLabelSchema), async (context) => {
      const place = { store: await storeOf(viewed), project: projectOf() };
      return answer(context, await giveLabel(place, context.req.valid('json')), 201);
    })
    .delete('/:label', need('label'), async (context) => {
      await judgesOf(await storeOf(viewed)).deleteLabel(context.req.param('label'));
      return context.json({});
    })
    .post('/calibrate', need('label'), jsonBody(subjectSchema), async (context) => {
      const place = { store: await storeOf(viewed), project: projectOf(), env };
      return answer(context, await (await agreements()).keepAgreement(place, context.req.valid('json')));
    });
}

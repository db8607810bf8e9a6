import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { giveLabel, givenLabelSchema } from '../app/view/give-label.ts';
import { keepAgreement, labelAgreement } from '../app/view/label-agreement.ts';
import { labelQueue } from '../app/view/label-queue.ts';
import { personName } from '../app/view/person-name.ts';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { SalvoError } from '../text/salvo-error.ts';
import { wholeQuery } from './read-query.ts';

const MOST_BYTES = 100_000;
const subjectSchema = z.strictObject({
  file: z.string().max(10_000),
  scenario: z.string().max(10_000),
  assertion_id: z.string().max(10_000).nullable(),
});

/** Under `/labels`. An assertion that is not given means the trial as a whole. */
export function labelRoutes(viewed: ViewedProject, project: Project): Hono {
  const routes = new Hono();
  const { env } = viewed;
  const tooLong = bodyLimit({
    maxSize: MOST_BYTES,
    onError: (context) => context.json({ error: `A request may have ${MOST_BYTES} bytes.` }, 413),
  });
  routes.get('/person', async (context) => context.json({ name: await personName(project.root, env) }));
  routes.get('/queue', async (context) => {
    const { run = '', assertion: assertionId = null, blind_for: blindFor } = context.req.query();
    const subject = { run, scenario: wholeQuery(context, 'scenario', { default: 0 }), assertionId };
    return context.json(await labelQueue(await storeOf(viewed), subject, { blindFor }));
  });
  routes.get('/of/:trace', async (context) =>
    context.json({ labels: await (await storeOf(viewed)).listLabels({ traceId: context.req.param('trace') }) }),
  );
  routes.get('/agreement', async (context) => {
    const { file = '', scenario = '', assertion: assertion_id = null } = context.req.query();
    const store = await storeOf(viewed);
    return context.json(await labelAgreement({ store, project, env }, { file, scenario, assertion_id }));
  });
  routes.post('/', tooLong, async (context) => {
    const given = read(givenLabelSchema, await jsonBody(context.req));
    return context.json(await giveLabel({ store: await storeOf(viewed), project }, given), 201);
  });
  routes.delete('/:label', async (context) => {
    await (await storeOf(viewed)).deleteLabel(context.req.param('label'));
    return context.json({});
  });
  routes.post('/calibrate', tooLong, async (context) => {
    const subject = read(subjectSchema, await jsonBody(context.req));
    return context.json(await keepAgreement({ store: await storeOf(viewed), project, env }, subject));
  });
  return routes;
}

async function jsonBody(request: { json(): Promise<unknown> }): Promise<unknown> {
  try {
    return await request.json();
  } catch (cause) {
    throw new SalvoError('WRONG_BODY', 'The request has no JSON document.', { cause });
  }
}

function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new SalvoError('WRONG_BODY', `${issue?.path.join('.') || 'The request'}: ${issue?.message}.`);
}

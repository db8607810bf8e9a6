import { Hono } from 'hono';
import { z } from 'zod';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { NeedRight } from './need-right.ts';
import { readBody } from './read-body.ts';
import { wholeQuery } from './read-query.ts';

// A page loads only the views that it shows.
const labels = () => import('../app/view/labels/give-label.ts');
const agreements = () => import('../app/view/labels/label-agreement.ts');
const queues = () => import('../app/view/labels/label-queue.ts');
const names = () => import('../app/view/labels/person-name.ts');

const subjectSchema = z.strictObject({
  file: z.string().max(10_000),
  scenario: z.string().max(10_000),
  assertion_id: z.string().max(10_000).nullable(),
});

/** Under `/labels`. An assertion that is not given means the trial as a whole. */
export function labelRoutes(viewed: ViewedProject, project: Project, need: NeedRight): Hono {
  const routes = new Hono();
  const { env } = viewed;
  routes.get('/person', async (context) => context.json({ name: await (await names()).personName(project.root, env) }));
  routes.get('/queue', async (context) => {
    const { run = '', assertion: assertionId = null, blind_for: blindFor } = context.req.query();
    const subject = { run, scenario: wholeQuery(context, 'scenario', { default: 0 }), assertionId };
    return context.json(await (await queues()).labelQueue(await storeOf(viewed), subject, { blindFor }));
  });
  routes.get('/of/:trace', async (context) =>
    context.json({ labels: await (await storeOf(viewed)).listLabels({ traceId: context.req.param('trace') }) }),
  );
  routes.get('/agreement', async (context) => {
    const { file = '', scenario = '', assertion: assertion_id = null } = context.req.query();
    const store = await storeOf(viewed);
    return context.json(
      await (await agreements()).labelAgreement({ store, project, env }, { file, scenario, assertion_id }),
    );
  });
  routes.post('/', need('label'), async (context) => {
    const { giveLabel, givenLabelSchema } = await labels();
    const given = await readBody(context, givenLabelSchema);
    return context.json(await giveLabel({ store: await storeOf(viewed), project }, given), 201);
  });
  routes.delete('/:label', need('label'), async (context) => {
    await (await storeOf(viewed)).deleteLabel(context.req.param('label'));
    return context.json({});
  });
  routes.post('/calibrate', need('label'), async (context) => {
    const subject = await readBody(context, subjectSchema);
    return context.json(
      await (await agreements()).keepAgreement({ store: await storeOf(viewed), project, env }, subject),
    );
  });
  return routes;
}

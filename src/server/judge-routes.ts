import { Hono } from 'hono';
import { judgeLines, judgeView } from '../app/view/judges/judge-view.ts';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';

export function judgeRoutes(viewed: ViewedProject): Hono {
  const routes = new Hono();
  routes.get('/', async (context) => context.json(await judgeLines(await viewed.store())));
  routes.get('/:judge', async (context) =>
    context.json(await judgeView(await storeOf(viewed), context.req.param('judge'))),
  );
  return routes;
}

import { Hono } from 'hono';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';

// A page loads only the views that it shows.
const judgeViews = () => import('../app/view/judges/judge-view.ts');

export function judgeRoutes(viewed: ViewedProject): Hono {
  const routes = new Hono();
  routes.get('/', async (context) => context.json(await (await judgeViews()).judgeLines(await viewed.store())));
  routes.get('/:judge', async (context) =>
    context.json(await (await judgeViews()).judgeView(await storeOf(viewed), context.req.param('judge'))),
  );
  return routes;
}

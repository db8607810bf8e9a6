import { Hono } from 'hono';
import { judgeLines, judgeView } from '../app/view/judges/judge-view.ts';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';

/** Under `/judges`. */
export function judgeRoutes(viewed: ViewedProject) {
  return new Hono()
    .get('/', async (context) => context.json(await judgeLines(await viewed.store())))
    .get('/:judge', async (context) =>
      context.json(await judgeView(await storeOf(viewed), context.req.param('judge'))),
    );
}

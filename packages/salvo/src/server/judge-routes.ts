import { Hono } from 'hono';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import { answer } from './answer.ts';

// A page loads only the views that it shows.
const judgeViews = () => import('../app/view/judges/judge-view.ts');

/** Under `/judges`. */
export function judgeRoutes(viewed: ViewedProject) {
  return new Hono()
    .get('/', async (context) => answer(context, await (await judgeViews()).judgeLines(await viewed.store())))
    .get('/:judge', async (context) =>
      answer(context, await (await judgeViews()).judgeView(await storeOf(viewed), context.req.param('judge'))),
    );
}

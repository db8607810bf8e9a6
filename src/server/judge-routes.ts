import { Hono } from 'hono';
import { judgeLines, judgeView } from '../app/view/judges/judge-view.ts';
import { storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import { answer } from './answer.ts';

/** Under `/judges`. */
export function judgeRoutes(viewed: ViewedProject) {
  return new Hono()
    .get('/', async (context) => answer(context, await judgeLines(await viewed.store())))
    .get('/:judge', async (context) =>
      answer(context, await judgeView(await storeOf(viewed), context.req.param('judge'))),
    );
}

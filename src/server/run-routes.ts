import { Hono } from 'hono';
import { runLines } from '../app/view/run-lines.ts';
import type { ViewedProject } from '../app/view/viewed-project.ts';
import { wholeQuery } from './read-query.ts';

const MOST_LINES = 500;

export function runRoutes(viewed: ViewedProject): Hono {
  const routes = new Hono();
  routes.get('/', async (context) => {
    const offset = wholeQuery(context, 'offset', { default: 0 });
    const limit = wholeQuery(context, 'limit', { default: 100, most: MOST_LINES });
    return context.json(await runLines(await viewed.store(), { offset, limit }));
  });
  return routes;
}

import type { MiddlewareHandler } from 'hono';
import type { ViewerRight } from '../app/view/viewer-rights.ts';

/** Before every route that changes something. */
export type NeedRight = (right: ViewerRight) => MiddlewareHandler;

export function needRights(rights: readonly ViewerRight[]): NeedRight {
  return (right) => async (context, next) => {
    if (rights.includes(right)) return await next();
    const error = `This viewer does not allow it. Whoever starts it can add the right: \`salvo view --allow ${right}\`.`;
    return context.json({ error }, 403);
  };
}

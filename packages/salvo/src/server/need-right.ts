import type { NeedRight } from '../app/view/viewer-door.ts';
import type { ViewerRight } from '../app/view/viewer-rights.ts';

export function needRights(rights: readonly ViewerRight[]): NeedRight {
  return (right) => async (context, next) => {
    if (rights.includes(right)) return await next();
    const error = `This viewer does not allow it. Whoever starts it can add the right: \`salvo view --allow ${right}\`.`;
    return context.json({ error }, 403);
  };
}

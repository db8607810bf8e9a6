import { resourceBlock } from '../code-parts.ts';
import type { Technique } from '../technique.ts';
import { neverTrue } from './never-true.ts';

/** The resource that prevents the flaw is still in the code, but its `count` is never 1. */
export const switchedOffGuard: Technique = {
  id: 'switched_off_guard',
  language: 'terraform',
  difficulty: 'hard',
  hide: (place) => {
    const { project, operator, target } = place;
    const address = operator.guard(project, target);
    const found = address === null ? null : resourceBlock(project, address);
    if (!found?.block.bodyRange) return null;
    const { source, block } = found;
    if (block.attributes.some(({ name }) => name === 'count' || name === 'for_each')) return null;
    const { condition, edits } = neverTrue(place, block.address);
    const at = found.block.bodyRange.start;
    const count = { start: at, end: at, text: `\n  count = ${condition} ? 1 : 0\n` };
    return { edits: [{ file: source.file, edits: [count] }, ...edits] };
  },
};

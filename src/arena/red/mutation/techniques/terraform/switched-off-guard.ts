import { insertion } from '../../../../../iac/edit/edits.ts';
import { writtenBlock } from '../../../../../iac/read/written-code.ts';
import { isRepeated } from '../code-parts.ts';
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
    const found = address === null ? null : writtenBlock(project, address);
    if (!found?.block.bodyRange || isRepeated(found.block)) return null;
    const { source, block } = found;
    const { condition, edits } = neverTrue(place, block.address);
    const count = insertion(found.block.bodyRange.start, `\n  count = ${condition} ? 1 : 0\n`);
    return { edits: [{ file: source.file, edits: [count] }, ...edits] };
  },
};

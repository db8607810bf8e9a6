import { onlyChange } from '../../site/weak-spot.ts';
import type { Technique } from '../technique.ts';
import { dynamicCode } from './keyed-entry.ts';
import { neverTrue } from './never-true.ts';

/** The nested block that prevents the flaw is still in the code, but depends on a condition that never holds. */
export const switchedOffBlock: Technique = {
  id: 'switched_off_block',
  language: 'terraform',
  difficulty: 'hard',
  hide: (place) => {
    const { project, plain } = place;
    const change = onlyChange(project, plain);
    const [edit, ...others] = change?.edits ?? [];
    if (!change || !edit || edit.text.trim() !== '' || others.length > 0) return null;
    const { source } = change;
    const top = source.blocks.find(({ range }) => range.start < edit.start && edit.end <= range.end + 1);
    const gone = top?.blocks.filter(({ range }) => edit.start <= range.start && edit.end >= range.end) ?? [];
    const [block, ...more] = gone;
    if (!top || !block || block.type === 'dynamic' || more.length > 0) return null;
    const { condition, edits } = neverTrue(place, `${top.address}_${block.type}`);
    const code = source.text.slice(block.range.start, block.range.end);
    const dynamic = dynamicCode(block, code, `${condition} ? [1] : []`);
    const replaced = { file: source.file, edits: [{ ...block.range, text: dynamic }] };
    return { edits: [replaced, ...edits] };
  },
};

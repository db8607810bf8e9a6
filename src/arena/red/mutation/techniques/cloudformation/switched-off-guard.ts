import { resourceBlock } from '../code-parts.ts';
import type { Technique } from '../technique.ts';
import { neverTrueCondition } from './template-environment.ts';

/** The resource that prevents the flaw is still in the code, but under a condition that never holds. */
export const templateGuard: Technique = {
  id: 'switched_off_guard',
  language: 'cloudformation',
  difficulty: 'hard',
  hide: ({ project, operator, target }) => {
    const address = operator.guard(project, target);
    const found = address === null ? null : resourceBlock(project, address);
    const type = found?.block.settings.find(({ name }) => name === 'Type');
    if (!found || !type || found.block.settings.some(({ name }) => name === 'Condition')) return null;
    const { source } = found;
    const never = neverTrueCondition(project, source);
    const column = type.range.start - source.text.lastIndexOf('\n', type.range.start) - 1;
    const text = `\n${' '.repeat(column)}Condition: ${never.condition}`;
    const setting = { file: source.file, edits: [{ start: type.range.end, end: type.range.end, text }] };
    return { edits: [setting], entries: never.entries };
  },
};

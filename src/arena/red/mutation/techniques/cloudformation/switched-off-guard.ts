import { insertion } from '../../../../../iac/edit/edits.ts';
import { columnAt } from '../../../../../iac/edit/line-layout.ts';
import { writtenBlock } from '../../../../../iac/read/written-code.ts';
import type { Technique } from '../technique.ts';
import { neverTrueCondition } from './template-environment.ts';

/** The resource that prevents the flaw is still in the code, but under a condition that never holds. */
export const templateGuard: Technique = {
  id: 'switched_off_guard',
  language: 'cloudformation',
  difficulty: 'hard',
  hide: ({ project, operator, target }) => {
    const address = operator.guard(project, target);
    const found = address === null ? null : writtenBlock(project, address);
    const type = found?.block.settings.find(({ name }) => name === 'Type');
    if (!found || !type || found.block.settings.some(({ name }) => name === 'Condition')) return null;
    const { source } = found;
    const never = neverTrueCondition(project, source);
    const text = `\n${columnAt(source.text, type.range.start)}Condition: ${never.condition}`;
    return { edits: [{ file: source.file, edits: [insertion(type.range.end, text)] }], entries: never.entries };
  },
};

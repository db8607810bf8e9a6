import { insertion } from '../../../../iac/edit/edits.ts';
import { columnAt } from '../../../../iac/edit/line-layout.ts';
import { writtenBlock } from '../../../../iac/read/written-code.ts';
import type { SourceFile } from '../../../../iac/syntax/source-file.ts';
import type { CodeEdit } from '../../../operators/operator.ts';
import { ownName } from '../names.ts';
import type { HidingPlace } from '../technique.ts';

/** A resource that a condition can switch on and off, and that nothing refers to. */
interface SwitchedResource {
  source: SourceFile;
  /** Its logical name. */
  name: string;
  write(condition: string): CodeEdit;
}

export function switchedResource({ project, guard }: HidingPlace): SwitchedResource | null {
  const address = guard();
  const found = address === null ? null : writtenBlock(project, address);
  const type = found?.block.settings.find(({ name }) => name === 'Type');
  if (!found || !type || found.block.settings.some(({ name }) => name === 'Condition')) return null;
  const { source, block } = found;
  const indent = columnAt(source.text, type.range.start);
  return {
    source,
    name: ownName(block.address),
    write: (condition) => ({
      file: source.file,
      edits: [insertion(type.range.end, `\n${indent}Condition: ${condition}`)],
    }),
  };
}

import type { Fence } from '../../../models/fence.ts';
import type { CodePart } from './code-parts.ts';

/** A part of the code for the prompt: every piece in its own fence, every line with its number. */
export function numberedCode({ pieces }: CodePart, fence: Fence): string {
  return pieces
    .map(({ file, firstLine, text, isContext }) => {
      const lines = text.split('\n');
      const width = String(firstLine + lines.length - 1).length;
      const numbered = lines.map((line, index) => `${String(firstLine + index).padStart(width)} | ${line}`);
      return fence.wrap(`${isContext ? 'context of' : 'file'} ${file}`, numbered.join('\n'));
    })
    .join('\n\n');
}

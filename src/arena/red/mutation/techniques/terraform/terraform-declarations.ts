import type { CodeProject } from '../../../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../../../../iac/syntax/source-file.ts';
import type { CodeEdit, WeakValue } from '../../../operators/operator.ts';
import { appendTo } from '../code-parts.ts';

interface NewVariable {
  name: string;
  description: string;
  type: WeakValue['type'];
  /** The code of the default; null when the variable has none and must be set. */
  standard: string | null;
}

/** Declares a variable in the file in which the project declares its variables. */
export function declareVariable(project: CodeProject, { name, description, type, standard }: NewVariable): CodeEdit {
  const lines = [
    `variable ${JSON.stringify(name)} {`,
    `  description = ${JSON.stringify(description)}`,
    `  type        = ${type}`,
    ...(standard === null ? [] : [`  default     = ${standard}`]),
    '}',
  ];
  return appendTo(project, 'variables.tf', lines.join('\n'));
}

/** Declares a local value in its own `locals` block, before the block that needs it. */
export function declareLocal(source: SourceFile, before: Block, name: string, code: string): CodeEdit {
  const at = lineStartAboveComments(source.text, before.range.start);
  const text = `locals {\n  ${name} = ${code.replaceAll('\n', '\n  ')}\n}\n\n`;
  return { file: source.file, edits: [{ start: at, end: at, text }] };
}

/** A comment above a block belongs to it. */
function lineStartAboveComments(text: string, offset: number): number {
  let at = text.lastIndexOf('\n', offset - 1) + 1;
  while (at > 0) {
    const before = text.lastIndexOf('\n', at - 2) + 1;
    if (!/^\s*#/.test(text.slice(before, at))) break;
    at = before;
  }
  return at;
}

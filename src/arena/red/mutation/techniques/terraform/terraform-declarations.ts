import { insertion } from '../../../../../iac/edit/edits.ts';
import { lineStart } from '../../../../../iac/edit/line-layout.ts';
import type { CodeProject } from '../../../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../../../../iac/syntax/source-file.ts';
import type { CodeEdit, WeakValue } from '../../../operators/operator.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { appendTo } from '../code-parts.ts';
import { freshName, ownName, settingWords, snakeName } from '../names.ts';
import type { HidingPlace } from '../technique.ts';

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

/** Declares a variable for a setting. The default is code, or null for a variable that must be set. */
export function declareSetting(place: HidingPlace, spot: WeakSpot, standard: string | null) {
  const name = freshName(place, snakeName(spot.address, spot.name));
  const description = `Value of ${settingWords(spot.name)} for ${ownName(spot.address)}.`;
  return { name, declared: declareVariable(place.project, { name, description, type: spot.type, standard }) };
}

/** Declares a local value in its own `locals` block, before the block that needs it. */
export function declareLocal(source: SourceFile, before: Block, name: string, code: string): CodeEdit {
  const at = lineStartAboveComments(source.text, before.range.start);
  const text = `locals {\n  ${name} = ${code.replaceAll('\n', '\n  ')}\n}\n\n`;
  return { file: source.file, edits: [insertion(at, text)] };
}

/** A comment above a block belongs to it. */
function lineStartAboveComments(text: string, offset: number): number {
  let at = lineStart(text, offset);
  while (at > 0) {
    const before = lineStart(text, at - 1);
    if (!/^\s*#/.test(text.slice(before, at))) break;
    at = before;
  }
  return at;
}

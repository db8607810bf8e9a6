import { insertion } from '../../../../iac/edit/edits.ts';
import { lineEnd } from '../../../../iac/edit/line-layout.ts';
import type { Block, SourceFile } from '../../../../iac/syntax/source-file.ts';
import type { CodeEdit, WeakValue } from '../../../operators/operator.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { appendTo, besidePlace, folderOfPlace, lineStartAboveComments } from '../code-parts.ts';
import { settingDescription } from '../names.ts';
import type { HidingPlace } from '../technique.ts';

interface NewVariable {
  name: string;
  description: string;
  type: WeakValue['type'];
  /** The code of the default; null when the variable has none and must be set. */
  standard: string | null;
}

export function variableCode({ name, description, type, standard }: NewVariable): string {
  const lines = [
    `variable ${JSON.stringify(name)} {`,
    `  description = ${JSON.stringify(description)}`,
    `  type        = ${type}`,
    ...(standard === null ? [] : [`  default     = ${standard}`]),
    '}',
  ];
  return lines.join('\n');
}

/** Returns edits that declare a variable, for any default: always at the same place among the other variables. */
export function variableDeclaration(
  place: HidingPlace,
  { name, description, type }: Omit<NewVariable, 'standard'>,
): (standard: string | null) => CodeEdit {
  const source = variablesFile(place);
  const blocks = source?.blocks ?? [];
  const next = blocks[place.choice.between(0, blocks.length)];
  return (standard) => {
    const code = variableCode({ name, description, type, standard });
    if (!source || !next) return appendTo(place.project, `${folderOfPlace(place)}variables.tf`, code);
    const at = lineStartAboveComments(source.text, next.range.start);
    return { file: source.file, edits: [insertion(at, `${code}\n\n`)] };
  };
}

/** The file of variables beside the place: the usual one, or the one with the most variables. */
function variablesFile(place: HidingPlace): SourceFile | undefined {
  const usual = besidePlace(place).find(({ file }) => file.endsWith('variables.tf'));
  const count = ({ blocks }: SourceFile) => blocks.filter(({ type }) => type === 'variable').length;
  return (
    usual ??
    besidePlace(place)
      .toSorted((a, b) => count(b) - count(a))
      .find((source) => count(source) > 1)
  );
}

/** The same for a setting of a resource. */
export function settingDeclaration(place: HidingPlace, name: string, spot: WeakSpot) {
  const description = settingDescription(place, spot.address, spot.name);
  return variableDeclaration(place, { name, description, type: spot.type });
}

/**
 * Returns edits that declare a local value, for any code: in the first `locals` block of the file, or in one of its own
 * before the block that needs it.
 */
export function localDeclaration(
  { choice }: HidingPlace,
  source: SourceFile,
  before: Block,
  name: string,
): (code: string) => CodeEdit {
  const locals = source.blocks.find(({ type }) => type === 'locals');
  const last = locals?.attributes.at(-1);
  const isShared = locals?.bodyRange && last && choice.between(0, 2) > 0;
  const isFirst = choice.between(0, 1) === 0;
  return (code) => {
    const declared = `  ${name} = ${code.replaceAll('\n', '\n  ')}`;
    if (isShared && locals.bodyRange) {
      const at = isFirst ? lineEnd(source.text, locals.bodyRange.start) : lineEnd(source.text, last.range.end);
      return { file: source.file, edits: [insertion(at, isFirst ? `\n${declared}\n` : `\n\n${declared}`)] };
    }
    const at = lineStartAboveComments(source.text, before.range.start);
    return { file: source.file, edits: [insertion(at, `locals {\n${declared}\n}\n\n`)] };
  };
}

import type { TextEdit } from '../../../iac/edit/edits.ts';
import { removeAttribute } from '../../../iac/edit/remove-code.ts';
import { replaceValue, valueCode } from '../../../iac/edit/replace-value.ts';
import { type WrittenAttribute, writtenAttributes } from '../../../iac/read/written-code.ts';
import type { Attribute } from '../../../iac/syntax/expression.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { SourceFile } from '../../../iac/syntax/source-file.ts';
import { variableType } from '../../operators/code-value.ts';
import { ordinaryValues } from '../../operators/example-names.ts';
import { narrowed } from '../../operators/harmless-edits.ts';
import type { CodeEdit, MutationOperator, MutationTarget, WeakValue } from '../../operators/operator.ts';

/** The one value that decides whether the flaw is there. To move it elsewhere hides the flaw. */
export interface WeakSpot extends Omit<WeakValue, 'attribute'> {
  /** The attribute's own name: `http_tokens`. */
  name: string;
  /** The flaw is that there is no value: `insecure` is `null`, or `!Ref AWS::NoValue`. */
  isAbsence: boolean;
  /** What the twin has here: the secure value, or the default written out. Null if that cannot be written. */
  safe: string | null;
}

/** The file and the edits of a change that is in one file. */
export function onlyChange(
  project: CodeProject,
  plain: readonly CodeEdit[],
): { source: SourceFile; edits: TextEdit[] } | null {
  const [change, ...others] = plain;
  const source = project.files.find(({ file }) => file === change?.file);
  return source && change && others.length === 0 ? { source, edits: change.edits } : null;
}

/**
 * From the operator, or from its plain edit: if that replaces or removes a single value, other code can be written in
 * the place of the value.
 */
export function weakSpot(
  project: CodeProject,
  operator: MutationOperator,
  target: MutationTarget,
  plain: readonly CodeEdit[],
): WeakSpot | null {
  const given = operator.weakValue(project, target);
  if (given) {
    const name = given.attribute.split('.').at(-1) ?? given.attribute;
    return { ...given, name, isAbsence: false, safe: given.secure ?? writtenDefault(project, given) };
  }
  const change = onlyChange(project, plain);
  const [edit, ...others] = change?.edits ?? [];
  if (!change || !edit || others.length > 0) return null;
  const { source } = change;
  if (edit.text.trim() === '') return removed(source, edit);
  return edit.start === edit.end ? inserted(source, edit) : replaced(source, edit);
}

/** The values that a plain edit of several values replaces or removes; none if one of its edits does something else. */
export function severalSpots(project: CodeProject, plain: readonly CodeEdit[]): WeakSpot[] {
  const change = onlyChange(project, plain);
  if (!change || change.edits.length < 2) return [];
  const { source, edits } = change;
  const spots = edits.flatMap(
    (edit) => (edit.text.trim() === '' ? removed(source, edit) : edit.start < edit.end && replaced(source, edit)) || [],
  );
  return spots.length === edits.length ? spots : [];
}

/** The edit inserts a rule that is open to everyone: the value is its address range. */
function inserted(source: SourceFile, edit: TextEdit): WeakSpot | null {
  const top = source.blocks.find(({ range }) => range.start < edit.start && edit.start <= range.end);
  const found = /\b(\w+)(\s*[=:]\s*)(\["0\.0\.0\.0\/0"\]|"?0\.0\.0\.0\/0"?)/.exec(edit.text);
  const [, name, between, insecure] = found ?? [];
  if (!top || !found || name === undefined || between === undefined || insecure === undefined) return null;
  const at = found.index + name.length + between.length;
  const [before, after] = [edit.text.slice(0, at), edit.text.slice(at + insecure.length)];
  const secure = narrowed(insecure, ordinaryValues(top.address, [source]));
  return {
    file: source.file,
    address: top.address,
    name,
    secure,
    safe: secure,
    insecure,
    type: insecure.startsWith('[') ? 'list(string)' : 'string',
    isAbsence: false,
    write: (code) =>
      code.includes('\n') ? [] : [{ file: source.file, edits: [{ ...edit, text: before + code + after }] }],
  };
}

/** A switch that is not written is secure, so the other value is; in Terraform, null is the default of anything else. */
function writtenDefault(
  { files }: CodeProject,
  { file, insecure, type }: Pick<WeakValue, 'file' | 'insecure' | 'type'>,
) {
  if (type === 'bool') return insecure === 'true' ? 'false' : 'true';
  return files.find((source) => source.file === file)?.syntax === 'hcl' ? 'null' : null;
}

function isBlank(text: string): boolean {
  return /^[\s,]*$/.test(text);
}

function replaced(source: SourceFile, edit: TextEdit): WeakSpot | null {
  const insecure = edit.text.trim();
  const found = [...writtenAttributes(source)].find(
    ({ attribute: { nameRange, valueRange, range } }) =>
      edit.start > nameRange.start &&
      edit.start <= valueRange.start &&
      edit.start >= nameRange.end &&
      (edit.end === valueRange.end || edit.end === range.end),
  );
  const type = typeOfCode(insecure);
  if (!found || type === null || insecure.includes('\n')) return null;
  return spotOf(source, found, { insecure, type, isAbsence: false });
}

/** In Terraform, null unsets an attribute of a block, but stays a value in a map. */
function removed(source: SourceFile, edit: TextEdit): WeakSpot | null {
  const found = [...writtenAttributes(source)].find(({ attribute }) => isRemovalOf(source, edit, attribute));
  if (!found || (source.syntax === 'hcl' && !found.inBlock)) return null;
  const { value } = found.attribute;
  const type =
    (value.kind === 'literal' ? variableType(value.value) : null) ??
    (value.kind === 'list' ? 'list(string)' : 'string');
  const insecure = source.syntax === 'hcl' ? 'null' : '!Ref AWS::NoValue';
  return spotOf(source, found, { insecure, type, isAbsence: true });
}

/** Whether the edit removes this attribute alone, and not the block around it. */
function isRemovalOf(source: SourceFile, edit: TextEdit, attribute: Attribute): boolean {
  const { range } = attribute;
  if (edit.start > range.start || edit.end < range.end) return false;
  const isAlone =
    isBlank(source.text.slice(edit.start, range.start)) && isBlank(source.text.slice(range.end, edit.end));
  // With the last property, its heading is removed as well.
  return (
    isAlone || removeAttribute(source, attribute).some(({ start, end }) => start === edit.start && end === edit.end)
  );
}

/** A value that no operator weakens, as a spot whose both values are the same. */
export function ordinarySpot(source: SourceFile, written: WrittenAttribute): WeakSpot | null {
  const code = valueCode(source, written.attribute);
  const type = typeOfCode(code);
  return type === null ? null : spotOf(source, written, { insecure: code, type, isAbsence: false });
}

function spotOf(
  source: SourceFile,
  { attribute, top }: WrittenAttribute,
  weak: Pick<WeakSpot, 'insecure' | 'type' | 'isAbsence'>,
): WeakSpot {
  const secure = valueCode(source, attribute);
  return {
    ...weak,
    file: source.file,
    address: top.address,
    name: attribute.name.replaceAll('"', ''),
    secure,
    safe: secure,
    write: (code) => [{ file: source.file, edits: replaceValue(source, attribute, code) }],
  };
}

function typeOfCode(code: string): WeakValue['type'] | null {
  if (/^(?:true|false)$/.test(code)) return 'bool';
  if (/^-?\d+(?:\.\d+)?$/.test(code)) return 'number';
  if (/^\[(?:(?:"[^"]*"|[\w:*./-]+)(?:, *|(?=\])))+\]$/.test(code)) return 'list(string)';
  return /^"[^"]*"$|^[A-Za-z*][\w:*./-]*$/.test(code) ? 'string' : null;
}

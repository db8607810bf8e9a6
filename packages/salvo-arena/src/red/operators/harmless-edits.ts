import type { TextEdit } from '../../iac/edit/edits.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import type { SourceFile } from '../../iac/syntax/source-file.ts';
import { type OrdinaryValues, ordinaryValues } from './example-names.ts';
import { valueShape } from './line-shape.ts';
import type { CodeEdit } from './operator.ts';

/**
 * The same edits with harmless values: a value that keeps its shape stays as it is, and another one is replaced by an
 * ordinary one in the shape of the flaw. Null where there is none: where the flaw is that something is missing.
 */
function harmlessEdits(
  project: CodeProject,
  { text }: SourceFile,
  edits: readonly TextEdit[],
  address: string,
): TextEdit[] | null {
  const harmless: TextEdit[] = [];
  for (const edit of edits) {
    const before = text.slice(edit.start, edit.end).trim();
    if (edit.text.trim() === '') return null;
    if (valueShape(before) === valueShape(edit.text)) continue;
    const quoted = isQuoted(edit.text) && /^[\w-]+$/.test(before) ? `"${before}"` : null;
    const value =
      quoted ??
      writtenOut(project, before, edit.text) ??
      ordinaryValue(edit.text, ordinaryValues(address, project.files));
    if (value === edit.text) return null;
    harmless.push({ ...edit, text: value });
  }
  return harmless;
}

/** The same for edits of several files. */
export function harmlessCode(project: CodeProject, edits: readonly CodeEdit[], address: string): CodeEdit[] | null {
  const harmless: CodeEdit[] = [];
  for (const { file, edits: own } of edits) {
    const source = project.files.find((one) => one.file === file);
    const others = source && harmlessEdits(project, source, own, address);
    if (!others) return null;
    harmless.push({ file, edits: others });
  }
  return harmless;
}

/** The default of the variable or parameter that the code is a reference to, if it has the shape of the flaw. */
function writtenOut({ files }: CodeProject, code: string, weak: string): string | null {
  const [, variable, parameter] = /^(?:var\.(\w+)|!Ref (\w+))$/.exec(code) ?? [];
  const name = variable ?? parameter;
  const declared = files
    .flatMap(({ blocks }) => blocks)
    .find(({ type, labels }) => type === 'variable' && labels.at(-1) === name);
  const standard = declared?.attributes.find((one) => /^default$/i.test(one.name))?.value.text;
  if (name === undefined || standard === undefined || valueShape(standard) !== valueShape(weak)) return null;
  const space = /^\s*/.exec(weak)?.[0] ?? '';
  return `${space}${standard}`;
}

/** The same code with private addresses and one port, a key of one's own and the rights that an agent needs. */
function ordinaryValue(code: string, values: OrdinaryValues): string {
  const narrow = narrowed(code, values);
  if (narrow !== code) {
    return narrow
      .replaceAll(/(protocol\s*[=:]\s*)"?(?:-1|all)\b"?/gi, '$1"tcp"')
      .replaceAll(/((?:from|to)_?port\s*[=:]\s*)0\b/gi, '$1443')
      .replaceAll(/(from_?port\s*[=:]\s*)(\d+)(\s+to_?port\s*[=:]\s*)\d+/gi, '$1$2$3$2');
  }
  return code
    .replaceAll('policy/AdministratorAccess', `policy/${values.managedPolicy}`)
    .replaceAll(/\balias\/aws\/\w+/g, `alias/${values.name.replace('-', '/')}`);
}

/** The same code for a private network. */
export function narrowed(code: string, { network, localNetwork }: OrdinaryValues): string {
  return code
    .replaceAll('0.0.0.0/0', `${network}.0.0/16`)
    .replaceAll('0.0.0.0/1', `${network}.0.0/17`)
    .replaceAll('128.0.0.0/1', `${network}.128.0/17`)
    .replaceAll('::/0', `${localNetwork}/48`);
}

function isQuoted(code: string): boolean {
  return /^\s*"[^"]*"\s*$/.test(code);
}

/** With quotes where the flaw has them. In YAML, `*` needs quotes, and most names do not. */
export function quotedLike(weak: readonly TextEdit[], edits: readonly TextEdit[]): TextEdit[] {
  return edits.map((edit, at) => {
    const other = weak[at];
    const isBare = /^ ?[\w:./*-]+$/.test(edit.text);
    return other && isQuoted(other.text) && isBare ? { ...edit, text: edit.text.replace(/\S+/, '"$&"') } : edit;
  });
}

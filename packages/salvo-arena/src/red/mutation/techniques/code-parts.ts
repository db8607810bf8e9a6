import { applyEdits, insertion, type TextEdit } from '../../../iac/edit/edits.ts';
import { insertBlock } from '../../../iac/edit/insert-block.ts';
import { lineStart } from '../../../iac/edit/line-layout.ts';
import type { TextRange } from '../../../iac/syntax/expression.ts';
import { type CodeProject, isInFocus } from '../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../../iac/syntax/source-file.ts';
import type { SeededChoice } from '../../../templates/seeded-choice.ts';
import type { CodeEdit } from '../../operators/operator.ts';
import type { HidingPlace } from './technique.ts';

/**
 * Resource types of which one thing may have several, so that the widest one decides what is allowed. For other types,
 * a second resource would be a conflict.
 */
export const ADDITIVE: ReadonlySet<string> = new Set([
  'aws_vpc_security_group_ingress_rule',
  'aws_vpc_security_group_egress_rule',
  'aws_security_group_rule',
  'aws_iam_role_policy',
  'aws_iam_user_policy',
  'aws_iam_group_policy',
  'aws_iam_policy',
  'aws_lambda_permission',
  'aws_network_acl_rule',
  'AWS::EC2::SecurityGroupIngress',
  'AWS::EC2::SecurityGroupEgress',
  'AWS::IAM::Policy',
  'AWS::IAM::RolePolicy',
  'AWS::IAM::ManagedPolicy',
  'AWS::Lambda::Permission',
  'AWS::EC2::NetworkAclEntry',
]);

/** Nested blocks and list entries of which there may be several. */
export const ADDITIVE_PARTS: ReadonlySet<string> = new Set([
  'statement',
  'ingress',
  'egress',
  'Statement',
  'SecurityGroupIngress',
  'SecurityGroupEgress',
]);

export function isInside(inner: TextRange, outer: TextRange): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** A part of a text after edits; null when an edit is not inside the part, or removes all of it. */
export function partAfter(text: string, part: TextRange, edits: readonly TextEdit[]): string | null {
  const { start, end } = part;
  const own = edits.map((edit) => withoutLineEnd(text, part, edit));
  const isGone = own.some((edit) => edit.start <= start && edit.end >= end);
  if (own.length === 0 || isGone || !own.every((edit) => isInside(edit, part))) return null;
  const moved = own.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return applyEdits(text.slice(start, end), moved);
}

/** A copy of a part with harmless values, or as it is where there are none. */
export function copyAfter(text: string, part: TextRange, harmless: readonly CodeEdit[] | null): string {
  const edits = (harmless ?? []).flatMap((one) => one.edits);
  return partAfter(text, part, edits) ?? text.slice(part.start, part.end);
}

/**
 * An edit that removes the last lines of a part also removes the line end after it. This one removes the line end
 * before them instead, so that it is inside the part.
 */
export function withoutLineEnd(text: string, { end }: TextRange, edit: TextEdit): TextEdit {
  const isPast = edit.text === '' && edit.end === end + 1 && text[end] === '\n' && text[edit.start - 1] === '\n';
  return isPast ? { ...edit, start: edit.start - 1, end } : edit;
}

/** The folder of the place with a slash at its end; empty for the top folder. */
export function folderOfPlace({ target }: Pick<HidingPlace, 'target'>): string {
  return target.file.slice(0, target.file.lastIndexOf('/') + 1);
}

/** The Terraform files in the folder of the place, which may be changed: no JSON, no values, no overrides. */
export function besidePlace({ project, target }: Pick<HidingPlace, 'project' | 'target'>): SourceFile[] {
  const folder = folderOfPlace({ target });
  return project.files.filter(
    ({ file }) =>
      file.startsWith(folder) &&
      /^[\w.-]+\.tf$/.test(file.slice(folder.length)) &&
      !/override\.tf$/.test(file) &&
      isInFocus(project, file),
  );
}

/** Appends a block to a file, which is created if it does not exist. */
export function appendTo(project: CodeProject, file: string, code: string): CodeEdit {
  const source = project.files.find((one) => one.file === file);
  if (!source) return { file, edits: [insertion(0, `${code}\n`)] };
  return { file, edits: insertBlock(source, null, code) };
}

/** Adds a block to a file, before one of its resources or at its end. */
export function blockDeclaration(choice: SeededChoice, source: SourceFile): (code: string) => CodeEdit {
  const resources = source.blocks.filter(({ type }) => type === 'resource' || type === 'data');
  const next = resources[choice.between(1, Math.max(1, resources.length))];
  return (code) => {
    if (!next) return { file: source.file, edits: insertBlock(source, null, code) };
    const at = lineStartAboveComments(source.text, next.range.start);
    return { file: source.file, edits: [insertion(at, `${code}\n\n`)] };
  };
}

/** A comment above a block belongs to it. */
export function lineStartAboveComments(text: string, offset: number): number {
  let at = lineStart(text, offset);
  while (at > 0) {
    const before = lineStart(text, at - 1);
    if (!/^\s*#/.test(text.slice(before, at))) break;
    at = before;
  }
  return at;
}

/** Whether edits of a file are apart from the operator's own edits. */
export function isApart(file: string, edits: readonly TextEdit[], plain: readonly CodeEdit[]): boolean {
  const others = plain.flatMap((one) => (one.file === file ? one.edits : []));
  return !edits.some((edit) => others.some((other) => edit.start <= other.end && other.start <= edit.end));
}

/** Whether `count` or `for_each` is set. */
export function isRepeated({ attributes }: Block): boolean {
  return attributes.some(({ name }) => name === 'count' || name === 'for_each');
}

/** A copy of a rule of a network ACL, with a number of its own: no two rules may have the same. */
export function nextRule(code: string): string {
  return code.replace(
    /\b(rule_no\s*=\s*|rule_number\s*=\s*|RuleNumber:\s*)(\d+)/,
    (_, name: string, number: string) => `${name}${Number(number) + 5}`,
  );
}

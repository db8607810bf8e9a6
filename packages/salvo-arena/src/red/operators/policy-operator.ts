import { replaceValue, valueCode } from '../../iac/edit/replace-value.ts';
import type { BlockView } from '../../iac/evaluate/block-view.ts';
import { createScope, type Scope } from '../../iac/evaluate/scope.ts';
import { knownItems, pathSteps, plainPath } from '../../iac/read/attribute-path.ts';
import { codeReader } from '../../iac/read/code-reader.ts';
import { type PolicyStatement, policyStatements } from '../../iac/read/policy-statements.ts';
import { attributeIn, type WrittenBlock } from '../../iac/read/written-code.ts';
import { type WrittenStatement, writtenStatements } from '../../iac/read/written-statements.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import { changeStatement } from './change-statement.ts';
import { codeValue, variableType } from './code-value.ts';
import { createOperator } from './create-operator.ts';
import { ordinaryValues } from './example-names.ts';
import { quotedLike } from './harmless-edits.ts';
import { harmlessChange } from './harmless-statement.ts';
import type { CodeEdit, MutationOperator, WeakValue } from './operator.ts';
import type { PolicySpec } from './operator-spec.ts';
import { matchesPattern, type StatementChange, type StatementPattern } from './statement-pattern.ts';
import { ownersOf, targetViews } from './target-views.ts';

/** An operator whose flaw is a statement of a policy, or a missing statement. */
export function policyOperator(spec: PolicySpec): MutationOperator {
  const { path, weak, needs, pick, change } = spec;
  /** The statement is picked by its evaluated value, and found in the code by its position among the others. */
  const pickStatement = (written: WrittenBlock, project: CodeProject, scope: Scope) => {
    const [view] = targetViews(scope, written.block.address);
    const evaluated = (view && statementsAt(scope, view, path)) ?? [];
    const { document, statements } = writtenStatements(project, written, path);
    const statement = statements[evaluated.findIndex((one) => matchesPattern(pick, one))];
    return statement && statements.length === evaluated.length ? { statement, document } : null;
  };
  return createOperator(spec, {
    strength: (scope, view) => {
      const statements = statementsAt(scope, view, path);
      if (!statements) return 'unknown';
      if (weak && statements.some((statement) => matchesPattern(weak, statement))) return 'weak';
      return needs && !statements.some((statement) => matchesPattern(needs, statement)) ? 'weak' : 'fine';
    },
    target: (written, [first], { project, scope }) => {
      const picked = pickStatement(written, project, scope);
      if (!picked || changeStatement(picked.statement, change).length === 0) return null;
      const documents = picked.document === null ? [] : [picked.document];
      return { attribute: plainPath(path), related: [...documents, ...ownersOf(first, spec.owner)] };
    },
    apply: (written, project) => {
      const picked = pickStatement(written, project, createScope(project));
      return picked ? statementEdits(picked.statement, change) : [];
    },
    unusual: (written, project) => {
      const picked = pickStatement(written, project, createScope(project));
      if (!picked) return [];
      return spec.unusual.map((other) => ({
        edits: statementEdits(picked.statement, other),
        harmless: harmlessStatement(picked.statement, other, written.block.address),
      }));
    },
    harmless: (written, project) => {
      const picked = pickStatement(written, project, createScope(project));
      return picked && harmlessStatement(picked.statement, change, written.block.address);
    },
    locate: (scope, view) => {
      const statements = statementsAt(scope, view, path) ?? [];
      const flawed = weak && statements.find((statement) => matchesPattern(weak, statement));
      const { file, line, end_line } = flawed?.node.place ?? view.get(path) ?? view;
      return { file, line, end_line };
    },
    isLimited: (scope, view) => {
      const flawed = (weak && statementsAt(scope, view, path)?.filter((one) => matchesPattern(weak, one))) ?? [];
      return weak !== undefined && flawed.length > 0 && flawed.every((statement) => isLimited(weak, statement));
    },
    weakValue: (written, project) => {
      const picked = pickStatement(written, project, createScope(project));
      const address = picked?.document ?? written.block.address;
      return picked && change ? weakField(picked.statement, change, address, path) : null;
    },
  });
}

/**
 * Whether a statement with too many actions is only for somebody (a role, not everyone) or for something (the objects of
 * one bucket). In a policy of a role, which names no principal, it must be for something.
 */
function isLimited(weak: StatementPattern, { principals, hasNotPrincipal, resources }: PolicyStatement): boolean {
  const isAboutActions = weak.principal === undefined && weak.any_resource !== true && weak.action !== undefined;
  if (!isAboutActions) return false;
  if (principals.length > 0) return !hasNotPrincipal && principals.every(({ kind, id }) => kind !== '*' && id !== '*');
  return !hasNotPrincipal && resources.length > 0 && resources.every(isNarrow);
}

/** `arn:aws:s3:::orders/*` and a reference to another resource are narrow; `*` and `arn:aws:s3:::*` are not. */
function isNarrow(resource: string): boolean {
  return resource.startsWith('${') || /[^*:/]/.test(resource.split(':').slice(5).join(':'));
}

function harmlessStatement(
  statement: WrittenStatement,
  change: StatementChange | null,
  address: string,
): CodeEdit[] | null {
  const values = harmlessChange(statement, change, ordinaryValues(address, [statement.source]));
  if (!values) return null;
  const edits = quotedLike(changeStatement(statement, change), changeStatement(statement, values));
  return [{ file: statement.source.file, edits }];
}

function statementEdits(statement: WrittenStatement, change: StatementChange | null): CodeEdit[] {
  const edits = changeStatement(statement, change);
  return edits.length > 0 ? [{ file: statement.source.file, edits }] : [];
}

/** The statements of the policies at a path. Null when the only policy is missing or cannot be read. */
function statementsAt(scope: Scope, view: BlockView, path: string): PolicyStatement[] | null {
  const policies = knownItems(codeReader(scope).instance(view), path);
  const readable = policies.filter((policy) => policy.names().length > 0 || typeof policy.json === 'object');
  if (readable.length === 0 && pathSteps(path).length === 1) return null;
  return readable.flatMap(policyStatements);
}

const FIELDS = { Action: 'actions', Resource: 'resources' } as const;

/**
 * The field of a statement that carries the flaw: its actions or its resources. Null if it is not exactly one of them.
 */
function weakField(
  statement: WrittenStatement,
  change: StatementChange,
  address: string,
  path: string,
): WeakValue | null {
  const [field, ...others] = Object.keys(change);
  if ((field !== 'Action' && field !== 'Resource') || others.length > 0) return null;
  const { source } = statement;
  const isBlock = statement.kind === 'block';
  const name = isBlock ? FIELDS[field] : field;
  const attribute = attributeIn(isBlock ? statement.block : statement.object, name);
  const weak = change[field];
  // A Terraform policy document takes only lists.
  const value = isBlock && typeof weak === 'string' ? [weak] : weak;
  const type = value === undefined ? null : variableType(value);
  if (!attribute || value === undefined || type === null) return null;
  return {
    file: source.file,
    address,
    attribute: isBlock ? `statement.${name}` : `${plainPath(path)}.Statement.${name}`,
    secure: valueCode(source, attribute),
    insecure: codeValue(source, value),
    type,
    write: (code) => [{ file: source.file, edits: replaceValue(source, attribute, code) }],
  };
}

import { replaceValue, valueCode } from '../../iac/edit/replace-value.ts';
import { plainPath } from '../../iac/read/attribute-path.ts';
import { attributeIn } from '../../iac/read/written-code.ts';
import type { WrittenStatement } from '../../iac/read/written-statements.ts';
import { codeValue, variableType } from './code-value.ts';
import type { WeakValue } from './operator.ts';
import type { StatementChange } from './statement-pattern.ts';

const FIELDS = { Action: 'actions', Resource: 'resources' } as const;

/**
 * The field of a statement that carries the flaw: its actions or its resources. Null if it is not exactly one of them.
 */
export function weakField(
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

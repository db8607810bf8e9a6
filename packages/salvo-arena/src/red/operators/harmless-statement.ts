import { attributeIn } from '../../iac/read/written-code.ts';
import type { WrittenStatement } from '../../iac/read/written-statements.ts';
import type { Expression } from '../../iac/syntax/expression.ts';
import { exampleArn, exampleRole, type OrdinaryValues } from './example-names.ts';
import type { StatementChange, StatementValues } from './statement-pattern.ts';

/**
 * The same fields of the statement with harmless values: as many of its own actions, one resource, one principal. Null
 * where the flaw is that something is missing, or a form that has no harmless use.
 */
export function harmlessChange(
  statement: WrittenStatement,
  change: StatementChange | null,
  ordinary: OrdinaryValues,
): StatementValues | null {
  if (!change || change.negate !== undefined || change.drop_condition_key !== undefined) return null;
  if (change.Principal === '*' && statement.kind === 'object') return null;
  if (change.Condition === null && change.Principal === undefined) return null;
  const own = fieldCode(statement, 'Action').map(withoutQuotes);
  const { Action, Resource, Principal } = change;
  const count = Array.isArray(Action) ? Action.length : 1;
  const actions = [...own, ...ORDINARY.filter((action) => !own.includes(action))].slice(0, count);
  const isOrdinary = own.length > 0 && !own.some((action) => action.includes('*'));
  if (!isOrdinary && (Action !== undefined || Resource !== undefined)) return null;
  const [first = ''] = own;
  const arn = exampleArn(first, ordinary);
  const isRoot = fieldCode(statement, 'Principal').some((code) => code.includes(':root'));
  return {
    ...change,
    ...(Action === undefined ? {} : { Action: Array.isArray(Action) ? actions : first }),
    ...(Resource === undefined ? {} : { Resource: Array.isArray(Resource) ? [arn] : arn }),
    ...(Principal === undefined ? {} : { Principal: { AWS: exampleRole(ordinary, isRoot) } }),
  };
}

/** Every function may write its log. */
const ORDINARY = ['logs:CreateLogStream', 'logs:PutLogEvents', 'logs:DescribeLogStreams'];

function fieldCode(statement: WrittenStatement, field: 'Action' | 'Principal'): string[] {
  if (statement.kind === 'object') return codesOf(attributeIn(statement.object, field)?.value);
  const { block, source } = statement;
  if (field === 'Action') return codesOf(attributeIn(block, 'actions')?.value);
  const principals = block.blocks.filter(({ type }) => type === 'principals');
  return principals.map(({ range }) => source.text.slice(range.start, range.end));
}

function codesOf(value: Expression | undefined): string[] {
  if (!value) return [];
  return value.kind === 'list' ? value.items.flatMap(codesOf) : [value.text];
}

function withoutQuotes(code: string): string {
  return code.replaceAll('"', '');
}

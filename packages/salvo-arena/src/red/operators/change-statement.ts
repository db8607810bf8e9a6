import type { TextEdit } from '../../iac/edit/edits.ts';
import { insertAttribute } from '../../iac/edit/insert-attribute.ts';
import { removeListItem } from '../../iac/edit/list-items.ts';
import { removeAttribute, removeBlock } from '../../iac/edit/remove-code.ts';
import { replaceValue } from '../../iac/edit/replace-value.ts';
import type { Json } from '../../iac/evaluate/value.ts';
import { attributeIn } from '../../iac/read/written-code.ts';
import type { WrittenStatement } from '../../iac/read/written-statements.ts';
import type { Attribute } from '../../iac/syntax/expression.ts';
import type { AttributeHolder, Block, SourceFile } from '../../iac/syntax/source-file.ts';
import { codeValue } from './code-value.ts';
import type { StatementValues } from './statement-pattern.ts';

type ObjectStatement = Extract<WrittenStatement, { kind: 'object' }>;
type BlockStatement = Extract<WrittenStatement, { kind: 'block' }>;

/** The edits that change a statement, or remove it if the change is null. None when the code does not allow that. */
export function changeStatement(statement: WrittenStatement, change: StatementValues | null): TextEdit[] {
  if (change === null) return withoutStatement(statement);
  return statement.kind === 'block' ? changeBlock(statement, change) : changeObject(statement, change);
}

function withoutStatement(statement: WrittenStatement): TextEdit[] {
  if (statement.kind === 'block') return removeBlock(statement.source, statement.block);
  const { source, list, object } = statement;
  return (list && removeListItem(source, list, list.items.indexOf(object))) ?? [];
}

function changeObject({ source, object }: ObjectStatement, change: StatementValues): TextEdit[] {
  const set = (name: string, value: Json | undefined) => setValue(source, object, name, value);
  const { Action, Resource, Principal, Condition, negate, drop_condition_key: dropped } = change;
  const condition = attributeIn(object, 'Condition');
  return [
    ...set('Action', Action),
    ...set('Resource', Resource),
    ...(Principal === '*' ? set('Principal', '*') : []),
    ...(typeof Principal === 'object' ? onlyPrincipal(source, object, Principal.AWS) : []),
    ...(negate ? negated(source, attributeIn(object, negate)) : []),
    ...(Condition === null && condition ? removeAttribute(source, condition) : []),
    ...(dropped !== undefined && condition ? withoutKey(source, condition, dropped) : []),
  ];
}

/** The other name, with the `=` in its column if there is room for it. */
function negated(source: SourceFile, attribute: Attribute | null): TextEdit[] {
  if (!attribute) return [];
  const { nameRange, valueRange } = attribute;
  const quote = source.text[nameRange.start] === '"' ? '"' : '';
  const name = source.text.slice(nameRange.start, nameRange.end).replaceAll('"', '');
  const between = source.text.slice(nameRange.end, valueRange.start).replace(/^ {0,3}(?= )/, '');
  return [{ start: nameRange.start, end: valueRange.start, text: `${quote}Not${name}${quote}${between}` }];
}

/** Only the one principal is left, so that nothing has to be aligned with it. */
function onlyPrincipal(source: SourceFile, statement: ObjectStatement['object'], id: string): TextEdit[] {
  const principal = attributeIn(statement, 'Principal')?.value;
  const [first, ...others] = principal?.kind === 'object' ? principal.entries : [];
  if (!first) return [];
  const text = { hcl: `AWS = "${id}"`, json: `"AWS": "${id}"`, yaml: `AWS: "${id}"` }[source.syntax];
  const only = { start: first.nameRange.start, end: first.valueRange.end, text };
  return [only, ...others.flatMap((other) => removeAttribute(source, other))];
}

function setValue(source: SourceFile, holder: AttributeHolder, name: string, value: Json | undefined): TextEdit[] {
  if (value === undefined) return [];
  const attribute = attributeIn(holder, name);
  const code = codeValue(source, value);
  return attribute ? replaceValue(source, attribute, code) : insertAttribute(source, holder, name, code);
}

/** With its last key, the whole test is removed: an empty test means nothing. */
function withoutKey(source: SourceFile, condition: Attribute, ending: string): TextEdit[] {
  const tests = condition.value.kind === 'object' ? condition.value.entries : [];
  for (const test of tests) {
    const keys = test.value.kind === 'object' ? test.value.entries : [];
    const key = keys.find(({ name }) => name.replaceAll('"', '').endsWith(ending));
    if (key) return removeAttribute(source, keys.length > 1 ? key : tests.length > 1 ? test : condition);
  }
  return [];
}

function changeBlock({ source, block }: BlockStatement, change: StatementValues): TextEdit[] {
  const listed = (value: string | string[] | undefined) => (typeof value === 'string' ? [value] : value);
  const { Action, Resource, Principal, Condition, negate, drop_condition_key: dropped } = change;
  const [principals] = block.blocks.filter(({ type }) => type === 'principals');
  const conditions = block.blocks.filter(({ type }) => type === 'condition');
  const removed = Condition === null ? conditions : conditions.filter((one) => dropped && hasKey(one, dropped));
  return [
    ...setValue(source, block, 'actions', listed(Action)),
    ...setValue(source, block, 'resources', listed(Resource)),
    ...(Principal !== undefined && principals
      ? [
          ...setValue(source, principals, 'type', typeof Principal === 'string' ? '*' : 'AWS'),
          ...setValue(source, principals, 'identifiers', [typeof Principal === 'string' ? '*' : Principal.AWS]),
        ]
      : []),
    ...negatedPart(source, block, negate),
    ...removed.flatMap((one) => removeBlock(source, one)),
  ];
}

/** `not_actions`, `not_principals`. */
function negatedPart({ text }: SourceFile, block: Block, negate: StatementValues['negate']): TextEdit[] {
  if (negate === undefined) return [];
  const actions = attributeIn(block, 'actions');
  const principals = block.blocks.find(({ type }) => type === 'principals');
  if (negate === 'Principal') {
    return principals ? [{ start: principals.range.start, end: principals.range.start, text: 'not_' }] : [];
  }
  if (!actions) return [];
  const between = text.slice(actions.nameRange.end, actions.valueRange.start).replace(/^ {0,4}(?= )/, '');
  return [{ start: actions.nameRange.start, end: actions.valueRange.start, text: `not_actions${between}` }];
}

function hasKey(condition: Block, ending: string): boolean {
  const variable = attributeIn(condition, 'variable')?.value;
  return variable?.kind === 'literal' && String(variable.value).endsWith(ending);
}

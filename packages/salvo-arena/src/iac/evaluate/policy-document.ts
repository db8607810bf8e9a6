import { attributeValue, type InstanceBody, nestedBodies } from './instance-body.ts';
import { textOf } from './operators.ts';
import { isList, isObject, isUnknown, makeList, makeObject, type PartialValue } from './partial-value.ts';
import { fromJsonText } from './value.ts';

/** The policy that a `data "aws_iam_policy_document"` generates. */
export function policyDocument(body: InstanceBody): PartialValue {
  const own = nestedBodies(body, 'statement').map(statement);
  const before = policiesOf(body, ['source_policy_documents', 'source_json']).flatMap(statementsOf);
  const overriding = policiesOf(body, ['override_policy_documents', 'override_json']).flatMap(statementsOf);
  const replaced = new Set(overriding.map(sidOf));
  const kept = [...before, ...own].filter((one) => sidOf(one) === null || !replaced.has(sidOf(one)));
  return makeObject([
    ['Version', attributeValue(body, 'version') ?? '2012-10-17'],
    ['Statement', makeList([...kept, ...overriding])],
  ]);
}

function statement(body: InstanceBody): PartialValue {
  const entries: [string, PartialValue][] = [];
  const add = (name: string, from: string, otherwise?: PartialValue) => {
    const value = attributeValue(body, from) ?? otherwise;
    if (value !== undefined) entries.push([name, value]);
  };
  add('Sid', 'sid');
  add('Effect', 'effect', 'Allow');
  add('Action', 'actions');
  add('NotAction', 'not_actions');
  add('Resource', 'resources');
  add('NotResource', 'not_resources');
  const principals = nestedBodies(body, 'principals');
  if (principals.length > 0) entries.push(['Principal', principalsOf(principals)]);
  const others = nestedBodies(body, 'not_principals');
  if (others.length > 0) entries.push(['NotPrincipal', principalsOf(others)]);
  const conditions = nestedBodies(body, 'condition');
  if (conditions.length > 0) entries.push(['Condition', conditionsOf(conditions)]);
  return makeObject(entries);
}

/** `type = "*"` becomes `"*"`, all others become `{AWS: [...]}`. */
function principalsOf(bodies: readonly InstanceBody[]): PartialValue {
  const byType = new Map<string, PartialValue[]>();
  for (const body of bodies) {
    const type = textOf(attributeValue(body, 'type') ?? '');
    const identifiers = attributeValue(body, 'identifiers') ?? makeList([]);
    byType.set(type, [...(byType.get(type) ?? []), ...(isList(identifiers) ? identifiers : [identifiers])]);
  }
  if (byType.has('*')) return '*';
  return makeObject([...byType].map(([type, identifiers]) => [type, makeList(identifiers)]));
}

function conditionsOf(bodies: readonly InstanceBody[]): PartialValue {
  const byTest = new Map<string, [string, PartialValue][]>();
  for (const body of bodies) {
    const test = textOf(attributeValue(body, 'test') ?? '');
    const variable = textOf(attributeValue(body, 'variable') ?? '');
    byTest.set(test, [...(byTest.get(test) ?? []), [variable, attributeValue(body, 'values') ?? makeList([])]]);
  }
  return makeObject([...byTest].map(([test, entries]) => [test, makeObject(entries)]));
}

function policiesOf(body: InstanceBody, names: readonly string[]): PartialValue[] {
  return names.flatMap((name) => {
    const given = attributeValue(body, name);
    if (given === undefined) return [];
    return isList(given) ? given : [given];
  });
}

function statementsOf(policy: PartialValue): PartialValue[] {
  const parsed = fromJsonText(policy);
  if (parsed === null || !isObject(parsed)) return isUnknown(policy) ? [policy] : [];
  const { Statement: statements = makeList([]) } = parsed;
  return isList(statements) ? statements : [statements];
}

function sidOf(one: PartialValue): string | null {
  return isObject(one) && typeof one.Sid === 'string' && one.Sid !== '' ? one.Sid : null;
}

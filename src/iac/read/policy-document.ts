import { fromJsonText } from '../edit/json-text.ts';
import { attributeDatum, type InstanceBody, nestedBodies } from '../evaluate/instance-body.ts';
import { textOf } from '../evaluate/operators.ts';
import { type Datum, isList, isObject, isUnknown, makeList, makeObject } from '../evaluate/partial-value.ts';

/** The policy that a `data "aws_iam_policy_document"` stands for. */
export function policyDocument(body: InstanceBody): Datum {
  const own = nestedBodies(body, 'statement').map(statement);
  const before = policiesOf(body, ['source_policy_documents', 'source_json']).flatMap(statementsOf);
  const overriding = policiesOf(body, ['override_policy_documents', 'override_json']).flatMap(statementsOf);
  const replaced = new Set(overriding.map(sidOf));
  const kept = [...before, ...own].filter((one) => sidOf(one) === null || !replaced.has(sidOf(one)));
  return makeObject([
    ['Version', attributeDatum(body, 'version') ?? '2012-10-17'],
    ['Statement', makeList([...kept, ...overriding])],
  ]);
}

function statement(body: InstanceBody): Datum {
  const entries: [string, Datum][] = [];
  const add = (name: string, from: string, otherwise?: Datum) => {
    const value = attributeDatum(body, from) ?? otherwise;
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

/** `type = "*"` with `["*"]` is written as `"*"`; all others as `{AWS: [...]}`. */
function principalsOf(bodies: readonly InstanceBody[]): Datum {
  const byType = new Map<string, Datum[]>();
  for (const body of bodies) {
    const type = textOf(attributeDatum(body, 'type') ?? '');
    const identifiers = attributeDatum(body, 'identifiers') ?? makeList([]);
    byType.set(type, [...(byType.get(type) ?? []), ...(isList(identifiers) ? identifiers : [identifiers])]);
  }
  if (byType.has('*')) return '*';
  return makeObject([...byType].map(([type, identifiers]) => [type, makeList(identifiers)]));
}

function conditionsOf(bodies: readonly InstanceBody[]): Datum {
  const byTest = new Map<string, [string, Datum][]>();
  for (const body of bodies) {
    const test = textOf(attributeDatum(body, 'test') ?? '');
    const variable = textOf(attributeDatum(body, 'variable') ?? '');
    byTest.set(test, [...(byTest.get(test) ?? []), [variable, attributeDatum(body, 'values') ?? makeList([])]]);
  }
  return makeObject([...byTest].map(([test, entries]) => [test, makeObject(entries)]));
}

function policiesOf(body: InstanceBody, names: readonly string[]): Datum[] {
  return names.flatMap((name) => {
    const given = attributeDatum(body, name);
    if (given === undefined) return [];
    return isList(given) ? given : [given];
  });
}

function statementsOf(policy: Datum): Datum[] {
  const parsed = fromJsonText(policy);
  if (parsed === null || !isObject(parsed)) return isUnknown(policy) ? [policy] : [];
  const { Statement: statements = makeList([]) } = parsed;
  return isList(statements) ? statements : [statements];
}

function sidOf(one: Datum): string | null {
  return isObject(one) && typeof one.Sid === 'string' && one.Sid !== '' ? one.Sid : null;
}

import type { Json } from '../../iac/evaluate/value.ts';
import { foldedName } from '../../text/folded-name.ts';
import { isRecord } from '../../text/is-record.ts';
import { jsonIn } from './code-facts.ts';

/** What one statement of a policy allows. Parts that are not known are texts with `${` in them. */
export interface PolicyStatement {
  actions: readonly string[];
  resources: readonly string[];
  principals: readonly string[];
  hasCondition: boolean;
}

const DEEPEST = 14;

/** Every statement that allows something, anywhere in a value: in JSON texts, in maps, in `statement` blocks. */
export function policyStatements(value: Json): PolicyStatement[] {
  return statementsIn(value)
    .filter((fields) => !denies(fields))
    .map(allowed);
}

/** Whether there is a policy, and every statement of it is known to forbid something. */
export function onlyDenies(value: Json): boolean {
  const statements = statementsIn(value);
  return statements.length > 0 && statements.every(denies);
}

type Fields = ReadonlyMap<string, Json>;

function statementsIn(value: Json, depth = DEEPEST): Fields[] {
  if (depth === 0) return [];
  if (typeof value === 'string') return /statement/i.test(value) ? statementsIn(jsonIn(value), depth - 1) : [];
  if (Array.isArray(value)) return value.flatMap((item) => statementsIn(item, depth - 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    foldedName(name) === 'statement' ? [item].flat().flatMap(fieldsOf) : statementsIn(item, depth - 1),
  );
}

function fieldsOf(statement: Json): Fields[] {
  if (!isRecord(statement)) return [];
  return [new Map(Object.entries(statement).map(([name, item]): [string, Json] => [foldedName(name), item]))];
}

function denies(fields: Fields): boolean {
  return /deny/i.test(String(fields.get('effect') ?? 'Allow'));
}

function allowed(fields: Fields): PolicyStatement {
  const list = (...names: string[]) => names.flatMap((name) => textsIn(fields.get(name) ?? null));
  const hasNot = fields.has('notaction') || fields.has('notactions');
  const condition = fields.get('condition');
  return {
    actions: [...list('action', 'actions'), ...(hasNot ? ['*'] : [])],
    resources: list('resource', 'resources'),
    principals: list('principal', 'principals', 'notprincipal'),
    hasCondition: isRecord(condition)
      ? Object.keys(condition).length > 0
      : Array.isArray(condition) && condition.length > 0,
  };
}

/** Principals come as a text, a list, a map of lists, or blocks with `identifiers`. */
function textsIn(value: Json, depth = 4): string[] {
  if (typeof value === 'string') return [value];
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, depth - 1));
  if (!isRecord(value)) return [];
  return textsIn(value.identifiers ?? Object.values(value), depth - 1);
}

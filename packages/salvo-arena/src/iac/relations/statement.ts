import type { Json } from '../evaluate/value.ts';
import { jsonInText } from '../read/code-node.ts';

/** A statement of a policy in which every list is a list. Unknown parts of a text are `${...}`. */
export interface Statement {
  sid: string | null;
  isAllow: boolean;
  /** In lower case. */
  actions: string[];
  resources: string[];
  principals: { kind: string; id: string }[];
  conditions: { test: string; key: string; values: string[] }[];
}

/** The statements of a policy, which is a map, the text of one, or a single statement. */
export function statementsOf(policy: Json | undefined): Statement[] {
  const document = typeof policy === 'string' ? jsonInText(policy) : policy;
  if (Array.isArray(document)) return document.flatMap((one) => statementsOf(one));
  if (typeof document !== 'object' || document === null) return [];
  if (document.Statement !== undefined) return listOf(document.Statement).flatMap((one) => statementsOf(one));
  return document.Effect === undefined ? [] : [statementOf(document)];
}

function statementOf(json: Record<string, Json>): Statement {
  return {
    sid: typeof json.Sid === 'string' ? json.Sid : null,
    isAllow: String(json.Effect).toLowerCase() === 'allow',
    actions: textsOf(json.Action).map((action) => action.toLowerCase()),
    resources: textsOf(json.Resource),
    principals: principalsOf(json.Principal),
    conditions: mapOf(json.Condition).flatMap(([test, keys]) =>
      mapOf(keys).map(([key, values]) => ({
        test: test.toLowerCase(),
        key: key.toLowerCase(),
        values: textsOf(values),
      })),
    ),
  };
}

function principalsOf(principal: Json | undefined): Statement['principals'] {
  if (typeof principal === 'string') return [{ kind: '*', id: principal }];
  return mapOf(principal).flatMap(([kind, ids]) => textsOf(ids).map((id) => ({ kind, id })));
}

function mapOf(json: Json | undefined): [string, Json][] {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.entries(json) : [];
}

export function listOf(json: Json | undefined): Json[] {
  if (json === undefined || json === null) return [];
  return Array.isArray(json) ? json : [json];
}

export function textsOf(json: Json | undefined): string[] {
  return listOf(json).map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item)));
}

/** Whether a statement is about one of these actions, or about a pattern that includes it. */
export function isAbout({ actions }: Statement, ...names: string[]): boolean {
  return actions.some((action) =>
    names.some((name) => action === name || (action.endsWith('*') && name.startsWith(action.slice(0, -1)))),
  );
}

/** Whether anyone at all is a principal. */
export function isForAnyone({ principals }: Statement): boolean {
  return principals.some(({ kind, id }) => id === '*' && (kind === '*' || kind === 'AWS'));
}

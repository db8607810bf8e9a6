import { isRecord } from 'salvo/kit/text';
import { asList, asRecord, asText, firstText, type Loose } from '../loose-value.ts';
import { guardPlace, withoutValues } from './guard-message.ts';

/** A clause of a rule that a template did not meet. */
export interface GuardClause {
  /** `/Resources/Bucket/Properties/BucketEncryption`: as far as the template goes, then the missing part. */
  path: string;
  /** In the words of the rule's author. */
  message?: string | undefined;
  /** In cfn-guard's words. */
  error?: string | undefined;
  line?: number | undefined;
  /** The type of the resource, when the clause is about the whole resource. */
  type?: string | undefined;
}

/**
 * The failed clauses of a rule, including those inside blocks, alternatives and rules that it calls. A rule that is
 * called may fail with a message of its own, but the message of the rule that calls it says what is wrong. Uses a list
 * instead of recursion, since a report may be nested deeply enough to overflow the stack.
 */
export function failedClauses(rule: Loose): GuardClause[] {
  const clauses: GuardClause[] = [];
  const waiting = waitingChecks(rule, undefined);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { Clause, Disjunctions, Rule, Block } = asRecord(next.check);
    if (isRecord(Clause)) clauses.push({ ...readClause(Clause), ...next.said });
    if (isRecord(Block)) clauses.push({ ...readBlock(Block), ...next.said });
    for (const inner of waitingChecks(asRecord(Disjunctions ?? Rule), next.said)) waiting.push(inner);
  }
  return clauses;
}

interface WaitingCheck {
  check: unknown;
  /** The message of the outermost rule that has one. */
  said: { message: string } | undefined;
}

/** The checks of a rule, the last one first. */
function waitingChecks({ checks, messages }: Loose, outer: WaitingCheck['said']): WaitingCheck[] {
  const own = ruleMessage(messages);
  const said = outer ?? (own === undefined ? undefined : { message: own });
  return [...asList(checks)].reverse().map((check) => ({ check, said }));
}

export function ruleMessage(messages: unknown): string | undefined {
  const { custom_message, error_message } = asRecord(messages);
  return firstText(custom_message, error_message);
}

function readClause(clause: Loose): GuardClause {
  const { messages, check, context } = asRecord(clause.Unary ?? clause.Binary);
  const { Resolved, InResolved, UnResolved } = asRecord(check);
  const place = isRecord(UnResolved)
    ? unresolvedPlace(asRecord(UnResolved.value))
    : resolvedPlace(asRecord(Resolved ?? InResolved));
  return { ...place, ...readMessages(messages, context) };
}

/** A block that applied to nothing in the template. */
function readBlock({ messages, unresolved }: Loose): GuardClause {
  return { ...unresolvedPlace(asRecord(unresolved)), ...readMessages(messages, undefined) };
}

/** The line is given only in the error message. */
function readMessages(messages: unknown, context: unknown): Pick<GuardClause, 'message' | 'error' | 'line'> {
  const { custom_message, error_message } = asRecord(messages);
  const error = asText(error_message) ?? '';
  const asked = asText(context);
  return {
    message: asText(custom_message),
    error: withoutValues(error) ?? (asked === undefined ? undefined : `Check was not compliant: ${asked}`),
    line: guardPlace(error)?.line,
  };
}

function unresolvedPlace({ traversed_to, remaining_query }: Loose): GuardClause {
  const { path, value } = asRecord(traversed_to);
  const reached = asText(path) ?? '';
  const missing = asText(remaining_query)?.replaceAll('.', '/');
  return { path: missing === undefined ? reached : `${reached}/${missing}`, type: typeIn(reached, value) };
}

/** A comparison with a list has the place in the template on either side. */
function resolvedPlace({ value, from, to }: Loose): GuardClause {
  const places = [value, from, to].flat().map((place) => {
    const { path, value: found } = asRecord(place);
    return { path: asText(path) ?? '', found };
  });
  const { path = '', found } = places.find((place) => /^\/?Resources\//.test(place.path)) ?? places[0] ?? {};
  return { path, type: typeIn(path, found) };
}

function typeIn(path: string, value: unknown): string | undefined {
  return /^\/?Resources\/[^/]+$/.test(path) ? asText(asRecord(value).Type) : undefined;
}

import { isRecord } from '../../text/is-record.ts';
import { asLine, asList, asRecord, asText, type Loose } from './loose-value.ts';

/** A clause of a rule that a template did not meet. */
export interface GuardClause {
  /** `/Resources/Bucket/Properties/BucketEncryption`: as far as the template goes, then the missing part. */
  path: string;
  message?: string | undefined;
  line?: number | undefined;
  /** The type of the resource, when the clause is about the whole resource. */
  type?: string | undefined;
}

/**
 * The failed clauses among a rule's checks, including those inside blocks, alternatives and rules that it calls. Uses a
 * list instead of recursion, since a report may be nested deeply enough to overflow the stack.
 */
export function failedClauses(checks: unknown): GuardClause[] {
  const clauses: GuardClause[] = [];
  const waiting = [...asList(checks)].reverse();
  for (let check = waiting.pop(); check !== undefined; check = waiting.pop()) {
    const { Clause, Disjunctions, Rule, Block } = asRecord(check);
    if (isRecord(Clause)) clauses.push(readClause(Clause));
    if (isRecord(Block)) clauses.push(readBlock(Block));
    const inner = asList(asRecord(Disjunctions ?? Rule).checks);
    for (let index = inner.length - 1; index >= 0; index -= 1) waiting.push(inner[index] ?? null);
  }
  return clauses;
}

function readClause(clause: Loose): GuardClause {
  const body = asRecord(clause.Unary ?? clause.Binary);
  const messages = asRecord(body.messages);
  const { Resolved, InResolved, UnResolved } = asRecord(body.check);
  const error = asText(messages.error_message);
  const found = isRecord(UnResolved)
    ? unresolvedPlace(asRecord(UnResolved.value))
    : resolvedPlace(asRecord(Resolved ?? InResolved));
  return { ...found, message: asText(messages.custom_message) ?? withoutValue(error), line: lineIn(error) };
}

/** A block that applied to nothing in the template. */
function readBlock(block: Loose): GuardClause {
  const messages = asRecord(block.messages);
  const error = asText(messages.error_message);
  const found = unresolvedPlace(asRecord(block.unresolved));
  return { ...found, message: asText(messages.custom_message) ?? withoutValue(error), line: lineIn(error) };
}

function unresolvedPlace({ traversed_to, remaining_query }: Loose): GuardClause {
  const { path, value } = asRecord(traversed_to);
  const reached = asText(path) ?? '';
  const missing = asText(remaining_query);
  return { path: missing === undefined ? reached : `${reached}/${missing}`, type: typeIn(reached, value) };
}

function resolvedPlace({ value, from }: Loose): GuardClause {
  const place = asRecord(from ?? value);
  const path = asText(place.path) ?? '';
  return { path, type: typeIn(path, place.value) };
}

function typeIn(path: string, value: unknown): string | undefined {
  return /^\/?Resources\/[^/]+$/.test(path) ? asText(asRecord(value).Type) : undefined;
}

/** The error message quotes the template after this point. */
function withoutValue(message: string | undefined): string | undefined {
  const end = message?.search(/ Value traversed to | \[Path=/) ?? -1;
  return end < 0 ? message : message?.slice(0, end).trim();
}

/** The line is given only in the message. Old versions count lines from 0, which is close enough. */
function lineIn(message: string | undefined): number | undefined {
  return asLine(/\[L:(\d{1,9}),C:\d{1,9}\]/.exec(message ?? '')?.[1]);
}

import { isRecord } from '../../text/is-record.ts';
import { lineOf, listOf, recordOf, textOf } from './loose-value.ts';

/** A clause of a rule that a template did not meet. */
export interface GuardClause {
  /** `/Resources/Bucket/Properties/BucketEncryption`: as far as the template goes, then what it should have had. */
  path: string;
  message?: string | undefined;
  line?: number | undefined;
  /** Of the resource, when the clause is about the whole of it. */
  type?: string | undefined;
}

/**
 * The failed clauses among a rule's checks, also those inside of blocks, alternatives and rules that it calls. Goes
 * with a list of its own instead of recursing: to recurse would be to trust the depth.
 */
export function failedClauses(checks: unknown): GuardClause[] {
  const clauses: GuardClause[] = [];
  const waiting = [...listOf(checks)].reverse();
  for (let check = waiting.pop(); check !== undefined; check = waiting.pop()) {
    const { Clause, Disjunctions, Rule, Block } = recordOf(check);
    if (isRecord(Clause)) clauses.push(clauseOf(Clause));
    if (isRecord(Block)) clauses.push(blockClause(Block));
    const inner = listOf(recordOf(Disjunctions ?? Rule).checks);
    for (let index = inner.length - 1; index >= 0; index -= 1) waiting.push(inner[index] ?? null);
  }
  return clauses;
}

function clauseOf(clause: Record<string, unknown>): GuardClause {
  const body = recordOf(clause.Unary ?? clause.Binary);
  const messages = recordOf(body.messages);
  const { Resolved, InResolved, UnResolved } = recordOf(body.check);
  const error = textOf(messages.error_message);
  const found = isRecord(UnResolved)
    ? unresolved(recordOf(UnResolved.value))
    : resolved(recordOf(Resolved ?? InResolved));
  return { ...found, message: textOf(messages.custom_message) ?? withoutValue(error), line: lineIn(error) };
}

/** A block that found nothing to apply to. */
function blockClause(block: Record<string, unknown>): GuardClause {
  const messages = recordOf(block.messages);
  const error = textOf(messages.error_message);
  const found = unresolved(recordOf(block.unresolved));
  return { ...found, message: textOf(messages.custom_message) ?? withoutValue(error), line: lineIn(error) };
}

function unresolved({ traversed_to, remaining_query }: Record<string, unknown>): GuardClause {
  const { path, value } = recordOf(traversed_to);
  const reached = textOf(path) ?? '';
  const missing = textOf(remaining_query);
  return { path: missing === undefined ? reached : `${reached}/${missing}`, type: typeIn(reached, value) };
}

function resolved({ value, from }: Record<string, unknown>): GuardClause {
  const place = recordOf(from ?? value);
  const path = textOf(place.path) ?? '';
  return { path, type: typeIn(path, place.value) };
}

function typeIn(path: string, value: unknown): string | undefined {
  return /^\/?Resources\/[^/]+$/.test(path) ? textOf(recordOf(value).Type) : undefined;
}

/** The error quotes all of the template that it looked at. */
function withoutValue(message: string | undefined): string | undefined {
  const end = message?.search(/ Value traversed to | \[Path=/) ?? -1;
  return end < 0 ? message : message?.slice(0, end).trim();
}

/** The place is nowhere but in the words; old versions count lines from 0, which is near enough. */
function lineIn(message: string | undefined): number | undefined {
  return lineOf(/\[L:(\d{1,9}),C:\d{1,9}\]/.exec(message ?? '')?.[1]);
}

import { isRecord } from '../../text/is-record.ts';
import { type Loose, lineOf, listOf, recordOf, textOf } from './loose-value.ts';

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

function clauseOf(clause: Loose): GuardClause {
  const body = recordOf(clause.Unary ?? clause.Binary);
  const messages = recordOf(body.messages);
  const { Resolved, InResolved, UnResolved } = recordOf(body.check);
  const error = textOf(messages.error_message);
  const found = isRecord(UnResolved)
    ? unresolved(recordOf(UnResolved.value))
    : resolved(recordOf(Resolved ?? InResolved));
  return { ...found, message: textOf(messages.custom_message) ?? withoutValue(error), line: lineIn(error) };
}

/** A block that applied to nothing in the template. */
function blockClause(block: Loose): GuardClause {
  const messages = recordOf(block.messages);
  const error = textOf(messages.error_message);
  const found = unresolved(recordOf(block.unresolved));
  return { ...found, message: textOf(messages.custom_message) ?? withoutValue(error), line: lineIn(error) };
}

function unresolved({ traversed_to, remaining_query }: Loose): GuardClause {
  const { path, value } = recordOf(traversed_to);
  const reached = textOf(path) ?? '';
  const missing = textOf(remaining_query);
  return { path: missing === undefined ? reached : `${reached}/${missing}`, type: typeIn(reached, value) };
}

function resolved({ value, from }: Loose): GuardClause {
  const place = recordOf(from ?? value);
  const path = textOf(place.path) ?? '';
  return { path, type: typeIn(path, place.value) };
}

function typeIn(path: string, value: unknown): string | undefined {
  return /^\/?Resources\/[^/]+$/.test(path) ? textOf(recordOf(value).Type) : undefined;
}

/** The error message quotes the template after this point. */
function withoutValue(message: string | undefined): string | undefined {
  const end = message?.search(/ Value traversed to | \[Path=/) ?? -1;
  return end < 0 ? message : message?.slice(0, end).trim();
}

/** The line is given only in the message. Old versions count lines from 0, which is close enough. */
function lineIn(message: string | undefined): number | undefined {
  return lineOf(/\[L:(\d{1,9}),C:\d{1,9}\]/.exec(message ?? '')?.[1]);
}

import { DiagnosticsError } from '../../scenario/diagnostics/diagnostics-error.ts';
import { type LocatedValue, locate } from '../../scenario/diagnostics/located-value.ts';
import { diagnosticAt, type ProblemText } from '../../scenario/diagnostics/problem.ts';
import type { Place } from '../../text/errors/error-place.ts';
import { isRecord } from '../../text/json/is-record.ts';
import type { Span } from '../../text/source-text.ts';

/** The value under a key of a map, or at a position of a list; undefined if there is none, or if it is null. */
export function childOf(
  node: LocatedValue | undefined,
  ...path: readonly (string | number)[]
): LocatedValue | undefined {
  let at = node;
  for (const key of path) at = at?.children.get(key)?.node;
  return at === undefined || at.value === null || at.value === undefined ? undefined : at;
}

export function itemsOf(node: LocatedValue | undefined): LocatedValue[] {
  return Array.isArray(node?.value) ? [...node.children.values()].map((child) => child.node) : [];
}

/** The entries of a map. */
export function entriesOf(node: LocatedValue | undefined): [string, LocatedValue][] {
  if (!isRecord(node?.value)) return [];
  return [...node.children].map(([key, child]) => [String(key), child.node]);
}

export function textOf(node: LocatedValue | undefined): string | undefined {
  return typeof node?.value === 'string' ? node.value : undefined;
}

export function numberOf(node: LocatedValue | undefined): number | undefined {
  return typeof node?.value === 'number' && Number.isFinite(node.value) ? node.value : undefined;
}

export function placeOf({ span }: Pick<LocatedValue, 'span'>): Place {
  return { file: span.source.file, ...span.source.place(span.start) };
}

/** Where a key is written; the map itself if it has no such key. */
export function placeOfKey(node: LocatedValue, key: string): Place {
  return placeOf(locate(node, [key], 'key'));
}

/** A value that has one place for all that is in it, such as one that code returned. */
export function locatedAt(value: unknown, span: Span): LocatedValue {
  const parts: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isRecord(value)
      ? Object.entries(value)
      : [];
  const children = new Map(parts.map(([key, part]) => [key, { node: locatedAt(part, span) }]));
  return { value, span, children, size: 1, height: 0, broken: false };
}

/** A map of values that have their own places. */
export function locatedMap(entries: Iterable<readonly [string, LocatedValue]>, span: Span): LocatedValue {
  const children = new Map([...entries].map(([key, node]) => [key, { node }]));
  const value = Object.fromEntries([...children].map(([key, { node }]) => [key, node.value]));
  return { value, span, children, size: 1, height: 0, broken: false };
}

export function locatedList(items: readonly LocatedValue[], span: Span): LocatedValue {
  const children = new Map(items.map((node, index) => [index, { node }]));
  return { value: items.map(({ value }) => value), span, children, size: 1, height: 0, broken: false };
}

/** The error of a problem in a file, which ends the command. */
export function problemAt({ span }: Pick<LocatedValue, 'span'>, problem: ProblemText): DiagnosticsError {
  return new DiagnosticsError([diagnosticAt(span, problem)]);
}

import { hash } from 'node:crypto';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { remembered } from '../../text/memo.ts';
import { readShare } from '../../text/share.ts';
import { aValue } from '../../text/words/value-words.ts';
import type { Assertion } from '../schema/assertion-schema.ts';
import { anyAssertionSchema } from '../schema/assertion-types.ts';
import { type Quarantine, readQuarantine } from '../schema/quarantine-schema.ts';
import type { Scenario } from '../schema/scenario-schema.ts';
import type { DataRow } from './template.ts';

/** What a row says about its case, besides the values for templates. */
export interface CaseFields {
  /** Its own name, or the number of the row, from 1. */
  name: string;
  tags: string[];
  /** Why it does not run; null if it runs. */
  skip: string | null;
  threshold: number | null;
  trials: number | null;
  quarantine: Quarantine | null;
}

/** Columns with a meaning of their own. Templates can name them, too. */
export const RESERVED_COLUMNS = ['name', 'tags', 'skip', 'threshold', 'trials', 'quarantine', 'assertions'] as const;

type Reserved = (typeof RESERVED_COLUMNS)[number];

const LONGEST_NAME = 200;
const MOST_TRIALS = 1_000_000;

/** The fields of a row that was checked. */
export function caseFields(row: DataRow, index: number): CaseFields {
  return {
    name: nameOf(given(row, 'name')) ?? String(index + 1),
    tags: tagsOf(given(row, 'tags')) ?? [],
    skip: skipOf(given(row, 'skip')),
    threshold: readShare(given(row, 'threshold')),
    trials: trialsOf(given(row, 'trials')),
    quarantine: readQuarantine(given(row, 'quarantine')),
  };
}

/** What a reserved column can be, and how it is read; null if it is wrong. */
const READERS: Record<Reserved, { expected: string; read: (value: unknown) => unknown }> = {
  name: { expected: `a text of at most ${LONGEST_NAME} characters`, read: nameOf },
  tags: { expected: 'a list of texts, or one text with commas', read: tagsOf },
  skip: { expected: 'the reason why it is skipped, or true', read: (skip) => skip === false || skipOf(skip) },
  threshold: { expected: 'a share such as 0.8 or 80%', read: readShare },
  trials: { expected: `a whole number from 1 to ${MOST_TRIALS}`, read: trialsOf },
  quarantine: {
    expected: 'the last day and the reason, such as "2026-12-31 waits for issue 7" or {until: 2026-12-31, reason: ...}',
    read: readQuarantine,
  },
  assertions: { expected: 'a list of assertions, or its JSON text', read: assertionsOf },
};

/** What is wrong with the reserved columns of a row. */
export function caseFieldProblems(row: DataRow): { column: Reserved; message: string }[] {
  return RESERVED_COLUMNS.flatMap((column) => {
    const value = given(row, column);
    const { expected, read } = READERS[column];
    if (value === undefined || read(value) !== null) return [];
    return [{ column, message: `"${column}" should be ${expected}, but is ${aValue(value)}` }];
  });
}

/** The first text of a row, by which people know it if it has no name; null if it has none. */
export function firstText(row: DataRow): string | null {
  const reserved: ReadonlySet<string> = new Set(RESERVED_COLUMNS);
  const isText = ([column, value]: [string, unknown]) =>
    !reserved.has(column) && typeof value === 'string' && value.trim() !== '';
  const text = Object.entries(row).find(isText)?.[1];
  return typeof text === 'string' ? text.trim() : null;
}

/** The content of a row: neither what its case is called nor how and whether it runs. */
export function rowContent(row: DataRow): string {
  const reserved: ReadonlySet<string> = new Set(RESERVED_COLUMNS);
  return JSON.stringify(
    Object.entries(row)
      .filter(([column]) => !reserved.has(column))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Values of a column that do not hold a row out. */
const NOT_HELD_OUT: ReadonlySet<unknown> = new Set([undefined, null, false, 0, '', 'false', 'no', '0']);

/**
 * Whether a row is held out: by the column that says so, or by its content alone, so that a row stays on its side when
 * others are added, moved or renamed.
 */
export function isHeldOut(row: DataRow, holdout: number | string | undefined): boolean {
  if (holdout === undefined) return false;
  if (typeof holdout === 'string') return !NOT_HELD_OUT.has(Object.hasOwn(row, holdout) ? row[holdout] : undefined);
  return Number.parseInt(hash('sha256', rowContent(row)).slice(0, 12), 16) / 2 ** 48 < holdout;
}

/** Undefined for an empty cell: the row does not set the column. */
function given(row: DataRow, column: Reserved): unknown {
  const cell = Object.hasOwn(row, column) ? row[column] : undefined;
  return cell === null || cell === '' ? undefined : cell;
}

function nameOf(name: unknown): string | null {
  if (typeof name === 'number' || typeof name === 'boolean') return String(name);
  return typeof name === 'string' && name.trim() !== '' && name.length <= LONGEST_NAME ? name : null;
}

function tagsOf(tags: unknown): string[] | null {
  if (typeof tags === 'string') {
    return tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
  }
  if (!Array.isArray(tags)) return null;
  const texts = tags.filter((tag) => typeof tag === 'string' && tag !== '');
  return texts.length === tags.length ? texts : null;
}

function skipOf(skip: unknown): string | null {
  return typeof skip === 'string' ? skip : skip === true ? 'no reason given' : null;
}

/** The list itself, or that of a JSON text; a map is a list of one. Null for anything else. */
export function assertionsOf(written: unknown): unknown[] | null {
  const value = typeof written === 'string' ? jsonOrUndefined(written) : written;
  return Array.isArray(value) ? value : isRecord(value) ? [value] : null;
}

function trialsOf(trials: unknown): number | null {
  const isCount = typeof trials === 'number' && Number.isInteger(trials) && trials >= 1 && trials <= MOST_TRIALS;
  return isCount ? trials : null;
}

const NONE: Assertion[] = [];

/** Rows are never changed. */
const known = new WeakMap<DataRow, Assertion[]>();

/** The assertions of a row of a scenario that was checked, which come after those of the scenario. */
export function rowAssertions(row: DataRow): Assertion[] {
  if (!Array.isArray(row.assertions)) return NONE;
  const written: readonly unknown[] = row.assertions;
  return remembered(known, row, () =>
    written.flatMap((assertion) => anyAssertionSchema.safeParse(assertion).data ?? []),
  );
}

/** The assertions of a scenario and of all its rows. Those of rows may be equal. */
export function everyAssertion({ assertions, data = [] }: Pick<Scenario, 'assertions' | 'data'>): Assertion[] {
  const own = data.flatMap(rowAssertions);
  return own.length === 0 ? assertions : [...assertions, ...own];
}

import { readShare } from '../../text/share.ts';
import { aValue } from '../../text/words/value-words.ts';
import { type Quarantine, readQuarantine } from '../schema/quarantine-schema.ts';
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
export const RESERVED_COLUMNS = ['name', 'tags', 'skip', 'threshold', 'trials', 'quarantine'] as const;

type Reserved = (typeof RESERVED_COLUMNS)[number];

const LONGEST_NAME = 200;
const MOST_TRIALS = 1_000_000;

/** The fields of a row that was checked. */
export function caseFields(row: DataRow, index: number): CaseFields {
  const { name, tags, skip, threshold, trials, quarantine } = given(row);
  return {
    name: nameOf(name) ?? String(index + 1),
    tags: tagsOf(tags) ?? [],
    skip: typeof skip === 'string' ? skip : skip === true ? 'no reason given' : null,
    threshold: readShare(threshold),
    trials: typeof trials === 'number' ? trials : null,
    quarantine: readQuarantine(quarantine),
  };
}

/** What is wrong with the reserved columns of a row. */
export function caseFieldProblems(row: DataRow): { column: Reserved; message: string }[] {
  const values = given(row);
  const wrong: Record<Reserved, string | null> = {
    name: nameOf(values.name) === null ? `a text of at most ${LONGEST_NAME} characters` : null,
    tags: tagsOf(values.tags) === null ? 'a list of texts, or one text with commas' : null,
    skip: ['string', 'boolean'].includes(typeof values.skip) ? null : 'the reason why it is skipped, or true',
    threshold: readShare(values.threshold) === null ? 'a share such as 0.8 or 80%' : null,
    trials: isTrials(values.trials) ? null : `a whole number from 1 to ${MOST_TRIALS}`,
    quarantine:
      readQuarantine(values.quarantine) === null
        ? 'the last day and the reason, such as "2026-12-31 waits for issue 7" or {until: 2026-12-31, reason: ...}'
        : null,
  };
  return RESERVED_COLUMNS.flatMap((column) => {
    const expected = wrong[column];
    if (expected === null || values[column] === undefined) return [];
    return [{ column, message: `"${column}" should be ${expected}, but is ${aValue(values[column])}` }];
  });
}

/** An empty cell is a column that the row does not set. */
function given(row: DataRow): Record<Reserved, unknown> {
  const value = (column: Reserved): unknown => {
    const cell = Object.hasOwn(row, column) ? row[column] : undefined;
    return cell === null || cell === '' ? undefined : cell;
  };
  return {
    name: value('name'),
    tags: value('tags'),
    skip: value('skip'),
    threshold: value('threshold'),
    trials: value('trials'),
    quarantine: value('quarantine'),
  };
}

/** Undefined if it is not set, null if it is wrong. */
function nameOf(name: unknown): string | null | undefined {
  if (name === undefined) return undefined;
  if (typeof name === 'number' || typeof name === 'boolean') return String(name);
  return typeof name === 'string' && name.trim() !== '' && name.length <= LONGEST_NAME ? name : null;
}

function tagsOf(tags: unknown): string[] | null | undefined {
  if (tags === undefined) return undefined;
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

function isTrials(trials: unknown): boolean {
  return typeof trials === 'number' && Number.isInteger(trials) && trials >= 1 && trials <= MOST_TRIALS;
}

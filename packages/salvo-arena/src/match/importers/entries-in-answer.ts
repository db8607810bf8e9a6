import { isNestedTooDeeply, isRecord, jsonValuesIn } from 'salvo/kit/text';
import { readJsonStream } from 'salvo/kit/text-files';
import { JudgeError } from '../claims/judge-error.ts';
import { entriesOf, isEntry } from './entries-of.ts';
import { importerFor } from './importers.ts';
import { jsonLooksLike } from './json-looks-like.ts';

/** What an answer reports: its own list, or the report of a scanner. */
export type AnswerEntries = { entries: readonly unknown[] } | { report: unknown };

/**
 * The entries in an agent's answer: the first list of findings, or else findings that are given one by one, or else an
 * empty list. An empty list comes last, because answers quote other lists before their own.
 */
export function entriesInAnswer(answer: string, keys: readonly string[]): AnswerEntries {
  if (answer.trim() === '')
    throw new JudgeError('FINDINGS_INVALID', 'The answer is empty: it should list the findings as JSON.');
  const values = valuesIn(answer);
  let empty: AnswerEntries | null = null;
  let unusual: AnswerEntries | null = null;
  const single: unknown[] = [];
  for (const value of values) {
    if (isEntry(value) && !keys.some((key) => Array.isArray(value[key]))) {
      single.push(value);
      continue;
    }
    if (importerFor(value)) return { report: value };
    const entries = entriesOf({ value }, keys) ?? unnamedList(value);
    if (!entries) continue;
    if (entries.some((entry) => isEntry(entry))) return { entries };
    if (entries.length === 0) empty ??= { entries };
    else if (isRecord(value) || entries.some(isRecord)) unusual ??= { entries };
  }
  if (single.length > 0) return { entries: single };
  const last = empty ?? unusual;
  if (last) return last;
  throw new JudgeError('FINDINGS_INVALID', `The answer holds no findings: ${describeContent(values)}. ${EXPECTED}`);
}

const EXPECTED = 'It should list them as JSON: {"findings": [{"type": "...", "resource": "...", "severity": "..."}]}.';

/** The only list of findings in an object, under any name: models invent names. */
function unnamedList(value: unknown): readonly unknown[] | null {
  if (!isRecord(value)) return null;
  const inside = Object.values(value).flatMap((held) => (isRecord(held) ? Object.values(held) : [held]));
  const lists = inside.filter((held) => Array.isArray(held)).filter((held) => held.some(isEntry));
  return lists.length === 1 ? (lists[0] ?? null) : null;
}

/** Every value once: both ways of searching find many of the same values. */
function valuesIn(answer: string): unknown[] {
  const whole = wholeValue(answer);
  if (whole !== undefined) return isNestedTooDeeply(whole) ? [] : [whole];
  const stream = readJsonStream(answer.replace(/^\uFEFF/, '')).values;
  const seen = new Set<string>();
  return [...stream, ...jsonValuesIn(answer)].filter((value) => {
    if (isNestedTooDeeply(value)) return false;
    const written = JSON.stringify(value);
    return seen.has(written) ? false : seen.add(written);
  });
}

/** An answer that consists of JSON only may have any length. */
function wholeValue(answer: string): unknown {
  try {
    return JSON.parse(answer.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function describeContent(values: readonly unknown[]): string {
  const [first] = values;
  return values.length === 0
    ? 'there is no JSON in it that can be read'
    : `its JSON looks like ${jsonLooksLike(first)}`;
}

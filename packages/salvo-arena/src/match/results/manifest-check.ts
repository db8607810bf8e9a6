import { isRecord } from 'salvo/kit/text';
import { JudgeError } from '../claims/judge-error.ts';
import type { OutsideEvidence } from './score-results.ts';

/**
 * Which vulnerabilities were found to be in the code: the ids of those that are (all others are not), true or false by
 * id (an id that is missing was not checked), or true or false in the order of the manifest.
 */
export type ConfirmedInput =
  | readonly string[]
  | ReadonlySet<string>
  | readonly boolean[]
  | Readonly<Record<string, boolean>>;

type ManifestCheck = Pick<OutsideEvidence, 'manifestAccuracy' | 'phantoms' | 'adjustedRecall' | 'phantomConcordance'>;

export const UNCHECKED: ManifestCheck = {
  manifestAccuracy: null,
  phantoms: null,
  adjustedRecall: null,
  phantomConcordance: null,
};

/** What a check of the manifest says about it and about Blue. A phantom is a vulnerability that is not in the code. */
export function checkManifest(
  confirmed: ConfirmedInput,
  vulnerabilities: readonly { id: string; found: boolean }[],
): ManifestCheck {
  const isReal = realityByIndex(
    confirmed,
    vulnerabilities.map(({ id }) => id),
  );
  const checked = vulnerabilities.map((vulnerability, index) => ({ ...vulnerability, real: isReal(index) }));
  const real = checked.filter((each) => each.real === true);
  const phantoms = checked.filter((each) => each.real === false);
  return {
    manifestAccuracy: share(real.length, real.length + phantoms.length),
    phantoms: phantoms.map(({ id }) => id),
    adjustedRecall: share(real.filter(({ found }) => found).length, real.length),
    phantomConcordance: share(phantoms.filter(({ found }) => found).length, phantoms.length),
  };
}

/** Whether the vulnerability at an index is real; null when it was not checked. */
function realityByIndex(given: unknown, ids: readonly string[]): (index: number) => boolean | null {
  const confirmed = given instanceof Set ? [...given] : given;
  // A Map has no own enumerable keys: read as a record it would confirm nothing.
  if (confirmed instanceof Map) throw badConfirmed('it is a Map');
  if (isRecord(confirmed)) {
    refuseUnknown(Object.keys(confirmed), ids);
    return (index) => {
      const id = ids[index] ?? '';
      return Object.hasOwn(confirmed, id) ? requireBoolean(confirmed[id]) : null;
    };
  }
  if (!Array.isArray(confirmed)) throw badConfirmed('it is neither a list nor an object');
  const list: readonly unknown[] = confirmed;
  if (list.some((each) => typeof each === 'boolean')) {
    if (list.length !== ids.length) {
      throw badConfirmed(`it has ${list.length} entries for ${ids.length} vulnerabilities: one for each is needed`);
    }
    return (index) => requireBoolean(list[index]);
  }
  const named = new Set(list.filter((each) => typeof each === 'string'));
  if (list.some((each) => typeof each !== 'string'))
    throw badConfirmed('its entries must be all ids, or all true or false');
  refuseUnknown(named, ids);
  return (index) => named.has(ids[index] ?? '');
}

function requireBoolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw badConfirmed('its entries must be all ids, or all true or false');
  return value;
}

/** A mistyped id would turn a real vulnerability into a phantom. */
function refuseUnknown(named: Iterable<string>, ids: readonly string[]): void {
  const known = new Set(ids);
  for (const id of named) {
    if (!known.has(id)) throw badConfirmed(`the manifest has no vulnerability with the id ${JSON.stringify(id)}`);
  }
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function badConfirmed(problem: string): JudgeError {
  return new JudgeError(
    'OPTIONS_INVALID',
    `confirmed: ${problem}. Give the ids that were confirmed, or true or false for each vulnerability.`,
  );
}

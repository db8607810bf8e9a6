import { isRecord } from '../../text/is-record.ts';
import { JudgeError } from '../claims/judge-error.ts';
import type { AnchorInput } from './outside-evidence-input.ts';
import type { Anchors } from './score-results.ts';

type ManifestCheck = Pick<Anchors, 'manifestAccuracy' | 'phantoms' | 'adjustedRecall' | 'phantomConcordance'>;

export const UNCHECKED: ManifestCheck = {
  manifestAccuracy: null,
  phantoms: null,
  adjustedRecall: null,
  phantomConcordance: null,
};

/** What a check of the manifest says about it and about Blue. A phantom is a vulnerability that is not in the code. */
export function manifestCheck(
  confirmed: NonNullable<AnchorInput['confirmed']>,
  vulnerabilities: readonly { id: string; found: boolean }[],
): ManifestCheck {
  const isReal = realityOf(
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

/** Null: not checked. */
function realityOf(given: unknown, ids: readonly string[]): (index: number) => boolean | null {
  const confirmed = given instanceof Set ? [...given] : given;
  // Its entries are no keys, so that it would confirm nothing.
  if (confirmed instanceof Map) throw wrong('it is a Map');
  if (isRecord(confirmed)) {
    refuseUnknown(Object.keys(confirmed), ids);
    return (index) => {
      const id = ids[index] ?? '';
      return Object.hasOwn(confirmed, id) ? truth(confirmed[id]) : null;
    };
  }
  if (!Array.isArray(confirmed)) throw wrong('it is neither a list nor an object');
  const list: readonly unknown[] = confirmed;
  if (list.some((each) => typeof each === 'boolean')) {
    if (list.length !== ids.length) {
      throw wrong(`it has ${list.length} entries for ${ids.length} vulnerabilities: one for each is needed`);
    }
    return (index) => truth(list[index]);
  }
  const named = new Set(list.filter((each) => typeof each === 'string'));
  if (list.some((each) => typeof each !== 'string')) throw wrong('its entries must be all ids, or all true or false');
  refuseUnknown(named, ids);
  return (index) => named.has(ids[index] ?? '');
}

function truth(value: unknown): boolean {
  if (typeof value !== 'boolean') throw wrong('its entries must be all ids, or all true or false');
  return value;
}

/** A mistyped id would make a phantom of a real vulnerability. */
function refuseUnknown(named: Iterable<string>, ids: readonly string[]): void {
  const known = new Set(ids);
  for (const id of named) {
    if (!known.has(id)) throw wrong(`the manifest has no vulnerability with the id ${JSON.stringify(id)}`);
  }
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function wrong(problem: string): JudgeError {
  return new JudgeError(
    'bad_option',
    `confirmed: ${problem}. Give the ids that were confirmed, or true or false for each vulnerability.`,
  );
}

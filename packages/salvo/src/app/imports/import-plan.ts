import { hash } from 'node:crypto';
import type { ImportedConversation } from '../../imports/import-format.ts';
import { cutEnd } from '../../text/words/cut-text.ts';

/** Where a conversation is stored. */
export interface ImportPlace {
  suite: number;
  case: number;
  caseName: string;
  trial: number;
}

interface CaseNumbers {
  index: number;
  /** How many trials it has; they have the numbers from 1 on unless `taken` says otherwise. */
  count: number;
  taken: Set<number> | null;
  /** No lower number is free. */
  lowest: number;
}

export interface PlannedSuite {
  name: string;
  cases: Map<string, CaseNumbers>;
  models: Set<string>;
  /** How often the name of a conversation that is a case of its own was there before. */
  names: Map<string, number>;
}

/** What of a conversation decides where it is stored. */
export interface PlacedBy {
  suite: string | null;
  case: string | null;
  /** What it is called if it is a case of its own. */
  ownName: string;
  trial: number | null;
}

const LONGEST_NAME = 200;
const MOST_TRIALS = 1_000_000;

/**
 * Gives each conversation its scenario, case and trial. The same conversations in the same order get the same places.
 * `firstTrial` is 0 if the files count trials from 0.
 */
export function createImportPlan({ name, firstTrial }: { name: string; firstTrial: number }) {
  const suites: PlannedSuite[] = [];
  const bySuite = new Map<string | null, number>();
  let least = Number.POSITIVE_INFINITY;
  const suiteOf = (suite: string | null): number => {
    const known = bySuite.get(suite);
    if (known !== undefined) return known;
    bySuite.set(suite, suites.length);
    suites.push({ name: shortName(suite ?? name), cases: new Map(), models: new Set(), names: new Map() });
    return suites.length - 1;
  };
  return {
    suites,
    /** The least number of a trial that a file gave. */
    leastTrial: () => least,
    place(
      { suite, case: given, ownName, trial }: PlacedBy,
      { trace }: Pick<ImportedConversation, 'trace'>,
    ): ImportPlace {
      const at = suiteOf(suite);
      const planned = suites[at];
      if (!planned) throw new RangeError(`there is no scenario ${at}`);
      const { cases, models } = planned;
      if (models.size < 3) models.add(trace.model);
      const caseName = given === null ? freeName(planned, shortName(ownName)) : shortName(given);
      const numbers = cases.get(caseName) ?? { index: cases.size, count: 0, taken: null, lowest: 1 };
      cases.set(caseName, numbers);
      if (trial !== null) least = Math.min(least, trial);
      const wanted = trial === null ? null : trial + 1 - firstTrial;
      return { suite: at, case: numbers.index, caseName, trial: takeNumber(numbers, wanted) };
    },
  };
}

/** The wanted number if it is free, else the lowest that is. */
function takeNumber(numbers: CaseNumbers, wanted: number | null): number {
  const next = numbers.count + 1;
  const isPossible = wanted !== null && Number.isInteger(wanted) && wanted >= 1 && wanted <= MOST_TRIALS;
  numbers.count = next;
  if (numbers.taken === null && (!isPossible || wanted === next)) return next;
  numbers.taken ??= new Set(Array.from({ length: next - 1 }, (_, index) => index + 1));
  while (numbers.taken.has(numbers.lowest)) numbers.lowest += 1;
  const number = isPossible && !numbers.taken.has(wanted) ? wanted : numbers.lowest;
  numbers.taken.add(number);
  return number;
}

/** Long names are shortened so that different ones stay different. Blank ones get a name. */
function shortName(name: string): string {
  const text = name.trim() === '' ? 'unnamed' : name.trim();
  if (text.length <= LONGEST_NAME) return text;
  return `${cutEnd(text, LONGEST_NAME - 20, '…')} ${hash('sha256', text, 'hex').slice(0, 12)}`;
}

function freeName({ cases, names }: PlannedSuite, name: string): string {
  let count = names.get(name) ?? 0;
  let free = name;
  do {
    count += 1;
    free = count === 1 ? name : `${cutEnd(name, LONGEST_NAME - 12, '…')} (${count})`;
  } while (cases.has(free));
  // Only names that are there more than once have to be counted.
  if (count > 1) names.set(name, count);
  return free;
}

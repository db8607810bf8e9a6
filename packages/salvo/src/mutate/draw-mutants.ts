import type { OperatorName } from '../scenario/schema/shared-fields.ts';
import { seededRandom } from '../stats/seeded-random.ts';
import { remembered } from '../text/memo.ts';
import { isSkip, type Operator, type Site } from './mutant.ts';
import { OPERATORS } from './operators/operators.ts';
import type { Original } from './originals.ts';

/** A mutant that can be made. */
export interface PlannedMutant {
  original: Original;
  operator: Operator;
  site: Site;
  /** Identifies what is changed in which case, in every run. */
  key: string;
}

export interface Skipped {
  operator: OperatorName;
  reason: string;
  traces: number;
}

export interface PossibleMutants {
  /** In the order in which they are tried. */
  mutants: PlannedMutant[];
  skipped: Skipped[];
}

/** More mutants of one trace by one operator say little more. */
const MOST_SITES = 3;

/** All mutants of some traces, in an order that is fair to operators and cases: one of each in turn. */
export function possibleMutants(originals: readonly Original[], seed: number): PossibleMutants {
  const groups = new Map<string, PlannedMutant[]>();
  const skipped = new Map<string, Skipped>();
  for (const original of originals) {
    for (const operator of OPERATORS) {
      if (original.ignored.has(operator.name)) continue;
      const { name } = operator;
      const sites = original.canBePlayed ? operator.sites(original.subject) : withoutPlaying(operator, original);
      if (isSkip(sites)) {
        const known = remembered(skipped, `${name} ${sites.skip}`, () => ({
          operator: name,
          reason: sites.skip,
          traces: 0,
        }));
        known.traces += 1;
        continue;
      }
      const place = `${original.scenario}/${original.case ?? ''}/${name}`;
      const group = remembered(groups, place, (): PlannedMutant[] => []);
      const few = sites.length <= MOST_SITES ? sites : shuffled(sites, seededRandom(seed, place, original.trialNumber));
      for (const site of few.slice(0, MOST_SITES))
        group.push({ original, operator, site, key: keyOf(original, name, site) });
    }
  }
  return {
    mutants: inTurns([...groups].map(([place, group]) => shuffled(group, seededRandom(seed, place)))),
    skipped: [...skipped.values()],
  };
}

/** Where the state of changed calls is not known, only changes of the answer are. */
function withoutPlaying(operator: Operator, { subject }: Original) {
  const sites = operator.sites(subject);
  if (isSkip(sites) || !CALL_OPERATORS.has(operator.name)) return sites;
  return { skip: 'the calls cannot be played, so the state after other calls is not known' };
}

const CALL_OPERATORS: ReadonlySet<OperatorName> = new Set([
  ...(['call_dropped', 'lookup_dropped', 'call_repeated', 'call_moved', 'other_id', 'other_amount'] as const),
  ...(['call_after_error', 'failed_call_ignored', 'forbidden_call', 'extra_read', 'reads_reordered'] as const),
]);

function keyOf({ name, case: row }: Original, operator: OperatorName, { label }: Site): string {
  return [name, ...(row === null ? [] : [row]), operator, label].join(' / ');
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

/** The first of each group, then the second of each, and so on. */
function inTurns<T>(groups: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, turn) => groups.flatMap((group) => group.slice(turn, turn + 1)));
  return turns.flat();
}

import { clusterRate } from '../stats/agreement/cluster-rate.ts';
import { remembered } from '../text/memo.ts';
import type { Skipped } from './draw-mutants.ts';
import type { ListedMutant, MutantShare, MutantTally, MutateDocument } from './mutate-document.ts';
import { OPERATORS } from './operators/operators.ts';
import type { Original } from './originals.ts';
import { traceDiff } from './trace-diff.ts';
import type { Outcome, TriedMutant } from './try-mutants.ts';

type Counted = Pick<TriedMutant, 'outcome' | 'original'>;

export function tallyOf(mutants: readonly Counted[]): MutantTally {
  const countOf = (outcome: Outcome) => mutants.filter((each) => each.outcome === outcome).length;
  return {
    noticed: countOf('noticed'),
    survived: countOf('survived'),
    accepted: countOf('accepted'),
    wrongly_failed: countOf('wrongly_failed'),
    unscored: countOf('unscored'),
  };
}

export function ratesOf(mutants: readonly Counted[]): { score: MutantShare; strictness: MutantShare } {
  return {
    score: shareOf(mutants, 'noticed', 'survived'),
    strictness: shareOf(mutants, 'wrongly_failed', 'accepted'),
  };
}

/** Mutants of one case are alike, so the interval is over cases. */
function shareOf(mutants: readonly Counted[], counted: Outcome, other: Outcome): MutantShare {
  const items = mutants.flatMap(({ outcome, original }) =>
    outcome === counted || outcome === other
      ? [{ isTrue: outcome === counted, cluster: `${original.scenario}/${original.case ?? ''}` }]
      : [],
  );
  const rate = clusterRate(items);
  if (!rate) return null;
  return { value: rate.rate, interval: rate.interval, cases: new Set(items.map(({ cluster }) => cluster)).size };
}

export function operatorLines(
  mutants: readonly TriedMutant[],
  skipped: readonly Skipped[],
): MutateDocument['operators'] {
  const byOperator = Map.groupBy(mutants, ({ operator }) => operator.name);
  return OPERATORS.map(({ name, must }) => {
    const own = byOperator.get(name) ?? [];
    const reasons = skipped.filter(({ operator }) => operator === name);
    return {
      ...{ name, must, ...ratesOf(own), ...tallyOf(own) },
      skipped: reasons.map(({ reason, traces }) => ({ reason, traces })).sort((a, b) => b.traces - a.traces),
    };
  });
}

export function scenarioLines(
  mutants: readonly TriedMutant[],
  originals: readonly Original[],
  asksJudges: boolean,
): MutateDocument['scenarios'] {
  const byScenario = Map.groupBy(mutants, ({ original }) => original.scenario);
  return [...Map.groupBy(originals, ({ scenario }) => scenario)].flatMap(([index, own]) => {
    const [first] = own;
    if (!first) return [];
    const tried = byScenario.get(index) ?? [];
    const { assertions, mutate } = first.judged.scenario;
    const ignored = Object.entries(mutate?.ignore ?? {}).flatMap(([operator, reason]) => {
      const known = OPERATORS.find(({ name }) => name === operator);
      return known && reason !== undefined ? [{ operator: known.name, reason }] : [];
    });
    const judges = assertions.filter(({ type }) => type === 'judge').map(({ id, type }) => id ?? type);
    return [
      {
        ...{ name: first.name, file: first.file, traces: own.length, ...ratesOf(tried), ...tallyOf(tried), ignored },
        tools_without_effect: toolsWithoutEffect(own),
        judges_left_out: asksJudges ? [] : judges,
      },
    ];
  });
}

function toolsWithoutEffect(originals: readonly Original[]): string[] {
  const named = originals.flatMap(({ trace, subject }) => [
    ...trace.tool_calls_made.filter((call) => subject.effectOf(call) === undefined).map(({ name }) => name),
    ...subject.scenario.tools.filter(({ name, effect }) => name !== '' && effect === undefined).map(({ name }) => name),
  ]);
  return [...new Set(named)];
}

/** No operator changes what these look at. */
const UNCHANGED: ReadonlySet<string> = new Set([
  ...['cost_limit', 'latency_limit', 'step_latency', 'step_cost', 'conversation_ended', 'given', 'command_succeeds'],
  ...['file_contains', 'file_not_contains', 'file_matches', 'file_not_matches', 'file_unchanged', 'findings'],
]);

export function assertionLines(
  mutants: readonly TriedMutant[],
  originals: readonly Original[],
  asksJudges: boolean,
): MutateDocument['assertions'] {
  const lines = new Map<string, AssertionLine>();
  for (const { scenario, name, judged } of originals) {
    for (const { id = '', type } of judged.scenario.assertions) {
      const isAsked = type !== 'judge' || asksJudges;
      remembered(lines, `${scenario} ${id}`, () => new AssertionLine(name, id, type, isAsked && !UNCHANGED.has(type)));
    }
  }
  for (const { original, operator, outcome, results } of mutants) {
    const failed = results.filter(({ status, passed }) => status === 'scored' && !passed);
    for (const result of results) {
      const line = lines.get(`${original.scenario} ${result.assertion_id}`);
      const isFailed = failed.includes(result);
      if (outcome === 'wrongly_failed' && isFailed && line) line.wronglyFailed += 1;
      if (operator.must === 'fail')
        line?.add(operator.name, result.status === 'unscored' ? 'unscored' : isFailed ? 'noticed' : 'missed');
      if (outcome === 'noticed' && isFailed && failed.length === 1 && line) line.alone += 1;
    }
  }
  return [...lines.values()].map((line) => line.document());
}

class AssertionLine {
  wronglyFailed = 0;
  alone = 0;
  readonly #names: { scenario: string; id: string; type: string; tried: boolean };
  readonly #operators = new Map<string, MutateDocument['assertions'][number]['operators'][number]>();

  constructor(scenario: string, id: string, type: string, tried: boolean) {
    this.#names = { scenario, id, type, tried };
  }

  add(name: (typeof OPERATORS)[number]['name'], what: 'noticed' | 'missed' | 'unscored'): void {
    const line = remembered(this.#operators, name, () => ({ name, noticed: 0, missed: 0, unscored: 0 }));
    line[what] += 1;
  }

  document(): MutateDocument['assertions'][number] {
    const operators = [...this.#operators.values()];
    const noticed = operators.reduce((sum, each) => sum + each.noticed, 0);
    const { scenario, id, type, tried } = this.#names;
    return { scenario, id, type, noticed, alone: this.alone, wrongly_failed: this.wronglyFailed, tried, operators };
  }
}

/** Longer lists are for nobody, and would make the stored document large. */
const MOST_LISTED = 200;

export function listedMutants(
  mutants: readonly TriedMutant[],
  outcome: Outcome,
): { listed: TriedMutant[]; more: number } {
  const all = mutants.filter((each) => each.outcome === outcome);
  return { listed: all.slice(0, MOST_LISTED), more: Math.max(0, all.length - MOST_LISTED) };
}

export function mutantLine({ key, original, operator, site, trace }: TriedMutant): ListedMutant {
  const { name: scenario, case: row, trialNumber: trial_number } = original;
  const diff = traceDiff(original.trace, trace);
  return { key, scenario, case: row, trial_number, operator: operator.name, note: site.note, diff };
}

/** Why mutants could not be scored, the most frequent reason first. */
export function unscoredReasons(mutants: readonly TriedMutant[]): MutateDocument['unscored'] {
  const reasons = new Map<string, number>();
  for (const { outcome, results } of mutants) {
    if (outcome !== 'unscored') continue;
    const open = results.find(({ status }) => status === 'unscored');
    const reason = open ? `${open.assertion_id}: ${open.details}` : 'the budget is used up';
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return [...reasons].map(([reason, count]) => ({ reason, mutants: count })).sort((a, b) => b.mutants - a.mutants);
}

/**
 * Whether a score is reached, whatever the unscored mutants are. undecided: these would decide it, or there are no mutants
 * that must fail.
 */
export function gateVerdict(
  { noticed, survived }: Pick<MutantTally, 'noticed' | 'survived'>,
  unscored: number,
  minScore: number,
): 'passed' | 'failed' | 'undecided' {
  const all = noticed + survived + unscored;
  if (noticed + survived === 0) return 'undecided';
  if (noticed / all >= minScore - 1e-12) return 'passed';
  return (noticed + unscored) / all < minScore - 1e-12 ? 'failed' : 'undecided';
}

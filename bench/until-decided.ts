import type { Baseline } from '../packages/salvo/src/run/compare/baseline.ts';
import { compareResults } from '../packages/salvo/src/run/compare/compare-runs.ts';
import { compareUntilDecided, type UntilRules } from '../packages/salvo/src/run/compare/until/until-decided.ts';
import { mean } from '../packages/salvo/src/stats/mean.ts';
import { Z_95 } from '../packages/salvo/src/stats/normal.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { share } from './compare/share.ts';
import { drawBeta } from './random-draws.ts';

/** `npm run bench until-decided -- --long` simulates more. Several scenarios take long. */
const IS_LONG = process.argv.includes('--long');
const runsOf = ({ scenarios = 1 }: SequentialDesign) => (scenarios > 1 ? 100 : 300) * (IS_LONG ? 7 : 1);
const MARGIN = 0.1;

interface SequentialDesign {
  name: string;
  scenarios?: number;
  cases: number;
  /** Of each case, in the baseline; and the most of the new agent. */
  base: number;
  planned: number;
  rate: number;
  /** How alike the trials of one case are, in all runs; and in one run only, as with a cache or a session. */
  alike?: number;
  alikeInRun?: number;
  /** All trials of a case are copies of the first, to the byte. */
  copies?: boolean;
  /** The share of verdicts that a judge gets wrong. */
  judgeErrors?: number;
}

const DESIGNS: SequentialDesign[] = [
  { name: '1 case, baseline 20', cases: 1, base: 20, planned: 100, rate: 0.9 },
  { name: '1 case, baseline 50', cases: 1, base: 50, planned: 200, rate: 0.9 },
  { name: '5 cases, baseline 10', cases: 5, base: 10, planned: 32, rate: 0.85, alike: 0.3 },
  { name: '40 cases, baseline 3', cases: 40, base: 3, planned: 8, rate: 0.85, alike: 0.3 },
  { name: '100 cases, baseline 3', cases: 100, base: 3, planned: 4, rate: 0.85, alike: 0.3 },
  { name: '40 cases, alike within a run', cases: 40, base: 5, planned: 8, rate: 0.85, alike: 0.3, alikeInRun: 0.3 },
  { name: '40 cases, judge wrong in 10%', cases: 40, base: 5, planned: 8, rate: 0.85, alike: 0.3, judgeErrors: 0.1 },
  { name: '40 cases, equal answers', cases: 40, base: 5, planned: 8, rate: 0.85, alike: 0.3, copies: true },
  { name: '1 case, equal answers', cases: 1, base: 20, planned: 100, rate: 0.9, copies: true },
  { name: '10 scenarios, baseline 5', scenarios: 10, cases: 1, base: 5, planned: 20, rate: 0.9 },
];

/**
 * Runs that are looked at until they are decided, of agents whose truth is known: how often equal agents are called
 * different, also if every look were a test of 5%; how often drops are found; how often an agent that fell by the margin is
 * called not worse. Beside it are the same trials as one fixed number, compared once at the end, and the share of them that
 * was not needed.
 */
export async function benchUntilDecided(): Promise<string[]> {
  const lines = DESIGNS.map(line);
  const total = (of: 'runs' | 'different' | 'wronglyNotWorse') => lines.reduce((sum, each) => sum + each[of], 0);
  return [
    'promised: equal agents are called different in at most 5%, and one that fell by 10 points not worse in at most 2.5%',
    '| design | runs | equal: different | every look a test of 5% | equal: not worse | -10: not worse | -10: worse | fixed | -20: worse | fixed | trials | saved if equal | saved at -20 |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...lines.map(({ text }) => text),
    `all designs: ${total('different')} of ${total('runs')} runs of equal agents were called different, and ${total('wronglyNotWorse')} of ${total('runs')} that fell by 10 points not worse`,
  ];
}

function line(design: SequentialDesign) {
  const [equal, small, large] = ([0, 1, 2] as const).map((times) => simulated(design, times * MARGIN)) as Three;
  const different = equal.share('worse') + equal.share('better');
  const cells = [
    ...[design.name, String(runsOf(design)), share(different), share(equal.naive), share(equal.share('not_worse'))],
    ...[share(small.share('not_worse')), share(small.share('worse')), share(small.fixed)],
    ...[share(large.share('worse')), share(large.fixed), String(equal.most), saved(equal), saved(large)],
  ];
  const runs = runsOf(design);
  const counted = (part: number) => Math.round(part * runs);
  return {
    ...{ text: `| ${cells.join(' | ')} |`, runs, different: counted(different) },
    wronglyNotWorse: counted(small.share('not_worse')),
  };
}

type Simulated = ReturnType<typeof simulated>;
type Three = [Simulated, Simulated, Simulated];

function simulated(design: SequentialDesign, drop: number) {
  const random = seededRandom('until', JSON.stringify(design), drop);
  const runs = runsOf(design);
  const counts: Record<string, number> = {};
  const used: number[] = [];
  let [naive, fixed] = [0, 0];
  const rules: UntilRules = { planned: design.planned, gate: 'either', maxDrop: null };
  const most = (design.scenarios ?? 1) * design.cases * design.planned;
  for (let seed = 0; seed < runs; seed += 1) {
    const { base, next } = simulatedResults(design, drop, random);
    const { until } = compareUntilDecided(base, next, rules);
    const answer = until.decided ?? 'undecided';
    counts[answer] = (counts[answer] ?? 0) + 1;
    used.push(until.decided ? until.trials : most);
    if (compareResults(base, next).conclusion === 'worse') fixed += 1;
    if (drop === 0 && isDifferentAtAnyLook(base, next, until.looks)) naive += 1;
  }
  return {
    share: (answer: string) => (counts[answer] ?? 0) / runs,
    ...{ used, most, naive: naive / runs, fixed: fixed / runs },
  };
}

/** The mean share of the fixed number that was not needed, with its 95% interval. */
function saved({ used, most }: { used: readonly number[]; most: number }): string {
  const shares = used.map((each) => 1 - each / most);
  const middle = mean(shares) ?? 0;
  const variance = shares.reduce((sum, each) => sum + (each - middle) ** 2, 0) / (shares.length - 1);
  const reach = Z_95 * Math.sqrt(variance / shares.length);
  return `${(100 * middle).toFixed(0)}% (${(100 * (middle - reach)).toFixed(0)} to ${(100 * (middle + reach)).toFixed(0)})`;
}

/** What somebody does who looks at a usual comparison again and again. */
function isDifferentAtAnyLook(base: Baseline, next: Baseline, looks: readonly { trials: number }[]): boolean {
  return looks.some(({ trials }) => {
    const scenarios = next.scenarios.map((each) => ({
      ...each,
      cases: each.cases.map((one) => ({ ...one, trials: one.trials.slice(0, trials) })),
    }));
    const { conclusion } = compareResults(base, { ...next, scenarios });
    return conclusion === 'worse' || conclusion === 'better';
  });
}

function simulatedResults(design: SequentialDesign, drop: number, random: () => number) {
  const { scenarios = 1, cases, base, planned, rate, alike = 0, alikeInRun = 0, copies = false } = design;
  const { judgeErrors = 0 } = design;
  const trialsOf = (chance: number, count: number) => {
    const ofRun = drawBeta(random, { mean: chance, alike: alikeInRun });
    const one = () => random() < ofRun !== random() < judgeErrors;
    const first = one();
    return Array.from({ length: count }, () => Number(copies ? first : one())).join('');
  };
  const drawn = Array.from({ length: scenarios }, () =>
    Array.from({ length: cases }, (_, index) => {
      const chance = drawBeta(random, { mean: rate, alike });
      const name = cases === 1 ? null : `case ${index}`;
      const head = { case: name, row: name, ...(copies && { identical: true as const }) };
      return {
        base: { ...head, trials: trialsOf(chance, base) },
        next: { ...head, trials: trialsOf(chance * (1 - drop / rate), planned) },
      };
    }),
  );
  const side = (which: 'base' | 'next') => results(drawn.map((all) => all.map((each) => each[which])));
  return { base: side('base'), next: side('next') };
}

function results(scenarios: Baseline['scenarios'][number]['cases'][]): Baseline {
  return {
    ...{ salvo_baseline: 1, salvo_version: '', run_id: 'simulated', created_at: '', commit: null },
    scenarios: scenarios.map((cases, index) => ({
      ...{ name: `scenario ${index}`, file: `${index}.yaml`, adapter: 'a', model: 'm', seed: null },
      yardstick: { threshold: null, assertions: {}, judges: {}, mocks: null, task: null, system_prompt: null },
      ...{ cost_usd: null, latency_seconds: null, cases },
    })),
  };
}

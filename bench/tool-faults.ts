import { chaosFigures } from '../packages/salvo/src/run/faults/chaos-figures.ts';
import { faultOutcomes } from '../packages/salvo/src/run/faults/fault-outcomes.ts';
import { type Fault, toolSchema } from '../packages/salvo/src/scenario/schema/tool-schema.ts';
import { mean } from '../packages/salvo/src/stats/mean.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { scenarioTools } from '../packages/salvo/src/trial/tools/scenario-tools.ts';
import type { TrialResult } from '../packages/salvo/src/trial/trial-result.ts';
import { sampleRun } from '../test/sample-run.ts';
import { sampleEvalResult, sampleTrial } from '../test/sample-trial.ts';
import { TRIAL_CONTEXT } from '../test/sample-trial-context.ts';
import { drawBeta } from './random-draws.ts';

const TRIALS = 5000;
const CALLS = 4;
const RATES: Partial<Record<Fault['kind'], number>> = {
  timeout: 0.1,
  http_500: 0.05,
  truncated: 0.2,
  wrong_types: 0.02,
};

/** Whether faults happen as stated and again, what they cost, and whether intervals and tests over cases hold. */
export async function benchToolFaults(): Promise<string[]> {
  const faults = Object.entries(RATES).map(([kind, rate]) => ({ kind, rate }));
  const first = await drawnKinds(faults);
  const again = await drawnKinds(faults);
  const same = first.kinds.filter((kind, index) => kind === again.kinds[index]).length;
  const without = await drawnKinds(undefined);
  const calls = TRIALS * CALLS;
  const shares = Object.entries(RATES).map(([kind, rate]) => {
    const found = first.kinds.filter((each) => each === kind).length / calls;
    const z = (found - rate) / Math.sqrt((rate * (1 - rate)) / calls);
    return `${kind} ${(100 * found).toFixed(2)}% of stated ${(100 * rate).toFixed(0)}% (z ${z.toFixed(1)})`;
  });
  const perCall = (seconds: number) => `${((1e6 * seconds) / calls).toFixed(1)} µs`;
  return [
    `${calls} calls: ${shares.join(', ')}`,
    `the same seed again: ${same} of ${calls} calls have the same fault or none`,
    `a call: ${perCall(first.seconds)} with faults, ${perCall(without.seconds)} without, ${(first.seconds / without.seconds).toFixed(1)}x`,
    ...[8, 20, 50].map(coverageLine),
    ...[8, 20].map(harmlessLine),
  ];
}

/** The fault of each call of many trials, and how long the calls took. */
async function drawnKinds(faults: unknown) {
  const parameters = { type: 'object', properties: {} };
  const tool = toolSchema.parse({
    name: 'find',
    parameters,
    mock_response: { id: 7, list: [1, 2] },
    ...(faults ? { faults } : {}),
  });
  const tools = scenarioTools([tool]);
  const { signal } = new AbortController();
  const kinds: string[] = [];
  const started = performance.now();
  for (let trial = 1; trial <= TRIALS; trial += 1) {
    const ready = await tools.start({ ...TRIAL_CONTEXT, faultSeed: ['bench', trial] });
    for (let call = 1; call <= CALLS; call += 1) {
      const { fault } = await ready.answer({ id: `c${call}`, name: 'find', arguments: {} }, signal);
      kinds.push(fault?.kind ?? 'none');
    }
  }
  return { kinds, seconds: (performance.now() - started) / 1000 };
}

const SAMPLES = 400;
const RECOVERED = [0.2, 0.5, 0.9];
/** How alike the trials of a case are. */
const ALIKE = [0, 0.3];

/** How often the interval of the share of recovered trials contains the true share. */
function coverageLine(cases: number): string {
  const held = RECOVERED.flatMap((rate) =>
    ALIKE.map((alike) => {
      const random = seededRandom('fault-outcomes', cases, rate, alike);
      let found = 0;
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        const results = simulatedTrials({ cases, rate, alike, random });
        const { interval } = faultOutcomes(results, { assertions: [] }).recovered;
        if (interval && interval[0] <= rate && rate <= interval[1]) found += 1;
      }
      return found / SAMPLES;
    }),
  );
  const average = 100 * (mean(held) ?? Number.NaN);
  return `${cases} cases: the 95% interval of recovered trials holds in ${average.toFixed(0)}% (${(100 * Math.min(...held)).toFixed(0)}% at worst)`;
}

interface Simulated {
  cases: number;
  rate: number;
  alike: number;
  random: () => number;
}

function simulatedTrials({ cases, rate, alike, random }: Simulated): TrialResult[] {
  return Array.from({ length: cases }, (_, index) => {
    const chance = drawBeta(random, { mean: rate, alike });
    return [1, 2, 3].map((trial_number) => {
      const passed = random() < chance;
      return sampleTrial({
        ...{ case_index: index, case: `case ${index}`, trial_number, faults: { timeout: 1 } },
        ...{ status: passed ? 'passed' : 'failed', answer_hash: `${random()}` },
        eval_results: [sampleEvalResult({ score: Number(passed) })],
      });
    });
  }).flat();
}

const RUNS = 150;
const HARMLESS = 5;

/** Faults that change nothing: how often any of them is said to lower the pass rate. */
function harmlessLine(cases: number): string {
  const random = seededRandom('harmless-faults', cases);
  let alarms = 0;
  for (let run = 0; run < RUNS; run += 1) {
    // The cases are as hard with faults as without.
    const chances = Array.from({ length: cases }, () => drawBeta(random, { mean: 0.8, alike: 0.3 }));
    const trialsOf = () =>
      chances.flatMap((chance, index) => {
        const simulated = simulatedTrials({ cases: 1, rate: chance, alike: 0, random });
        return simulated.map((trial) => ({ ...trial, case_index: index, case: `case ${index}` }));
      });
    const sample = sampleRun();
    const [entry] = sample.scenarios;
    if (!entry) continue;
    const variants = [null, ...Array.from({ length: HARMLESS }, (_, index) => `fault ${index}`)];
    const scenarios = variants.map((alone) => {
      const variant = { of: entry.name, dose: alone === null ? 0 : 0.3, alone };
      return { ...entry, scenario: { ...entry.scenario, variant } };
    });
    const [figures] = chaosFigures(
      { ...sample, options: { ...sample.options, seed: null }, scenarios },
      variants.map(trialsOf),
    );
    if (figures?.alone.some(({ conclusion }) => conclusion === 'worse')) alarms += 1;
  }
  return `${cases} cases, ${HARMLESS} harmless faults: one is called harmful in ${((100 * alarms) / RUNS).toFixed(1)}% of ${RUNS} runs`;
}

import { applyCascade, costOfVerdict, type Sure } from '../packages/salvo/src/judge/cascade/apply-cascade.ts';
import { calibrateCascade } from '../packages/salvo/src/judge/cascade/calibrate-cascade.ts';
import type { CascadeGoal } from '../packages/salvo/src/judge/cascade/fit-cascade.ts';
import { mean } from '../packages/salvo/src/stats/mean.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import {
  drawSample,
  type SimulatedJudge,
  type SimulatedLabels,
  type SimulatedSample,
} from '../test/simulated-judges.ts';

const SAMPLES = 400;
/** New answers, on which a choice shows what it is worth. */
const FRESH = 8_000;

const CHEAP: SimulatedJudge = { name: 'cheap', skill: 1.2, sureness: 1, usd: 0.001 };
const TOO_SURE: SimulatedJudge = { name: 'too sure', skill: 1, sureness: 4, usd: 0.001 };
const VOTES: SimulatedJudge = { name: 'five votes', skill: 1.3, sureness: 1, votes: 5, usd: 0.005 };
const STRONG: SimulatedJudge = { name: 'strong', skill: 2, sureness: 1, usd: 0.02 };
const WEAK: SimulatedJudge = { name: 'weak', skill: 1.2, sureness: 1, usd: 0.02 };

interface Design extends SimulatedLabels {
  judges: readonly SimulatedJudge[];
  people?: boolean;
  goal: CascadeGoal;
}

const PLAIN = { perCase: 1, rate: 0.7, alike: 0 };

const DESIGNS: readonly Design[] = [
  { ...PLAIN, answers: 100, judges: [CHEAP, STRONG], goal: { agreement: 0.9 } },
  { ...PLAIN, answers: 200, judges: [CHEAP, STRONG], goal: { agreement: 0.93 } },
  { ...PLAIN, answers: 200, judges: [TOO_SURE, STRONG], goal: { agreement: 0.9 } },
  { ...PLAIN, answers: 400, judges: [CHEAP, VOTES, STRONG], goal: { agreement: 0.93 } },
  { ...PLAIN, answers: 200, rate: 0.9, judges: [VOTES, STRONG], goal: { agreement: 0.93 } },
  { answers: 240, perCase: 4, rate: 0.7, alike: 0.5, judges: [CHEAP, STRONG], goal: { agreement: 0.9 } },
  { ...PLAIN, answers: 200, judges: [CHEAP, WEAK], people: true, goal: { agreement: 0.95 } },
  { ...PLAIN, answers: 200, judges: [TOO_SURE, VOTES], people: true, goal: { agreement: 0.9 } },
  { ...PLAIN, answers: 100, judges: [CHEAP, STRONG], goal: { usd: 0.01 } },
  { ...PLAIN, answers: 200, judges: [TOO_SURE, VOTES, STRONG], goal: { usd: 0.008 } },
];

/**
 * For simulated judges whose errors are known: how often `salvo calibrate --cascade` finds a choice, how often the stated
 * agreement is then reached on new answers, what a verdict costs beside the last judge alone, and how often the interval
 * that is shown contains the truth.
 */
export async function benchCascade(): Promise<string[]> {
  return DESIGNS.map(designLine);
}

function designLine(design: Design): string {
  const { judges, people = false, goal } = design;
  const random = seededRandom('cascade', JSON.stringify(design));
  const fresh = drawSample({ ...design, answers: FRESH }, judges, random);
  const found: { truth: ReturnType<typeof truthOf>; ci: readonly [number, number] }[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const { answers, judges: asked } = drawSample(design, judges, random);
    const { reached, stages, cascade } = calibrateCascade({
      ...{ answers, goal, people, threshold: 0.5, lines: answers.length, notes: [], seed: sample },
      judges: asked.map((judge, index) => ({ ...judge, usd: answers.map(() => judges[index]?.usd ?? 0) })),
    });
    if (!reached || !cascade?.agreement.ci) continue;
    const sures = stages.map(({ sure }) => sure ?? 'none');
    found.push({ truth: truthOf(fresh, sures, judges), ci: cascade.agreement.ci });
  }
  const share = (is: (each: (typeof found)[number]) => boolean) => percent(found.filter(is).length / found.length);
  const average = (of: (each: (typeof found)[number]) => number) => mean(found.map(of)) ?? Number.NaN;
  const last = judges.at(-1)?.usd ?? 1;
  const names = [...judges.map(({ name }) => name), ...(people ? ['people'] : [])].join(' > ');
  const stated = 'agreement' in goal ? `agreement ${percent(goal.agreement)}` : `cost $${goal.usd}`;
  const met = share(({ truth }) =>
    'agreement' in goal ? truth.agreement >= goal.agreement : truth.usd <= goal.usd * 1.05,
  );
  return [
    `${design.answers} answers, ${design.perCase} a case, ${percent(design.rate)} pass, ${names}, ${stated}:`,
    `chosen in ${percent(found.length / SAMPLES)}, then met on new answers in ${met} (agreement ${percent(average(({ truth }) => truth.agreement))}),`,
    `cost ${percent(average(({ truth }) => truth.usd) / last)} of the last judge alone,`,
    ...(people ? [`people decide ${percent(average(({ truth }) => truth.undecided))},`] : []),
    `interval covers ${share(({ truth, ci }) => ci[0] <= truth.agreement && truth.agreement <= ci[1])}, width ${average(({ ci }) => ci[1] - ci[0]).toFixed(3)}`,
  ].join(' ');
}

/** On new answers: how often it agrees where it decides, what a verdict costs, and how many it leaves open. */
function truthOf({ answers, judges }: SimulatedSample, sures: readonly Sure[], costs: readonly SimulatedJudge[]) {
  let [agreed, decided, usd] = [0, 0, 0];
  for (const [index, { human }] of answers.entries()) {
    const said = applyCascade(
      judges.map(({ verdicts }) => {
        const verdict = verdicts[index];
        if (!verdict) return null;
        const { passed, probability } = verdict;
        return { passed, sureness: probability === null ? null : Math.max(probability, 1 - probability) };
      }),
      sures,
    );
    usd +=
      costOfVerdict(
        said,
        costs.map((judge) => judge.usd ?? 0),
      ) ?? 0;
    if (said.passed === null) continue;
    decided += 1;
    agreed += Number(said.passed === human);
  }
  return { agreement: agreed / decided, usd: usd / answers.length, undecided: 1 - decided / answers.length };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

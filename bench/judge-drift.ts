import { type ComparedVote, driftOutcome } from '../packages/salvo/src/judge/calibration/drift/drift-outcome.ts';
import { mean } from '../packages/salvo/src/stats/mean.ts';
import { studentQuantile } from '../packages/salvo/src/stats/normal.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { drawNormal } from './random-draws.ts';

type Random = () => number;

const SAMPLES = 300;
const ANCHORS = 20;

interface Service {
  name: string;
  votes: number;
  /** Scores are multiples of this. */
  step: number;
  /** How far a vote is from what the service thinks of an answer. */
  noise: number;
  isDecision?: boolean;
}

const SERVICES: readonly Service[] = [
  { name: '1 vote, varies', votes: 1, step: 0.25, noise: 0.12 },
  { name: '3 votes, vary', votes: 3, step: 0.25, noise: 0.12 },
  { name: '5 votes, vary', votes: 5, step: 0.25, noise: 0.12 },
  { name: '5 votes, nearly always the same', votes: 5, step: 0.25, noise: 0.01 },
  { name: '5 votes, binary', votes: 5, step: 1, noise: 0.2 },
  { name: 'a decision model', votes: 1, step: 0.0001, noise: 0.004, isDecision: true },
];

/** What became of the service: its mean moved, or it thinks of some answers otherwise while its mean is the same. */
const CHANGES = [
  { name: 'none', shift: 0, scatter: 0 },
  { name: 'stricter by 0.1', shift: -0.1, scatter: 0 },
  { name: 'stricter by 0.2', shift: -0.2, scatter: 0 },
  { name: 'another mind (0.2 up or down)', shift: 0, scatter: 0.2 },
];

/** How often a service that has not changed is called changed, and how often one that has. Beside a paired t-test. */
export function driftLines(): string[] {
  return [
    `check of a judge by ${ANCHORS} anchors, called changed (paired t-test of the means):`,
    ...SERVICES.map((service) => {
      const parts = CHANGES.map((change) => {
        let [found, byT] = [0, 0];
        for (let sample = 0; sample < SAMPLES; sample += 1) {
          const random = seededRandom('drift', service.name, change.name, sample);
          const compared = drawVotes(service, change, random);
          found += Number(driftOutcome(compared, random).outcome === 'changed');
          byT += Number(isFoundByT(compared));
        }
        const percent = (count: number) => `${((100 * count) / SAMPLES).toFixed(1)}%`;
        return `${change.name} ${percent(found)} (${percent(byT)})`;
      });
      return `  ${service.name}: ${parts.join(', ')}`;
    }),
  ];
}

function drawVotes(
  { votes, step, noise, isDecision = false }: Service,
  { shift, scatter }: { shift: number; scatter: number },
  random: Random,
): ComparedVote[] {
  return Array.from({ length: ANCHORS }, () => {
    const quality = 0.6 + 0.25 * drawNormal(random);
    const vote = (of: number) => {
      const said = Math.min(1, Math.max(0, of + noise * drawNormal(random)));
      return Math.round(said / step) * step;
    };
    const scores = {
      earlier: Array.from({ length: votes }, () => vote(quality)),
      now: vote(quality + shift + scatter * drawNormal(random)),
    };
    return { isDecision, scores, probabilities: null };
  });
}

function isFoundByT(compared: readonly ComparedVote[]): boolean {
  const by = compared.map(({ scores: { earlier, now } }) => now - (mean(earlier) ?? 0));
  const centre = mean(by) ?? 0;
  const variance = by.reduce((sum, each) => sum + (each - centre) ** 2, 0) / (by.length - 1);
  return Math.abs(centre) > studentQuantile(by.length - 1) * Math.sqrt(variance / by.length);
}

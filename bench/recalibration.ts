import { recalibrate } from '../packages/salvo/src/judge/calibration/recalibrate.ts';
import { logLossOf, mapProbability } from '../packages/salvo/src/stats/agreement/probability-map.ts';
import { mean } from '../packages/salvo/src/stats/mean.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { drawSample, type SimulatedJudge, type SimulatedLabels } from '../test/simulated-judges.ts';

const FRESH = 4000;

const JUDGES: readonly SimulatedJudge[] = [
  { name: 'calibrated', skill: 1.2, sureness: 1 },
  { name: 'too sure', skill: 1.2, sureness: 4 },
  { name: 'too strict', skill: 1.2, sureness: 1, shift: -2 },
  { name: 'five votes', skill: 1.2, sureness: 1, votes: 5 },
];

/**
 * What `salvo calibrate --recalibrate` does to answers that it has not seen: log loss, calibration error (the mean
 * distance of the probability from the true one; of votes from what their share is worth) and agreement with people,
 * before and after. A judge that is calibrated must not become worse.
 */
export function recalibrationLines(samples: number): string[] {
  return JUDGES.flatMap((judge) =>
    [60, 200, 500].map((answers) => {
      const design = { answers, perCase: 1, rate: 0.7, alike: 0 };
      const random = seededRandom('recalibration', judge.name, answers);
      const found = Array.from({ length: samples }, () => onFresh(judge, design, random));
      const stored = found.filter(({ method }) => method !== null);
      const platt = stored.filter(({ method }) => method === 'platt').length;
      const of = (pick: (each: (typeof found)[number]) => number) => (mean(found.map(pick)) ?? 0).toFixed(3);
      return [
        `recalibration, ${judge.name}, ${answers} labels: a map in ${stored.length} of ${samples} (Platt in ${platt});`,
        `log loss ${of(({ before }) => before.loss)} -> ${of(({ after }) => after.loss)},`,
        `calibration error ${of(({ before }) => before.error)} -> ${of(({ after }) => after.error)},`,
        `agreement ${of(({ before }) => before.agreement)} -> ${of(({ after }) => after.agreement)}`,
      ].join(' ');
    }),
  );
}

function onFresh(judge: SimulatedJudge, design: SimulatedLabels, random: () => number) {
  const labelled = drawSample(design, [judge], random);
  const answers = labelled.answers.map(({ human, cluster }, index) => {
    return { human, cluster, probability: labelled.judges[0]?.verdicts[index]?.probability ?? 0 };
  });
  const { recalibration } = recalibrate(answers, { seed: 0 });
  const fresh = drawSample({ ...design, answers: FRESH }, [judge], random);
  const said = fresh.answers.map(({ human }, index) => ({
    human,
    probability: fresh.judges[0]?.verdicts[index]?.probability ?? 0,
    truth: fresh.posteriors[0]?.[index] ?? 0,
  }));
  // What a share of votes is worth: the mean of the true probabilities of all answers with this share.
  const worth = new Map(
    [...Map.groupBy(said, ({ probability }) => probability)].map(([value, group]) => {
      return [value, mean(group.map(({ truth }) => truth)) ?? 0];
    }),
  );
  const figures = (map: (probability: number) => number) => ({
    loss: mean(said.map(({ human, probability }) => logLossOf(map(probability), human))) ?? 0,
    error: mean(said.map(({ probability }) => Math.abs(map(probability) - (worth.get(probability) ?? 0)))) ?? 0,
    agreement: said.filter(({ human, probability }) => map(probability) > 0.5 === human).length / said.length,
  });
  const before = figures((probability) => probability);
  if (!recalibration) return { method: null, before, after: before };
  return {
    method: recalibration.map.method,
    before,
    after: figures((each) => mapProbability(recalibration.map, each)),
  };
}

import { mean } from '../../stats/mean.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import type { Drawn, HumanLabel } from './human-label.ts';

/** The part of the chance that is the same for all trials. With less, labels on errors of a sure judge weigh too much. */
const EVEN = 0.3;

/**
 * The order in which trials are labelled. Each next trial is drawn without replacement: three tenths of the chance are the
 * same for all trials, the rest is in proportion to their doubt (0 to 1). So labels tell about all trials, and more of
 * them are where the judge may be wrong.
 *
 * The draw is an exponential race (Efraimidis and Spirakis 2006): a trial's time is exponential with its rate, and the
 * earliest are drawn. Given the time until which trials were drawn, each was drawn with a chance of 1 - exp(-rate *
 * time), independently of the others. That is what makes the chance of every label known, however many labels there are.
 * The numbers depend on the ids only, so that the order is the same for everybody and at every time.
 */
export function drawTrials(
  trials: readonly { id: string; doubt: number }[],
  uniform: (id: string) => number = (id) => seededRandom('label', id)(),
): Map<string, Drawn> {
  const average = mean(trials.map(({ doubt }) => doubt)) ?? 0;
  const times = trials.map(({ id, doubt }) => {
    const rate = average <= 0 ? 1 : EVEN + ((1 - EVEN) * doubt) / average;
    return { id, rate, at: -Math.log(1 - uniform(id)) / rate };
  });
  const order = times.toSorted((a, b) => a.at - b.at);
  const draw = contentHash(Object.fromEntries(times.map(({ id, rate }) => [id, rate]))).slice(0, 16);
  return new Map(
    order.map(({ id, rate, at }, index) => [id, { rate, at, position: index + 1, of: order.length, draw }] as const),
  );
}

/** A label, and how its trial was drawn. In a file, the name of the draw says which one it is. */
type DrawnLabel = Pick<HumanLabel, 'drawn'> & Partial<Pick<HumanLabel, 'run_id' | 'scenario_index' | 'assertion_id'>>;

/**
 * How many trials each labelled trial stands for: 1 / its chance of being drawn until the last label of its draw
 * (Horvitz and Thompson 1952). Null for a trial that a person chose. `skipped` counts the trials that were drawn before
 * the last label and have none: they are missing, so their weight is not given to others.
 */
export function drawWeights(labelled: readonly (readonly DrawnLabel[])[]): {
  weights: (number | null)[];
  skipped: number;
} {
  const trials = labelled.map((labels) => labels.find(({ drawn }) => drawn));
  const draws = Map.groupBy(
    trials.filter((label) => label !== undefined),
    drawOf,
  );
  const last = new Map(
    [...draws].map(([draw, labels]) => {
      const drawn = labels.flatMap((label) => label.drawn ?? []);
      const position = Math.max(...drawn.map((each) => each.position));
      // If all trials were drawn, each was certain to be.
      const isAll = drawn.some((each) => each.position === each.of);
      const at = isAll ? Number.POSITIVE_INFINITY : Math.max(...drawn.map((each) => each.at));
      return [draw, { at, skipped: Math.max(0, position - labels.length) }];
    }),
  );
  return {
    weights: trials.map((label) => {
      const until = label && last.get(drawOf(label))?.at;
      return label?.drawn && until !== undefined ? 1 / (1 - Math.exp(-label.drawn.rate * until)) : null;
    }),
    skipped: [...last.values()].reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

/** Labels of one draw: of one scenario of a run, for one of its judges. */
function drawOf({ run_id, scenario_index, assertion_id, drawn }: DrawnLabel): string {
  return JSON.stringify([run_id, scenario_index, assertion_id, drawn?.draw]);
}

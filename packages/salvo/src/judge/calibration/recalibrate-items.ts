import { twoDigits } from '../../stats/format.ts';
import { meetsThreshold } from '../../stats/mean.ts';
import { saidProbability } from '../votes/recalibrated-verdict.ts';
import { type CalibrationItem, labelledScore } from './calibration.ts';
import type { Recalibration } from './calibration-record.ts';
import { recalibrate } from './recalibrate.ts';
import { samplePlaces } from './sample-places.ts';

/** A labelled item with what the judge said of it. */
export interface SaidItem {
  item: CalibrationItem;
  votes: readonly { passed: boolean | null; probability?: number | undefined }[];
}

/** The judge that said it. */
export interface SayingJudge {
  judges: readonly unknown[];
  earlyStop: boolean;
  cascade?: unknown;
}

export interface RecalibratedItems {
  items: CalibrationItem[];
  recalibration: Recalibration | null;
  /** What was found, a sentence. */
  note: string;
}

/**
 * The items with the verdicts that the judge would have after its recalibration, each by a map that was fitted without
 * its case: so the figures of a calibration are those of the judge as it will be used. Unchanged if no map is better.
 */
export function recalibrateItems(
  given: readonly SaidItem[],
  {
    judge,
    criteria,
    threshold,
    seed,
  }: {
    judge: SayingJudge;
    criteria: Parameters<typeof labelledScore>[0]['rubric'];
    threshold: number;
    seed: number;
  },
): RecalibratedItems {
  const items = given.map(({ item }) => item);
  const none = (because: string) => ({ items, recalibration: null, note: `Not recalibrated: ${because}.` });
  if (judge.judges.length > 1) return none('a panel says no probability of its own');
  if (judge.cascade) return none('the stages of a cascade are read as they are');
  const places = placesOf(items);
  const said = given.flatMap(({ item, votes }, index) => {
    const probability = item.outcome && saidProbability(votes, votes.length === 1 ? votes[0]?.probability : undefined);
    const score = labelledScore({ ...item, rubric: item.criteria ?? criteria });
    const human = item.passed ?? (score === null ? null : meetsThreshold(score, threshold));
    if (probability === null || human === null) return [];
    return [{ probability, human, copy: places[index]?.copy ?? '', cluster: places[index]?.cluster ?? '' }];
  });
  if (said.length === 0)
    return none('a single vote says no probability. Ask for three votes or more, or use a decision model');
  const isDecision = given.some(({ votes }) => votes.some(({ probability }) => probability !== undefined));
  if (judge.earlyStop && !isDecision) return none('early_stop leaves out votes, so that shares of votes differ');
  // Copies of an answer count once.
  const answers = [...new Map(said.toReversed().map((each) => [each.copy, each])).values()].toReversed();
  const found = recalibrate(answers, { seed });
  if (!found.recalibration) return none(found.because);
  const passedOf = new Map(answers.map(({ copy }, index) => [copy, found.passed[index]]));
  return {
    items: items.map((item, index) => {
      const passed = passedOf.get(places[index]?.copy ?? '');
      return item.outcome && passed !== undefined ? { ...item, outcome: { ...item.outcome, passed } } : item;
    }),
    recalibration: found.recalibration,
    note: noteOf(found.recalibration),
  };
}

function placesOf(items: readonly CalibrationItem[]): { copy: string; cluster: string }[] {
  const places = samplePlaces(
    items.map(({ scenario, case: caseName, task, answer, response, weight }) => ({
      scenario: scenario ?? null,
      case: caseName ?? null,
      task: task ?? null,
      answer: answer ?? response ?? null,
      weight: weight ?? null,
    })),
  );
  return places.map(({ copy, cluster }, index) => {
    const own = copy ?? `item ${index}`;
    return { copy: own, cluster: cluster ?? own };
  });
}

/** One sentence about a recalibration, wherever it is shown. */
function noteOf({ map, answers, cases, ...found }: Recalibration): string {
  const name = map.method === 'platt' ? 'Platt scaling' : 'isotonic regression';
  return `Recalibrated by ${name} on ${answers} answers of ${cases} cases: on cases that it was not fitted on, the log loss is ${twoDigits(found.log_loss_after)} instead of ${twoDigits(found.log_loss_before)}, and ${found.verdicts_changed} verdicts change. The figures are those of the recalibrated judge, on cases that it was not fitted on.`;
}

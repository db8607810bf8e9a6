import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import { formatNumbers, formatPlural } from '../../stats/format.ts';
import { meetsThreshold } from '../../stats/mean.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import { labelledScore } from '../calibration/calibration.ts';
import type { LabelledItem } from '../calibration/calibration-labels.ts';
import { answerOf, taskOf } from '../calibration/judge-labels.ts';
import { samplePlaces } from '../calibration/sample-places.ts';
import type { LabelledAnswer } from './compare-judges.ts';

/** With fewer answers no judge can be told from another. */
const FEWEST_ANSWERS = 10;

/** Different answers, each with the verdict of most people and the label that judges are shown. */
export interface LabelledAnswers {
  answers: (LabelledAnswer & { item: LabelledItem })[];
  /** What the figures take into account: a sentence each. */
  notes: string[];
}

/**
 * The answers of a file of labels on which judges can be compared. Copies of one answer are one, with the verdict of
 * most of its labels; if as many labels contradict it, it is left out. Throws before any judge is asked if there are too
 * few answers, or people passed all or none of them.
 */
export function labelledAnswers(
  items: readonly LabelledItem[],
  { criteria, threshold, file }: { criteria: readonly CriterionLike[]; threshold: number; file: string },
): LabelledAnswers {
  const places = samplePlaces(
    items.map(({ scenario, case: caseName, trace }) => {
      return { scenario, case: caseName, task: taskOf(trace) ?? null, answer: answerOf(trace), weight: null };
    }),
  );
  const labels = items.map((item, index) => {
    const rubric = item.criteria ?? criteria;
    const score = labelledScore({ labels: item.labels, rubric });
    return {
      item,
      human: item.passed ?? (score === null ? null : meetsThreshold(score, threshold)),
      cluster: places[index]?.cluster ?? `line ${item.line}`,
      copy: JSON.stringify([places[index]?.copy ?? item.line, item.criteria && contentHash(item.criteria)]),
    };
  });
  const withVerdict = labels.flatMap(({ human, ...label }) => (human === null ? [] : [{ ...label, human }]));
  const groups = [...Map.groupBy(withVerdict, ({ copy }) => copy).values()];
  const answers = groups.flatMap((copies) => {
    const [first] = copies;
    const passes = copies.filter(({ human }) => human).length * 2 - copies.length;
    return first && passes !== 0 ? [{ item: first.item, cluster: first.cluster, human: passes > 0 }] : [];
  });
  refuseTooFew(answers, { file, line: items[0]?.line ?? 1 });
  const without = labels.filter(({ human }) => human === null).map(({ item }) => item.line);
  return { answers, notes: [...notesOf(groups, answers), ...withoutVerdict(without)] };
}

type Label = { item: LabelledItem; human: boolean };

function notesOf(groups: readonly (readonly Label[])[], answers: LabelledAnswers['answers']): string[] {
  const copies = groups.reduce((sum, group) => sum + group.length - 1, 0);
  const contradicting = groups.filter((group) => new Set(group.map(({ human }) => human)).size > 1);
  const cases = new Set(answers.map(({ cluster }) => cluster)).size;
  const notes: string[] = [];
  if (copies > 0) {
    notes.push(
      `${formatPlural(copies, 'line')} on an answer that has a label already: copies of an answer count once.`,
    );
  }
  if (contradicting.length > 0) {
    const lines = formatNumbers(contradicting.flatMap((group) => group.map(({ item }) => item.line)));
    notes.push(
      `Labels of ${formatPlural(contradicting.length, 'answer')} contradict each other (lines ${lines}): the majority counts, and an answer without one is left out.`,
    );
  }
  if (cases < answers.length) {
    notes.push(
      `The ${answers.length} answers are of ${formatPlural(cases, 'case')}. Answers of one case may be alike, so intervals and tests are those of cases.`,
    );
  }
  return notes;
}

function withoutVerdict(lines: readonly number[]): string[] {
  if (lines.length === 0) return [];
  return [`No verdict of people on lines ${formatNumbers(lines)}: "passed" is missing, or a label for a criterion.`];
}

function refuseTooFew(answers: readonly LabelledAnswer[], location: { file: string; line: number }): void {
  const passed = answers.filter(({ human }) => human).length;
  const [same, missing] = passed === 0 ? ['failed', 'some that they pass'] : ['passed', 'some that they fail'];
  const problem =
    answers.length < FEWEST_ANSWERS
      ? `there are ${formatPlural(answers.length, 'answer')} with a verdict of people: judges are compared on at least ${FEWEST_ANSWERS}, and 50 or more tell them apart`
      : passed === 0 || passed === answers.length
        ? `people ${same} all ${answers.length} answers, so no judge can be wrong about others: add ${missing}`
        : null;
  if (problem === null) return;
  const { file, line } = location;
  throw new SalvoError('LABELS_INVALID', `${file}:${line}:1: ${problem}.`, { location: { file, line } });
}

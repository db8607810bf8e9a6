import { seededRandom } from '../../stats/seeded-random.ts';
import { agreementOf, calibrationMetrics, labelledOf } from './calibration-metrics.ts';
import type { Agreement, CalibrationReport, Disagreement } from './calibration-record.ts';
import { CALIBRATION_VERDICTS } from './calibration-verdict.ts';
import type { Comparison } from './comparison.ts';
import { type DisagreementDetails, disagreements } from './disagreements.ts';
import { type PanelVerdict, panelAgreement } from './panel-agreement.ts';
import { joinCopies, type PlacedItem, samplePlaces } from './sample-places.ts';

/** One labelled item, after the judge gave its verdict. */
export interface JudgedItem extends DisagreementDetails, PlacedItem {
  /** Of the label in its file. */
  line: number;
  /** Null when the judge could not score the item. */
  comparison: Comparison | null;
  /** Why there is no comparison. */
  error: string | null;
  /** The verdict of each judge of a panel; empty for a single judge. */
  panel: readonly PanelVerdict[];
}

export interface ComparedJudge {
  report: CalibrationReport;
  /** The items on which judge and people differ, worst first. */
  disagreements: Disagreement[];
}

/**
 * How far a judge agrees with people, overall, per criterion and per scenario, and how far with itself.
 * An item that the judge could not score is listed and not counted: a dead provider is not a wrong verdict.
 */
export function compareWithPeople(options: {
  items: readonly JudgedItem[];
  /** The comparisons are those of the items, in their order; null for an item that has none on this criterion. */
  criteria: readonly { name: string; comparisons: readonly (Comparison | null)[] }[];
  /** Trials that were drawn to be labelled, and that people left out. */
  skipped?: number | undefined;
  threshold: number;
  votes: number;
  failedVotes: number;
  unreadableVotes: number;
  seed: number;
}): ComparedJudge {
  const { threshold, seed } = options;
  const places = samplePlaces(options.items);
  const placed = (comparison: Comparison | null, index: number) =>
    comparison && { ...comparison, sample: places[index] };
  const items = options.items.map((item, index) => ({ ...item, comparison: placed(item.comparison, index) }));
  const comparisons = items.flatMap(({ comparison }) => comparison ?? []);
  const overall = calibrationMetrics(comparisons, { threshold, random: seededRandom(seed, 'calibration') });
  const criteria = options.criteria.map(({ name, comparisons: ofCriterion }) => ({
    name,
    ...calibrationMetrics(
      ofCriterion.flatMap((each, index) => placed(each, index) ?? []),
      { threshold, random: seededRandom(seed, 'calibration', name) },
    ),
  }));
  return {
    report: {
      threshold,
      items: items.length,
      scored: comparisons.length,
      unscored: items.flatMap(({ line, comparison, error }) => (comparison ? [] : [{ line, error }])),
      votes: options.votes,
      failed_votes: options.failedVotes,
      unreadable_votes: options.unreadableVotes,
      criteria,
      scenarios: byScenario(items, seed),
      panel: panelAgreement(items),
      overall,
      ...verdictOf(overall, criteria),
      notes: sampleNotes(comparisons, { overall, skipped: options.skipped ?? 0 }),
    },
    disagreements: disagreements(items, threshold),
  };
}

function byScenario(items: readonly JudgedItem[], seed: number): CalibrationReport['scenarios'] {
  const groups = Map.groupBy(
    items.filter(({ comparison }) => comparison?.human.passed != null),
    ({ scenario }) => scenario,
  );
  return [...groups].map(([scenario, group]) => {
    const labelled = labelledOf(joinCopies(group.flatMap(({ comparison }) => comparison ?? [])));
    return { scenario, ...agreementOf(labelled, seededRandom(seed, 'scenario', scenario ?? '')) };
  });
}

/** The overall verdict; without labels for that, the verdict of the weakest criterion. */
function verdictOf(
  overall: CalibrationReport['overall'],
  criteria: CalibrationReport['criteria'],
): Pick<CalibrationReport, 'verdict' | 'reason'> {
  const labelled = criteria.filter(({ n }) => n > 0);
  const [weakest] = labelled.toSorted((a, b) => rank(a) - rank(b));
  if (overall.n > 0 || !weakest) return { verdict: overall.verdict, reason: overall.reason };
  return { verdict: weakest.verdict, reason: `of its criteria "${weakest.name}" is the weakest: ${weakest.reason}` };
}

function rank({ verdict }: { verdict: CalibrationReport['verdict'] }): number {
  return CALIBRATION_VERDICTS.indexOf(verdict);
}

/** What the figures of a calibration take into account, and what they assume: a sentence each. */
function sampleNotes(
  comparisons: readonly Comparison[],
  { overall, skipped }: { overall: Agreement; skipped: number },
): string[] {
  const places = comparisons.flatMap(({ sample }) => sample ?? []);
  const copies = comparisons.length - joinCopies(comparisons).length;
  const notes: string[] = [];
  if (copies > 0) {
    notes.push(
      `${copies} ${copies === 1 ? 'label is' : 'labels are'} on copies of an answer that has one: copies count once.`,
    );
  }
  if (overall.cases !== undefined) {
    notes.push(
      `The ${overall.n} labelled answers are of ${overall.cases} ${overall.cases === 1 ? 'case' : 'cases'}. Answers of one case may be alike, so the intervals are those of cases.`,
    );
  } else if (places.length > 1 && places.every(({ cluster, copy }) => cluster === null && copy === null)) {
    notes.push(
      'No label names its case, task or id, so each is taken for another answer that is independent of the others.',
    );
  }
  if (places.some(({ weight }) => weight !== null)) {
    notes.push('Doubtful trials were more likely to be drawn, so each label is weighted by its chance of being drawn.');
    const chosen = places.filter(({ weight }) => weight === null).length;
    if (chosen > 0) {
      notes.push(
        `${chosen} ${chosen === 1 ? 'label is on a trial' : 'labels are on trials'} that a person chose: without a chance of being drawn, each counts as one trial.`,
      );
    }
  }
  if (skipped > 0) {
    notes.push(
      `${skipped} ${skipped === 1 ? 'trial was' : 'trials were'} drawn and not labelled. If these are the difficult ones, the judge looks better than it is.`,
    );
  }
  return notes;
}

import { type CalibrationOutcome, calibrateRecorded } from '../../../judge/calibration/calibrate-judge.ts';
import { drawWeights } from '../../../judge/calibration/draw-trials.ts';
import { peoplesAgreement, peoplesVerdict } from '../../../judge/calibration/people.ts';
import type { Project } from '../../../scenario/schema/project-schema.ts';
import { judgesOf } from '../../../store/judge-tables.ts';
import type { Store } from '../../../store/store.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { calibrateByLabels, type LabelsCalibration } from '../../judges/calibrate-labels.ts';
import { placeOf } from '../page-hrefs.ts';

/** How far a judge agrees with the labels of people, or the verdicts of whole trials do. */
export type LabelAgreement = ReturnType<typeof agreementView>;

export interface AgreementSubject {
  file: string;
  scenario: string;
  assertion_id: string | null;
}

interface Place {
  store: Store;
  project: Project;
  env: Record<string, string | undefined>;
}

const MOST_DISAGREEMENTS = 50;

/** Null if there are no labels yet. */
export async function labelAgreement(place: Place, subject: AgreementSubject): Promise<LabelAgreement | null> {
  const outcome = await outcomeFor(place, subject);
  const hash = outcome?.record?.judge_hash;
  const stored = hash === undefined ? null : await judgesOf(place.store).getCalibration(hash);
  return outcome && agreementView(outcome, stored?.created_at ?? null);
}

/** Stores the agreement as the calibration of the judge. Throws if it tells too little. */
export async function keepAgreement(place: Place, subject: AgreementSubject): Promise<LabelAgreement> {
  const outcome = await outcomeFor(place, subject);
  if (!outcome?.record) {
    throw new SalvoError(
      'CALIBRATION_NOT_STORED',
      `Not stored: ${outcome?.notKept ?? 'there are no labels for this judge'}.`,
    );
  }
  await judgesOf(place.store).saveCalibration(outcome.record);
  return agreementView(outcome, outcome.record.created_at);
}

async function outcomeFor(place: Place, { assertion_id, ...scenario }: AgreementSubject) {
  if (assertion_id === null) return calibrateTrials(place.store, scenario);
  try {
    return await calibrateByLabels({ ...place, chosen: { ...scenario, assertion_id } });
  } catch (error) {
    if (error instanceof SalvoError && error.code === 'LABELS_MISSING') return null;
    throw error;
  }
}

/** People against the verdicts of whole trials, which many assertions may have decided. */
async function calibrateTrials(
  store: Store,
  { file, scenario }: Pick<AgreementSubject, 'file' | 'scenario'>,
): Promise<LabelsCalibration | null> {
  const labels = (await judgesOf(store).listLabels()).filter(
    (label) => label.assertion_id === null && label.file === file && label.scenario === scenario,
  );
  if (labels.length === 0) return null;
  const items = [];
  const groups = [...Map.groupBy(labels, ({ trace_id }) => trace_id)];
  const { weights, skipped } = drawWeights(groups.map(([, own]) => own));
  for (const [position, [traceId, own]] of groups.entries()) {
    const result = (await store.findTrialOfTrace(traceId))?.result;
    const judge =
      result && result.status !== 'unscored' ? { passed: result.status === 'passed', score: result.score } : null;
    const { passed } = peoplesVerdict(own);
    items.push({
      ...{ line: position + 1, scenario, case: own[0]?.case ?? null, task: null, response: null, panel: [], said: [] },
      ...{ answer: result?.answer_hash ?? null, weight: weights[position] ?? null },
      comparison: judge && { human: { passed, score: null }, judge, votes: [[judge.passed]] },
      error: judge ? null : 'it was not scored',
    });
  }
  const outcome: CalibrationOutcome = {
    ...calibrateRecorded(items, { threshold: 0.5, skipped }),
    notKept: 'only the calibration of a judge is stored',
  };
  return {
    ...outcome,
    people: peoplesAgreement(labels),
    places: groups.flatMap(([, [label]]) => (label ? [placeOf(label)] : [])),
    otherJudge: 0,
    withoutJudgement: 0,
  };
}

function agreementView(outcome: LabelsCalibration, storedAt: string | null) {
  const { report, judge, people, places, disagreements } = outcome;
  const { overall } = report;
  const { sensitivity, specificity } = overall;
  return {
    /** Null: the verdicts of trials, by all their assertions. */
    judge,
    n: overall.n,
    both_passed: sensitivity.correct,
    only_people_passed: sensitivity.total - sensitivity.correct,
    both_failed: specificity.correct,
    only_judge_passed: specificity.total - specificity.correct,
    ...{ agreement: overall.agreement, kappa: overall.kappa, kappa_ci: overall.kappa_ci },
    ...{ verdict: report.verdict, reason: report.reason, notes: report.notes, people },
    criteria: report.criteria
      .filter(({ n }) => n > 0)
      .map(({ name, n, agreement, kappa, kappa_ci }) => ({ name, n, agreement, kappa, kappa_ci })),
    /** Labels that could not be used, because of each reason. */
    unscored: report.unscored.length,
    other_judge: outcome.otherJudge,
    without_judgement: outcome.withoutJudgement,
    /** Worst first. */
    disagreements: disagreements.slice(0, MOST_DISAGREEMENTS).flatMap((each) => {
      const place = places[each.line - 1];
      const { scenario, human, judge: said, criterion, reasoning } = each;
      const verdicts = { human_passed: human.passed, judge_passed: said.passed };
      return place ? [{ ...place, scenario, ...verdicts, criterion, reasoning }] : [];
    }),
    /** Why it cannot be stored as the calibration of the judge. */
    not_kept: outcome.notKept,
    /** When the stored calibration of this judge was made. */
    stored_at: storedAt,
  };
}

import { type CalibrationOutcome, calibrateStored } from '../../judge/calibration/calibrate-judge.ts';
import { drawWeights } from '../../judge/calibration/draw-trials.ts';
import type { HumanLabel } from '../../judge/calibration/human-label.ts';
import { type PeoplesAgreement, peoplesAgreement } from '../../judge/calibration/people.ts';
import type { JudgeFacts } from '../../judge/judge-facts.ts';
import { judgeFacts } from '../../judge/judge-hash.ts';
import { judgeSettings } from '../../judge/scenario-judges.ts';
import { replayCommand } from '../../report/run/words/replay-command.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import { shellQuote } from '../../text/output/quote-output.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import { openProjectModels } from '../project/project-models.ts';
import { placeOf, type TrialPlace } from '../view/page-hrefs.ts';
import { type LabelledJudge, type StoredJudgement, storedJudgements } from './labelled-judgements.ts';

export interface LabelsCalibration extends CalibrationOutcome {
  people: PeoplesAgreement;
  /** Where each item is, by its line: line 1 is the first. */
  places: TrialPlace[];
  /** Labels for the judge that cannot be used: another judge, or none, has judged their conversations last. */
  otherJudge: number;
  withoutJudgement: number;
}

/**
 * Compares a judge with the labels that people gave in the viewer, by the verdicts that are stored: no model is asked.
 * Labels from all scenarios with the same judge count. Without `chosen`, all labels must be for one judge.
 */
export async function calibrateByLabels(options: {
  store: Store;
  project: Project;
  env: Record<string, string | undefined>;
  chosen?: Partial<LabelledJudge> | undefined;
  /** A run whose imported outcomes are the labels, instead of those that people gave. */
  given?: RunRecord | undefined;
  recalibrate?: boolean | undefined;
  now?: Date | undefined;
}): Promise<LabelsCalibration> {
  const { store, chosen = {}, now = new Date() } = options;
  const { judged, withoutJudgement, unreadable } = await storedJudgements(store, options.given);
  const fitting = judged.filter((each) => fits(each, chosen));
  if (options.given && fitting.length === 0) throw noGivenOutcomes(options.given);
  const newest = theJudge(fitting, { withoutJudgement, isGiven: options.given !== undefined });
  const own = judged.filter(({ key }) => key === newest.key);
  const { judge, unknownBecause } = await factsOf(newest, options);
  const { weights, skipped } = drawWeights(own.map(({ labels }) => labels));
  const outcome = await calibrateStored(
    own.map(({ judgement }, index) => ({ ...judgement, weight: weights[index] ?? null })),
    { judge, unknownBecause, skipped, recalibrate: options.recalibrate, now },
  );
  const commands = own.map(({ labels: [label] }) => label && replayOf(label));
  return {
    ...outcome,
    report: withNotes(outcome.report, [
      ...(options.given
        ? [`The labels are the outcomes that were given with the conversations of run ${options.given.run_id}.`]
        : []),
      ...(unreadable > 0
        ? [`Stored labels that can't be read, and count neither for nor against the judge: ${unreadable}.`]
        : []),
    ]),
    disagreements: outcome.disagreements.map((each) => {
      const shown_by = commands[each.line - 1];
      return shown_by === undefined ? each : { ...each, shown_by };
    }),
    people: peoplesAgreement(own.flatMap(({ labels }) => labels)),
    places: own.flatMap(({ labels: [label] }) => (label ? [placeOf(label)] : [])),
    otherJudge: fitting.filter(({ key }) => key !== newest.key).length,
    withoutJudgement,
  };
}

function withNotes(report: LabelsCalibration['report'], notes: readonly string[]): LabelsCalibration['report'] {
  return { ...report, notes: [...report.notes, ...notes] };
}

function replayOf({ run_id, scenario, case: caseName, trial_number }: HumanLabel): string {
  return replayCommand({ runId: run_id, scenario, caseName, trialNumber: trial_number });
}

function fits({ file, scenario, assertion_id }: StoredJudgement, chosen: Partial<LabelledJudge>): boolean {
  return (
    (chosen.file === undefined || chosen.file === file) &&
    (chosen.scenario === undefined || chosen.scenario === scenario) &&
    (chosen.assertion_id === undefined || chosen.assertion_id === assertion_id)
  );
}

/** The newest judgement of the only judge that can be meant. A judge that was changed meanwhile is the newest one. */
function theJudge(
  fitting: readonly StoredJudgement[],
  { withoutJudgement, isGiven }: { withoutJudgement: number; isGiven: boolean },
) {
  const places = Map.groupBy(fitting, ({ file, scenario, assertion_id }) =>
    JSON.stringify([file, scenario, assertion_id]),
  );
  const newest = [...places.values()].flatMap((group) =>
    group.toSorted((a, b) => (a.judgedAt < b.judgedAt ? 1 : -1)).slice(0, 1),
  );
  const [first, ...others] = newest;
  if (!first) throw noLabels(withoutJudgement);
  if (others.every(({ key }) => key === first.key)) return first;
  const choices = newest.map(({ file, assertion_id }) => {
    const id = shellQuote(assertion_id);
    if (isGiven) return `\n  ${salvoCommand()} calibrate --given --assertion ${id}`;
    return `\n  ${salvoCommand()} calibrate --scenario ${shellQuote(file)} --assertion ${id}`;
  });
  throw new SalvoError(
    'JUDGE_AMBIGUOUS',
    `The stored labels are for ${newest.length} judges. Choose one:${choices.join('')}`,
  );
}

function noGivenOutcomes({ run_id }: RunRecord): SalvoError {
  const message = `No judge has judged conversations with a given outcome in run ${run_id}. \`salvo reeval RUN --scenario FILE\` of an imported run does.`;
  return new SalvoError('LABELS_MISSING', message, { outcome: 'unscored' });
}

function noLabels(withoutJudgement: number): SalvoError {
  const why =
    withoutJudgement > 0
      ? `No judge has judged the ${withoutJudgement} conversations with labels. \`salvo reeval\` does.`
      : 'No labels are stored for a judge. Give some in `salvo view`, or name a file: salvo calibrate labels.jsonl.';
  return new SalvoError('LABELS_MISSING', why, { outcome: 'unscored' });
}

/** The facts about a judge, if the project's settings still describe it. */
async function factsOf(
  { assertion, judgeHash, hasTemplates }: StoredJudgement,
  { project, env }: { project: Project; env: Record<string, string | undefined> },
): Promise<{ judge: JudgeFacts | null; unknownBecause: string | null }> {
  if (hasTemplates) {
    return { judge: null, unknownBecause: 'its criteria differ between cases, and a calibration is about one rubric' };
  }
  const changed = 'the settings of the judge have changed since; `salvo reeval` asks the current one';
  await using services = await openProjectModels({ project, env });
  try {
    const facts = assertion?.criteria && judgeFacts(judgeSettings(assertion, project.config.judge), services.models);
    if (facts && contentHash(facts) === judgeHash) return { judge: facts, unknownBecause: null };
  } catch (error) {
    // Its adapter may be gone.
    if (!(error instanceof SalvoError)) throw error;
  }
  return { judge: null, unknownBecause: changed };
}

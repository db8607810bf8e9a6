import { z } from 'zod';
import { trialStatusSchema } from '../../evaluators/eval-result.ts';
import type { CalibrationOf } from '../../judge/calibration/judges-in-use.ts';
import type { PeoplesVerdict } from '../../judge/calibration/people.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { JudgeServices } from '../conduct/run-request.ts';
import { scenarioSummarySchema, type Verdict } from '../record/run-document.ts';
import type { RunRecord, RunRecorder, TrialsOfRun } from '../record/run-record.ts';

const changedTrialSchema = z.object({
  /** The name of the case; null without data. */
  case: z.string().nullable(),
  trial_number: z.int(),
  before: trialStatusSchema,
  after: trialStatusSchema,
  score_before: z.number().nullable(),
  score_after: z.number().nullable(),
});

/** The same traces judged by the earlier assertions and by the current ones. */
export const reevaluatedSchema = z.object({
  name: z.string(),
  /** Fields that influence the agent and differ from those that the traces were recorded with. */
  task_changes: z.array(z.string()),
  before: scenarioSummarySchema,
  after: scenarioSummarySchema,
  changed_trials: z.array(changedTrialSchema),
  /** Tools that answered otherwise than in a trial when its calls were played again; missing if there are none. */
  other_answers: z.array(z.string()).optional(),
});

export type ChangedTrial = z.infer<typeof changedTrialSchema>;
export type ReevaluatedScenario = z.infer<typeof reevaluatedSchema>;

export interface Reevaluation {
  run: RunRecord;
  /** Why the budget refused judges; null when it did not. */
  budgetRefusal: string | null;
  verdict: Verdict;
  exitCode: number;
  scenarios: ReevaluatedScenario[];
}

export type ReevaluateEvent =
  | { type: 'reevaluation_started'; total: number }
  | { type: 'trial_started'; scenario: string; trialNumber: number }
  /** Its result follows, unless it was interrupted. */
  | { type: 'trial_ended'; scenario: string; trialNumber: number }
  /** `run` is the new run, which stores the result. */
  | { type: 'trial_finished'; run: RunRecord; scenario: number; result: TrialResult };

export interface ReevaluateOptions {
  /** The run whose traces are judged again. */
  source: RunRecord;
  /** The current version of a scenario of the source, by position; null if it is not judged again. */
  scenarioOf: (index: number) => LoadedScenario | null;
  only?: TrialsOfRun | undefined;
  recorder: RunRecorder;
  /** Hashes of the files of assertions, by their paths from the root. */
  assertionFiles?: Record<string, string> | undefined;
  judgeServices?: JudgeServices | undefined;
  /** The ids of runs that judges compare answers with. */
  comparedRuns?: Readonly<Record<string, string>> | undefined;
  /** What people said of a trace for an assertion: a judge may leave doubtful trials to them. */
  peopleOn?: ((traceId: string, assertionId: string) => Promise<PeoplesVerdict | null>) | undefined;
  /** Called at the end, for every judge that was asked. */
  calibrationOf?: CalibrationOf | undefined;
  project: Project;
  budgetUsd?: number | null | undefined;
  /** Aborted: no further trial is judged. */
  stop?: AbortSignal | undefined;
  /** Aborted: what is being judged is given up, too. */
  abort?: AbortSignal | undefined;
  onEvent?: ((event: ReevaluateEvent) => void) | undefined;
}

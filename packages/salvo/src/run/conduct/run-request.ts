import type { EvaluationContext, OtherAnswer } from '../../evaluators/evaluator.ts';
import type { CalibrationOf } from '../../judge/calibration/judges-in-use.ts';
import type { WorkEvent } from '../../queue/conduct.ts';
import type { KnownOutages } from '../../queue/noticed-outages.ts';
import type { ProjectHooks } from '../../scenario/code/load-hooks.ts';
import type { Project, ProjectConfig } from '../../scenario/schema/project-schema.ts';
import type { PreparedScenario, TrialServices } from '../../trial/run-trial.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { UntilWatch } from '../compare/until/until-watch.ts';
import type { ScenarioSummary, Verdict } from '../record/run-document.ts';
import type { RunRecord, RunRecorder, RunScenario } from '../record/run-record.ts';

export type RunEvent =
  /**
   * `planned` are all trials of the run. If it is resumed: `earlierTrials` need nothing more, `repeated` had an agent that did not finish, and run again, and of
   * `judgedAgain` the stored conversations are judged.
   */
  | { type: 'run_started'; planned: number; earlierTrials: number; repeated: number; judgedAgain: number }
  | { type: 'trial_started'; scenario: number; trialNumber: number }
  /** The agent has finished or was stopped. Its result follows unless it was interrupted. */
  | { type: 'trial_ended'; scenario: number; trialNumber: number }
  | { type: 'trial_finished'; scenario: number; result: TrialResult }
  | { type: 'retry' }
  | WorkEvent;

/** What counting the trials of a run needs of a scenario. */
export type CountedScenario = Pick<PreparedScenario, 'scenario' | 'relativeFile' | 'adapterName' | 'model'>;

/** A run, by this process or by workers. */
export interface ConductedRun {
  run: RunRecord;
  /** Whether the run is stored already, with trials. */
  resumed: boolean;
  recorder: RunRecorder;
  scenarios: readonly CountedScenario[];
  judge: ProjectConfig['judge'] | undefined;
  outageOf: KnownOutages;
  /** Called when the run ends, for every judge that was asked. */
  calibrationOf?: CalibrationOf | undefined;
  /** Called when the run ends, before its verdict is stored: a baseline may judge its scenarios. */
  judgeSummaries?: ((summaries: ScenarioSummary[]) => Promise<ScenarioSummary[]>) | null | undefined;
  earlyStop?: boolean | undefined;
  /** Says which scenarios need no more trials, because the comparison with a baseline is decided. */
  watch?: UntilWatch | null | undefined;
  /** Aborted: no further trial starts, and those under way are finished. */
  stop?: AbortSignal | undefined;
  /** Aborted: the trials under way are given up, too. */
  abort?: AbortSignal | undefined;
  onEvent?: ((event: RunEvent) => void) | undefined;
}

/** A trial whose answer is compared with that of another run. */
export interface AnswerPlace extends Pick<RunScenario, 'file' | 'name' | 'adapter' | 'model' | 'scenario'> {
  caseIndex: number;
  trialNumber: number;
}

/** The answer of another run to the same case, by what an assertion calls the run. */
export type AnswersOf = (run: string, place: AnswerPlace) => Promise<OtherAnswer>;

/** What the judges of a run need. */
export interface JudgeServices extends Pick<EvaluationContext, 'models' | 'voteCache' | 'recalibrationOf'> {
  answersOf?: AnswersOf | undefined;
}

/** What performing a trial needs of its run. */
export interface TrialRequest extends Pick<ConductedRun, 'run' | 'stop' | 'onEvent'> {
  recorder: Pick<RunRecorder, 'getTrace' | 'saveTrace' | 'saveTrial' | 'saveFinished'>;
  project: Project;
  services: Omit<TrialServices, 'seed' | 'onRetry' | 'stop' | 'user'>;
  judgeServices?: JudgeServices | undefined;
  /** Workspaces are left where they are after their trials. */
  keepWorkspaces?: boolean | undefined;
}

/** A run whose trials are performed in this process. */
export interface RunRequest
  extends Omit<ConductedRun, 'scenarios' | 'judge' | 'outageOf' | 'abort'>,
    Omit<TrialRequest, 'recorder'> {
  prepared: PreparedScenario[];
  /** Of the project, besides those of scenarios in code. */
  hooks?: ProjectHooks | undefined;
  concurrency: number;
  budgetUsd: number | null;
}

export interface RunOutcome {
  runId: string;
  verdict: Verdict;
  /** As `salvo run` would exit: 0 pass, 1 fail, 2 a required assertion failed, 3 could not be scored. */
  exitCode: number;
  scenarios: { summary: ScenarioSummary }[];
  budgetRefusal: string | null;
  /** How many trials were stored before. */
  earlierTrials: number;
  /** Teardowns that failed: one sentence each. They change no result. */
  warnings: string[];
}

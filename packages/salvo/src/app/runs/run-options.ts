import type { Shard } from '../../run/record/run-record.ts';
import type { AgainstOptions } from '../compare/against.ts';
import type { Stoppable, Workplace } from '../project/open-project.ts';
import type { CandidateOptions } from '../selection/candidates.ts';
import type { RunFilesEvent } from '../selection/run-files-event.ts';
import type { ScenarioSelection } from '../selection/select-scenarios.ts';
import type { WorkerUse } from '../work/workers-door.ts';

type ChosenOptions = Pick<ScenarioSelection, 'files' | 'tags' | 'grep' | 'cases'>;

export interface RunFilesOptions extends Workplace, Stoppable, CandidateOptions, ChosenOptions, AgainstOptions {
  /** Only what did not pass in the latest run, with the adapters and models of that run unless others are named. */
  failed?: boolean | undefined;
  /** Also rows that are held out. */
  holdout?: boolean | undefined;
  /** How often each case runs, instead of what rows, scenarios and salvo.yaml say. 3 times if nothing says it. */
  trials?: number | undefined;
  concurrency?: number | undefined;
  seed?: number | undefined;
  budgetUsd?: number | undefined;
  earlyStop?: boolean | undefined;
  recordOnly?: boolean | undefined;
  /** A scenario without assertions is not an error: its answers are recorded, and nothing is judged. */
  look?: boolean | undefined;
  /** Workspaces are not removed after their trials. */
  keepWorkspaces?: boolean | undefined;
  allowUnscored?: boolean | undefined;
  /** The share of trials that must pass, instead of what scenarios and salvo.yaml say. 1 if nothing says it. */
  minPassRate?: number | undefined;
  /** The mean score that a scenario must reach, instead of what scenarios and salvo.yaml say. */
  minScore?: number | undefined;
  retries?: number | undefined;
  /** False: judges' cached votes are ignored. */
  judgeCache?: boolean | undefined;
  /** True: judges are asked about the anchors of their calibrations before the first trial; at most 20 calls each. */
  checkJudge?: boolean | undefined;
  /** A file on which the models' answers are recorded, or from which they are replayed. */
  modelCassette?: string | undefined;
  /** record: call models, and record anew; replay: never call one; live: leave cassettes alone. By default, a file that exists is replayed, and any other is recorded, except in CI. */
  cassettes?: 'record' | 'replay' | 'live' | undefined;
  /** How workers are used, if the project has a database for them. */
  workers?: WorkerUse | undefined;
  onEvent?: ((event: RunFilesEvent) => void) | undefined;
}

export interface ResumeRunOptions extends RunFilesOptions {
  /** The run to complete: its id, the beginning of it, or `latest`. */
  run: string;
  /** The run may go on although its agent changed: its trials are then those of two agents, and its reports say so. */
  mixed?: boolean | undefined;
}

/** What `runFiles`, `resumeRun` and `runShard` have in common. */
export interface PerformRunOptions extends RunFilesOptions, Partial<Pick<ResumeRunOptions, 'mixed'>> {
  /** The run to complete, if there is one already. */
  resume?: string | undefined;
  /** Only this part of the trials, with its share of budget and limits. `mergeParts` joins the parts of all shards. */
  shard?: Shard | undefined;
}

import type { CommandFunction, LongCommandOptions, PatientCommandOptions } from 'salvo/kit/commands';
import type { ReportTargets } from 'salvo/kit/run-command';

export interface WorkerCommandOptions extends LongCommandOptions, PatientCommandOptions {
  concurrency?: number | undefined;
  labels?: string[] | undefined;
  /** True: all code. */
  allowCode?: true | string[] | undefined;
  /** `NAME` and `NAME=HOST`. True: all variables, for all servers. */
  env?: true | string[] | undefined;
  run?: string | undefined;
  idleExitSeconds?: number | undefined;
}

export interface AttachCommandOptions extends ReportTargets, LongCommandOptions, PatientCommandOptions {
  target: string;
}

/** The commands. The program knows only these signatures, so that parsing is tested without running them. */
export interface WorkerCommands {
  worker: CommandFunction<WorkerCommandOptions>;
  attach: CommandFunction<AttachCommandOptions>;
}

import type { CommandFunction, LongCommandOptions, PatientCommandOptions } from 'salvo/kit/commands';
import type { ReportTargets } from 'salvo/kit/run-command';
import type { WorkerOptions } from '../work/worker.ts';

export interface WorkerCommandOptions
  extends LongCommandOptions,
    PatientCommandOptions,
    Pick<WorkerOptions, 'concurrency' | 'labels' | 'run' | 'idleExitSeconds'> {
  /** True: all code. */
  allowCode?: true | string[] | undefined;
  /** `NAME` and `NAME=HOST`. True: all variables, for all servers. */
  env?: true | string[] | undefined;
}

export interface AttachCommandOptions extends ReportTargets, LongCommandOptions, PatientCommandOptions {
  target: string;
}

/** The commands. The program knows only these signatures, so that parsing is tested without running them. */
export interface WorkerCommands {
  worker: CommandFunction<WorkerCommandOptions>;
  attach: CommandFunction<AttachCommandOptions>;
}

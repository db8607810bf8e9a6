export type {
  CommandFunction,
  Given,
  LongCommandOptions,
  PatientCommandOptions,
  WorkerUseOptions,
} from '../cli/program/command-options.ts';
export type { CommandsDoor, DemoPart } from '../cli/program/commands-door.ts';
export { type CommandHelp, PRINTED, SCORED } from '../cli/program/help-entry.ts';
export {
  decimalNumber,
  FULL,
  listed,
  NO_CODE,
  QUIET,
  share,
  wholeNumber,
  withReportOptions,
} from '../cli/program/option-values.ts';
export { writeRun } from '../cli/runs/run.ts';
export { databasePatience } from '../cli/terminal/database-patience.ts';
export { detached } from '../cli/terminal/detach.ts';
export { isAscii, isDumb, printResult } from '../cli/terminal/print-result.ts';
export { salvoCommand } from '../cli/terminal/process-terminal.ts';
export { createRunProgress } from '../cli/terminal/run-progress.ts';
export type { Terminal } from '../cli/terminal/terminal.ts';
export type { WorkDisplay } from '../cli/terminal/work-display.ts';
export { createWorkProgress, type ProgressSettings } from '../cli/terminal/work-progress.ts';
export { checkWritable, writeWholeFile } from '../cli/terminal/write-file.ts';
export type { ReportTargets } from '../cli/terminal/write-reports.ts';

/** Commander is part of Salvo's dist/: packages that define commands use this one instead of a copy of their own. */
export { type Command, InvalidArgumentError, Option } from 'commander';
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
  listed,
  NO_CODE,
  QUIET,
  share,
  wholeNumber,
  withReportOptions,
} from '../cli/program/option-values.ts';
export { LABEL, LABEL_RULE } from '../scenario/schema/worker-label.ts';
export { type DatabasePatience, OUTAGE_SECONDS, PATIENCE_SECONDS } from '../store/database-url.ts';

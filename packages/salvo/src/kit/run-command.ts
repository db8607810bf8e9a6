export { writeRun } from '../cli/runs/run.ts';
export { createRunProgress } from '../cli/terminal/run-progress.ts';
export type { ReportTargets } from '../cli/terminal/write-reports.ts';

export { databasePatience } from '../cli/terminal/database-patience.ts';
export { detached } from '../cli/terminal/detach.ts';
export { isAscii, isDumb, printResult } from '../cli/terminal/print-result.ts';
export { salvoCommand } from '../cli/terminal/process-terminal.ts';
export type { Terminal } from '../cli/terminal/terminal.ts';
export type { WorkDisplay } from '../cli/terminal/work-display.ts';
export { createWorkProgress, type ProgressSettings } from '../cli/terminal/work-progress.ts';
export { checkWritable, writeWholeFile } from '../cli/terminal/write-file.ts';

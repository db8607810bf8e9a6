export { isAscii, isDumb, printResult } from '../cli/terminal/print-result.ts';
export type { Terminal } from '../cli/terminal/terminal.ts';
export type { WorkDisplay } from '../cli/terminal/work-display.ts';
export { checkWritable, writeWholeFile } from '../cli/terminal/write-file.ts';

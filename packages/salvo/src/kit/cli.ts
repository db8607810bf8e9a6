export { documentJson, type OtherKind } from '../app/documents/document-kinds.ts';
export { readTextFile } from '../app/project/read-text-file.ts';
export { isAscii, isDumb, printResult } from '../cli/terminal/print-result.ts';
export type { Terminal } from '../cli/terminal/terminal.ts';
export type { WorkDisplay } from '../cli/terminal/work-display.ts';
export { checkWritable, writeWholeFile } from '../cli/terminal/write-file.ts';

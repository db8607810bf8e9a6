import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** The path of a file of the project, the same on every machine. */
export function projectPath(file: string, root: string): string {
  return relative(root, file).split(sep).join('/');
}

/** The text of a file of code. Git may change line ends on other machines, which changes nothing about the code. */
export function codeText(file: string): string {
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
}

/** The paths and texts of files, in an order that does not depend on how they were found. */
export function codeContents(files: Iterable<string>, root: string): [path: string, text: string][] {
  return [...files].map((file): [string, string] => [projectPath(file, root), codeText(file)]).toSorted();
}

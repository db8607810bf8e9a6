import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Report } from '../diagnostics/problem.ts';
import type { Path } from '../yaml/located-value.ts';

export interface FileReference {
  file: unknown;
  /** What the file is relative to. */
  folder: string;
  path: Path;
}

/** Reports a file that is named but not there. */
export function checkFileExists(report: Report, { file, folder, path }: FileReference): void {
  if (typeof file !== 'string' || file === '') return;
  const absolute = resolve(folder, file.replaceAll('\0', ''));
  const stats = statSync(absolute, { throwIfNoEntry: false });
  if (stats?.isFile()) return;
  report({
    code: 'missing-file',
    message: stats ? `${file} is not a file` : `${file} does not exist`,
    hint: `it is looked for at ${absolute}`,
    path,
  });
}

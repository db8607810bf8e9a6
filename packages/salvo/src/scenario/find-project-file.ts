import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest salvo.yaml from a folder upwards. */
export function findProjectFile(folder: string): string | null {
  for (const name of ['salvo.yaml', 'salvo.yml']) {
    const file = join(folder, name);
    if (existsSync(file)) return file;
  }
  const parent = dirname(folder);
  return parent === folder ? null : findProjectFile(parent);
}

import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { shortHash } from '../../run/compare/yardstick.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { fileWithNamed, isInstalled } from '../project/named-files.ts';
import { filesOfCases } from './files-of-cases.ts';

/**
 * What the files say by which trials are judged: a hash for each, by its path from the root. The hash of a module covers
 * the files that it imports, so that runs which were judged by different code are not compared. Missing files are left
 * out: the trials will say so.
 */
export function assertionFiles(
  scenarios: Iterable<LoadedScenario>,
  { root }: Pick<Project, 'root'>,
): Record<string, string> {
  const path = (file: string) => relative(root, file).split(sep).join('/');
  const found = filesOfCases([...scenarios].map((loaded) => ({ loaded, cases: null }))).flatMap(
    ({ file, what }): [string, string][] => {
      try {
        const files =
          what === 'manifest'
            ? [file]
            : [...fileWithNamed(file, { root, accept: (each) => each.how === 'reference' && !isInstalled(each.file) })];
        const contents = files.map((each) => [path(each), readFileSync(each, 'utf8')]).toSorted();
        return [[path(file), shortHash(contents)]];
      } catch {
        return [];
      }
    },
  );
  return Object.fromEntries(found);
}

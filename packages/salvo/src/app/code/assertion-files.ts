import { checkCodeKey, shortHash } from '../../run/compare/yardstick.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { fileWithImports } from '../project/named-files.ts';
import { checkCode } from './check-code.ts';
import { codeContents, projectPath } from './code-contents.ts';
import { filesOfCases } from './files-of-cases.ts';

/**
 * What the files say by which trials are judged: a hash for each, by its path from the root. The hash of a module covers
 * the files that it imports, so that runs which were judged by different code are not compared; that of a scenario in
 * code covers what its checks use besides their own source. Missing files are left out: the trials will say so.
 */
export function assertionFiles(
  scenarios: Iterable<LoadedScenario>,
  { root }: Pick<Project, 'root'>,
): Record<string, string> {
  const all = [...scenarios];
  const named = filesOfCases(all.map((loaded) => ({ loaded, cases: null })));
  const contents: [key: string, read: () => [string, string][]][] = [
    ...named
      .filter(({ what }) => what !== 'attached')
      .map(({ file, what }): [string, () => [string, string][]] => [
        projectPath(file, root),
        () => codeContents(what === 'manifest' ? [file] : fileWithImports(file, root), root),
      ]),
    ...all.map((loaded): [string, () => [string, string][]] => [
      checkCodeKey({ file: loaded.relativeFile, name: loaded.scenario.name }),
      () => checkCode(loaded, root),
    ]),
  ];
  return Object.fromEntries(
    contents.flatMap(([key, read]) => {
      try {
        const files = read();
        return files.length === 0 ? [] : [[key, shortHash(files)]];
      } catch {
        return [];
      }
    }),
  );
}

import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { usedCodeKey } from '../../run/compare/baseline-of-run.ts';
import { shortHash } from '../../run/compare/yardstick.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { fileWithNamed, isInstalled, modulesAt } from '../project/named-files.ts';
import { filesOfCases } from './files-of-cases.ts';
import { usedCode } from './used-code.ts';

/**
 * What the files say by which trials are judged: a hash for each, by its path from the root. The hash of a module covers
 * the files that it imports, so that runs which were judged by different code are not compared. Functions of a scenario
 * in code have one each, of what they use of their module and its imports. Missing files are left out: the trials will
 * say so.
 */
export function assertionFiles(
  scenarios: Iterable<LoadedScenario>,
  { root }: Pick<Project, 'root'>,
): Record<string, string> {
  const all = [...scenarios];
  const path = (file: string) => relative(root, file).split(sep).join('/');
  const contentsOf = (file: string) =>
    [...fileWithNamed(file, { root, accept: (each) => each.how === 'reference' && !isInstalled(each.file) })]
      .map((each) => [path(each), readFileSync(each, 'utf8')])
      .toSorted();
  const ofFiles = filesOfCases(all.map((loaded) => ({ loaded, cases: null }))).flatMap(({ file, what }) =>
    hashed(path(file), () => (what === 'manifest' ? [[path(file), readFileSync(file, 'utf8')]] : contentsOf(file))),
  );
  const ofFunctions = all.flatMap(({ file, relativeFile, scenario, functions }) =>
    namedFunctions({ scenario, functions }).flatMap(({ name, given }) =>
      hashed(`${usedCodeKey(relativeFile, scenario.name)}${name}`, () => {
        const used = usedCode(readFileSync(file, 'utf8'), { name: given.name, source: String(given) });
        const imports = used.specifiers.flatMap((each) => modulesAt(each, file));
        return used.texts.length === 0 ? null : [used.texts, ...imports.map(contentsOf)];
      }),
    ),
  );
  return Object.fromEntries([...ofFiles, ...ofFunctions]);
}

function hashed(key: string, contents: () => unknown): [string, string][] {
  try {
    const found = contents();
    return found === null ? [] : [[key, shortHash(found)]];
  } catch {
    return [];
  }
}

/** The functions by which trials are judged: checks by their id, and what tools answer. */
function namedFunctions({ scenario, functions }: Pick<LoadedScenario, 'scenario' | 'functions'>) {
  const mocks = [...(functions?.mocks ?? [])].flatMap(([index, own]) =>
    [...own].map(([position, given]) => {
      const name = `the tool ${scenario.tools[index]?.name}`;
      return { name: position < 1 ? name : `${name} (mock ${position + 1})`, given };
    }),
  );
  return [...[...(functions?.checks ?? [])].map(([id, given]) => ({ name: `the assertion ${id}`, given })), ...mocks];
}

import { basename, extname, relative, sep } from 'node:path';
import { isRecord } from '../text/json/is-record.ts';
import { didYouMean } from '../text/words/did-you-mean.ts';
import { list } from '../text/words/value-words.ts';
import { loadYaml } from './yaml/load-yaml.ts';

/** Files are opened to read their names, so a large project is only searched in part. */
const MOST_FILES = 200;
const MOST_LISTED = 3;

export interface ScenarioGuess {
  /** What was taken for a file. */
  pattern: string;
  /** All scenario files of the project and of the folder that was searched. */
  files: readonly string[];
  projectRoot: string;
  /** Files are shown relative to this folder. */
  cwd: string;
}

/** A sentence about what was most likely meant by a pattern that matches no file; empty when nothing is near. */
export function suggestScenario({ pattern, files, projectRoot, cwd }: ScenarioGuess): string {
  if (/[*?[\]{}]/.test(pattern)) return '';
  const known = files.slice(0, MOST_FILES).map((file) => ({
    file: relative(cwd, file).replaceAll(sep, '/'),
    names: [...new Set([stem(file), nameIn(file, projectRoot)])].filter((name) => name !== undefined),
  }));
  const named = known.filter(({ names }) => names.includes(pattern)).map(({ file }) => file);
  if (named.length > 0) {
    const shown = named.slice(0, MOST_LISTED);
    const more = named.length > shown.length ? [`${named.length - shown.length} more`] : [];
    return ` A scenario of that name is in ${list([...shown, ...more], 'and')}: use that path.`;
  }
  const guess = closestFile(pattern, known);
  return guess === undefined ? '' : ` Did you mean ${guess}?`;
}

function closestFile(pattern: string, known: readonly { file: string; names: string[] }[]): string | undefined {
  const files = known.map(({ file }) => file);
  // Without the extension, which makes short names look alike.
  const byName = new Map(known.flatMap(({ file, names }) => names.map((name) => [name, file] as const)));
  const name = didYouMean(stem(pattern), byName.keys());
  return (name === undefined ? undefined : byName.get(name)) ?? didYouMean(pattern, files);
}

function stem(file: string): string {
  return basename(file, extname(file));
}

function nameIn(file: string, projectRoot: string): string | undefined {
  const value = loadYaml({ file, projectRoot }).root?.value;
  return isRecord(value) && typeof value.name === 'string' ? value.name : undefined;
}

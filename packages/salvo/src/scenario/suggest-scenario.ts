import { basename, extname, relative, sep } from 'node:path';
import { isRecord } from '../text/json/is-record.ts';
import { didYouMean } from '../text/words/did-you-mean.ts';
import { list } from '../text/words/value-words.ts';
import { loadYamlDocuments } from './yaml/load-yaml.ts';

/** Files are opened to read their names, so a large project is only searched in part. */
const MOST_FILES = 200;
const MOST_LISTED = 5;
const LONGEST_NAME = 100;

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
  const known = files.slice(0, MOST_FILES).map((file) => {
    const written = namesIn(file, projectRoot);
    const shown = relative(cwd, file).replaceAll(sep, '/');
    return { file: shown, written, name: written[0], names: [...new Set([stem(file), ...written])] };
  });
  const named = known.filter(({ written }) => written.includes(pattern)).map(({ file }) => file);
  if (named.length > 0) return ` A scenario of that name is in ${some(named)}: use that path.`;
  const sameFile = known.filter(({ names }) => names.includes(pattern));
  if (sameFile.length > 0) {
    const scenarios = sameFile.map(({ file, name }) => (name === undefined ? file : `${file} (scenario ${name})`));
    return ` A file of that name is ${some(scenarios)}: use that path.`;
  }
  const guess = closestFile(pattern, known);
  if (guess !== undefined) return ` Did you mean ${guess}?`;
  const isName = !pattern.includes('/') && extname(pattern) === '' && pattern.length <= LONGEST_NAME;
  return isName && known.length > 0 ? ` There are ${some(known.map(({ name, file }) => name ?? file))}.` : '';
}

function some(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST_LISTED);
  const more = texts.length > shown.length ? [`${texts.length - shown.length} more`] : [];
  return list([...shown, ...more], 'and');
}

function closestFile(pattern: string, known: readonly { file: string; names: string[] }[]): string | undefined {
  const files = known.map(({ file }) => file);
  // Without the extension, which makes short names look alike.
  const byName = new Map(known.flatMap(({ file, names }) => names.map((name) => [name, file] as const)));
  const name = didYouMean(stem(pattern), byName.keys());
  return (name === undefined ? undefined : byName.get(name)) ?? didYouMean(pattern, files);
}

function stem(file: string): string {
  return basename(file, extname(file)).replace(/\.scenario$/, '');
}

function namesIn(file: string, projectRoot: string): string[] {
  return loadYamlDocuments({ file, projectRoot }).roots.flatMap(({ value }) =>
    isRecord(value) && typeof value.name === 'string' ? [value.name] : [],
  );
}

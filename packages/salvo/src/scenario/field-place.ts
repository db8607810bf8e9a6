import { readFileSync } from 'node:fs';
import { type Span, sourceText } from '../text/source-text.ts';
import { codePlace } from './code/code-place.ts';
import { locate, type Path, valueAt } from './diagnostics/located-value.ts';
import { isCodeFile } from './find-scenario-files.ts';
import { loadYaml } from './yaml/load-yaml.ts';

/** Where the file of a scenario says something, such as its name; the beginning of the file if that is unknown. */
export function fieldPlace(file: string, path: Path, { root }: { root: string }): Span {
  const source = sourceText({ file, text: readFileSync(file, 'utf8') });
  if (isCodeFile(file)) return codePlace(source, path);
  const loaded = loadYaml({ file, projectRoot: root }).root;
  const isThere = valueAt(loaded?.value, path) !== undefined;
  return loaded && isThere ? locate(loaded, path, 'value').span : { source, start: 0, end: 0 };
}

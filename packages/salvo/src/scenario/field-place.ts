import { readFileSync } from 'node:fs';
import { type Span, sourceText } from '../text/source-text.ts';
import { codePlace } from './code/code-place.ts';
import { locate } from './diagnostics/located-value.ts';
import { isCodeFile } from './find-scenario-files.ts';
import { loadYaml } from './yaml/load-yaml.ts';

/** Where the file of a scenario says something, such as its name; the beginning of the file if that is unknown. */
export function fieldPlace(file: string, field: string, { root }: { root: string }): Span {
  const source = sourceText({ file, text: readFileSync(file, 'utf8') });
  if (isCodeFile(file)) return codePlace(source, [field]);
  const loaded = loadYaml({ file, projectRoot: root }).root;
  const value: unknown = loaded?.value;
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, field);
  return loaded && isThere ? locate(loaded, [field], 'value').span : { source, start: 0, end: 0 };
}

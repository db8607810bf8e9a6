import { readFileSync } from 'node:fs';
import { type Span, sourceText } from '../text/source-text.ts';
import { codePlace } from './code/code-place.ts';
import { locate, type Path, valueAt } from './diagnostics/located-value.ts';
import { isCodeFile } from './find-scenario-files.ts';
import { loadYamlDocuments } from './yaml/load-yaml.ts';

/**
 * Where the file of a scenario says something, such as its name; the beginning of the file if that is unknown. `name` is
 * that of the scenario, if the file may have several.
 */
export function fieldPlace(file: string, path: Path, { root, name }: { root: string; name?: string }): Span {
  const source = sourceText({ file, text: readFileSync(file, 'utf8') });
  if (isCodeFile(file)) return codePlace(source, path);
  const { roots } = loadYamlDocuments({ file, projectRoot: root });
  const found = roots.filter(({ value }) => valueAt(value, path) !== undefined);
  const named = found.find(({ value }) => name !== undefined && valueAt(value, ['name']) === name) ?? found[0];
  return named ? locate(named, path, 'value').span : { source, start: 0, end: 0 };
}

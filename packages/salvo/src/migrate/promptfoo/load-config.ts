import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { looksLikePromptfoo } from '../../scenario/checks/promptfoo-config.ts';
import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { isInside } from '../../scenario/yaml/read-source.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { sourceText } from '../../text/source-text.ts';
import { executeModule } from '../source/execute-module.ts';
import { childOf, locatedMap, placeOfKey, problemAt } from '../source/located.ts';
import { isCodeFile, SourceFiles } from '../source/source-files.ts';
import { resolveReferences } from './references.ts';

const ENDINGS = ['yaml', 'yml', 'json', 'js', 'mjs', 'cjs', 'ts', 'mts', 'cts'];

export interface PromptfooConfig {
  root: LocatedValue;
  files: SourceFiles;
  /** Absolute. */
  file: string;
}

/** The config of promptfoo: the one that is named, or `promptfooconfig.yaml` and the like in the folder. */
export async function loadPromptfooConfig({
  config,
  cwd,
}: {
  config: string | undefined;
  cwd: string;
}): Promise<PromptfooConfig> {
  const file = config === undefined ? defaultConfig(cwd) : resolve(cwd, config);
  const files = new SourceFiles(isInside(cwd, file) ? cwd : dirname(file));
  const read = isCodeFile(file) ? await executedConfig(file) : files.chosen(file);
  if (!isRecord(read.value) || !looksLikePromptfoo(read.value)) {
    const hint = 'a config of promptfoo has `prompts`, `providers` and `tests`';
    throw problemAt(read, { code: 'not-a-scenario', message: 'this is no config of promptfoo', hint });
  }
  return { root: resolveReferences(read, files), files, file };
}

async function executedConfig(file: string): Promise<LocatedValue> {
  const from = { source: sourceText({ file, text: '' }), start: 0, end: 0 };
  if (!existsSync(file)) throw problemAt({ span: from }, { code: 'missing-file', message: `${file} does not exist` });
  const [value] = await executeModule({ file, from });
  return value ?? locatedMap([], from);
}

function defaultConfig(cwd: string): string {
  const found = ENDINGS.map((ending) => join(cwd, `promptfooconfig.${ending}`)).find((file) => existsSync(file));
  if (found) return found;
  throw new SalvoError(
    'FILE_UNREADABLE',
    `There is no promptfooconfig.yaml in ${cwd}. Name the config: salvo import promptfoo FILE.`,
  );
}

/** Red-team configs make attacks of their own, which Salvo has not. */
export function refuseRedTeam(root: LocatedValue): void {
  const redteam = childOf(root, 'redteam');
  if (!redteam || childOf(root, 'tests') || childOf(root, 'scenarios')) return;
  const { file, line, column } = placeOfKey(root, 'redteam');
  throw new SalvoError(
    'FILE_INVALID',
    `${file}:${line}:${column}: this is a red-team config of promptfoo, which makes its tests by a model. Red teaming is not supported.`,
    { location: { file, line, column } },
  );
}

import { readFileSync, statSync } from 'node:fs';
import { adapterOptionsOf, type MadeOptions, registeredAdapters } from 'salvo/kit/adapters';
import { mentionsWord } from 'salvo/kit/app';
import { scenarioJudges } from 'salvo/kit/judge';
import type { LoadedScenario, Project } from 'salvo/kit/scenario';
import { looksLikeCode } from './parcel-document.ts';

export interface AdapterInUse {
  name: string;
  options: MadeOptions;
}

const MOST_BYTES = 1024 * 1024;

/**
 * The adapters that may be called: those of the scenarios and their judges, the defaults of salvo.yaml, and each of
 * salvo.yaml whose name is written in a file that travels. The others do not travel, and need not be allowed.
 */
export function adaptersInUse(options: {
  project: Project;
  entries: readonly { loaded: LoadedScenario; adapter?: string | undefined }[];
  /** Names of further ones. */
  named: readonly string[];
  /** The files that travel. */
  files: ReadonlySet<string>;
}): AdapterInUse[] {
  const { project, entries, files } = options;
  const { config } = project;
  const judges = entries.flatMap(({ loaded }) => scenarioJudges(loaded.scenario, config.judge));
  const texts = [...files].filter(mayNameAdapters).map(textOf);
  const mentioned = Object.keys(config.adapters).filter((name) => texts.some((text) => mentionsWord(text, name)));
  const names = new Set([
    config.default_adapter,
    config.judge.adapter,
    ...entries.flatMap(({ loaded, adapter }) =>
      [adapter, loaded.scenario.adapter].filter((each) => each !== undefined),
    ),
    ...judges.flatMap((each) => each.judges.map(({ adapter }) => adapter)),
    ...options.named,
    ...mentioned,
  ]);
  return [...names].flatMap((name) => {
    const options = registeredAdapters.has(name) ? undefined : adapterOptionsOf(name, { adapters: config.adapters });
    return options ? [{ name, options }] : [];
  });
}

/** A text or a table may have the same word in it. */
function mayNameAdapters(file: string): boolean {
  return looksLikeCode(file) || /\.(?:ya?ml|json)$/i.test(file);
}

function textOf(file: string): string {
  return statSync(file).size <= MOST_BYTES ? readFileSync(file, 'utf8') : '';
}

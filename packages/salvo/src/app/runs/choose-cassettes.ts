import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { RunOptions, RunRecord, Shard } from '../../run/record/run-record.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isCi } from '../selection/select-scenarios.ts';
import type { RunFilesOptions } from './run-options.ts';

export interface CassetteChoice {
  project: Project;
  cwd: string;
  env: Record<string, string | undefined>;
  options: Pick<RunFilesOptions, 'modelCassette' | 'cassettes' | 'earlyStop' | 'trials'> & {
    shard?: Shard | undefined;
  };
  /** The run that goes on; null for a new one. */
  earlier: Pick<RunRecord, 'run_id' | 'options'> | null;
  byWorkers: boolean;
  /** Whether tools have cassettes of their own, which need no option. */
  hasToolCassettes?: boolean | undefined;
  /** Whether a run adds to a file that an earlier run of this process began, as the tests of one file do. */
  addsToOwn?: boolean | undefined;
}

export interface ChosenCassettes {
  record: NonNullable<RunOptions['cassette']>;
  /** Absolute. */
  files: string[];
  /** The cassette of an adapter; null if it has none. */
  fileOf(adapter: string): string | null;
  /** A file as messages name it. */
  shown(file: string): string;
}

/** Files that this process began to record. */
const begunHere = new Set<string>();

/** Which cassettes a run has, and whether it records or replays them; null if it calls models as they are. */
export function chooseCassettes(
  choice: CassetteChoice & {
    /** Of the models that the run calls, for agents and judges. */
    adapters: readonly string[];
  },
): ChosenCassettes | null {
  const { project, options, earlier, cwd } = choice;
  if (earlier) refuseOther(choice, earlier);
  const asked = askedMode(choice);
  if (asked === 'live' || (earlier && !earlier.options.cassette)) return null;
  const stored = earlier?.options.cassette;
  const given = options.modelCassette === undefined ? null : resolve(cwd, options.modelCassette);
  const only = stored ? stored.file && resolve(project.root, stored.file) : given;
  const byAdapter = new Map(choice.adapters.flatMap((name) => ownCassette(name, project)));
  const files = only === null ? [...new Set(byAdapter.values())] : [only];
  if (files.length === 0) {
    if (options.cassettes === undefined || choice.hasToolCassettes) return null;
    throw invalid(
      `{option:cassettes} ${options.cassettes} needs a file: give {option:modelCassette}, or set \`cassette:\` of an adapter in salvo.yaml.`,
    );
  }
  const uncovered = choice.adapters.filter((name) => only === null && !byAdapter.has(name));
  if (asked === 'replay' && uncovered.length > 0) {
    throw invalid(
      `{option:cassettes} replay calls no model, but ${uncovered.join(', ')} has no \`cassette:\` in salvo.yaml: add one, or give {option:modelCassette}.`,
    );
  }
  const shown = (file: string) => shownFile(file, choice);
  const mode = stored?.mode ?? modeOf(asked, choice, { files, shown });
  beginFiles(choice, mode, files);
  const file = only === null ? null : relative(project.root, only).split(sep).join('/');
  return { record: { mode, file }, files, shown, fileOf: (name) => only ?? byAdapter.get(name) ?? null };
}

/** What the command line or the environment says. */
export function askedMode({ options, earlier, env }: CassetteChoice): (typeof MODES)[number] | undefined {
  return options.cassettes ?? (earlier ? undefined : modeIn(env));
}

/** A file as messages name it. */
export function shownFile(file: string, { cwd, project }: Pick<CassetteChoice, 'cwd' | 'project'>): string {
  const path = relative(cwd, resolve(project.root, file));
  return path === '' || isAbsolute(path) ? file : path.split(sep).join('/');
}

/** As an entry of a map: the name, and the file that salvo.yaml gives it. */
function ownCassette(name: string, { root, config }: Project): [string, string][] {
  const options = Object.hasOwn(config.adapters, name) ? config.adapters[name] : undefined;
  return options && 'cassette' in options && options.cassette !== undefined
    ? [[name, resolve(root, options.cassette)]]
    : [];
}

const MODES = ['record', 'replay', 'live'] as const;

/** For tests, which have no command line. */
function modeIn({ SALVO_CASSETTES: mode }: CassetteChoice['env']): (typeof MODES)[number] | undefined {
  const known = MODES.find((each) => each === mode);
  if (known || !mode) return known;
  throw invalid(`SALVO_CASSETTES is ${JSON.stringify(mode)}: it is record, replay or live.`);
}

/** Like the mode `once` of other recorders: what exists is replayed, and only a file that does not exist is recorded. */
export function modeOf(
  asked: 'record' | 'replay' | undefined,
  { env, addsToOwn }: CassetteChoice,
  { files, shown }: Pick<ChosenCassettes, 'files' | 'shown'>,
): 'record' | 'replay' {
  const absent = files.filter((file) => !existsSync(file));
  const names = absent.map(shown).join(', ');
  if (asked === 'record') return asked;
  if (asked === 'replay') {
    if (absent.length === 0) return asked;
    throw missingFile(
      `${names} does not exist, and nothing is recorded with {option:cassettes} replay. Record it first: leave the option out, or use {option:cassettes} record.`,
    );
  }
  if (absent.length === 0) return addsToOwn && files.every((file) => begunHere.has(file)) ? 'record' : 'replay';
  if (isCi(env)) throw missingFile(`${names} does not exist. ${NOT_IN_CI}`);
  if (absent.length === files.length) return 'record';
  throw missingFile(
    `${names} does not exist, but other cassettes of this run do. {option:cassettes} record records all of them again.`,
  );
}

const NOT_IN_CI =
  'Nothing is recorded in CI (the variable CI is set): record the cassette on your machine, and commit it.';

/** Throws if the run cannot record the files, or cannot replay them. */
export function beginFiles(choice: CassetteChoice, mode: 'record' | 'replay', files: readonly string[]): void {
  refuseImpossible(choice, mode);
  if (mode === 'record') for (const file of files) begunHere.add(file);
}

function refuseImpossible({ options, byWorkers, project, env }: CassetteChoice, mode: 'record' | 'replay'): void {
  if (byWorkers) {
    throw invalid(
      'Workers have no cassette: the file is on this machine. Run without the database (unset SALVO_DATABASE_URL), or with {option:cassettes} live.',
    );
  }
  if (mode !== 'record') return;
  if (isCi(env)) throw invalid(NOT_IN_CI);
  if (options.shard) {
    throw invalid(
      'A shard has only a part of the trials: record without {option:shard}. Shards can replay the cassette.',
    );
  }
  if (options.earlyStop) {
    throw invalid('{option:earlyStop} leaves trials out, which could not be replayed: record without it.');
  }
  if (project.config.recording.mode !== 'full') {
    throw invalid(
      'salvo.yaml has recording.mode: metadata_only, so that no text is kept. A cassette is made of texts: it cannot be recorded.',
    );
  }
}

/** The trials of one run are all live, all recorded, or all replayed. */
function refuseOther(
  { options, cwd, project }: CassetteChoice,
  { run_id, options: then }: NonNullable<CassetteChoice['earlier']>,
) {
  const begun = then.cassette;
  const file = begun?.file ? resolve(project.root, begun.file) : null;
  const isOtherFile = options.modelCassette !== undefined && resolve(cwd, options.modelCassette) !== file;
  const isOtherMode = options.cassettes !== undefined && options.cassettes !== (begun?.mode ?? 'live');
  if (!isOtherFile && !isOtherMode) return;
  const how = begun ? `with {option:cassettes} ${begun.mode}` : 'without a cassette';
  throw new SalvoError(
    'RESUME_DIFFERS',
    `Run ${run_id} was begun ${how}: resume it without {option:modelCassette} and {option:cassettes}, or start a new run.`,
  );
}

function invalid(message: string): SalvoError {
  return new SalvoError('OPTIONS_INVALID', message);
}

function missingFile(message: string): SalvoError {
  return new SalvoError('CASSETTE_MISSING', `The cassette ${message}`);
}

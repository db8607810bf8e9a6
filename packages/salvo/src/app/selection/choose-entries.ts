import { adapterType } from '../../adapters/registry.ts';
import { nameWithoutModel } from '../../run/conduct/prepare-scenario.ts';
import { whySkipped } from '../../run/conduct/skipped-scenario.ts';
import { scenarioKey } from '../../run/record/candidate-labels.ts';
import type { FaultsOfRun, RunRecord } from '../../run/record/run-record.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import {
  adapterFromFolder,
  type Candidate,
  type CandidateOptions,
  namesCandidates,
  runCandidates,
} from './candidates.ts';
import type { FailedScenario } from './failed-cases.ts';
import { type ChosenScenario, type FailedCases, type ScenarioSelection, selectScenarios } from './select-scenarios.ts';

/** A scenario, and what it is to be run with: an entry of a run. */
export interface ChosenEntry extends ChosenScenario, Candidate {}

export interface ChosenEntries {
  /** To be run: all of one scenario, then all of the next. */
  chosen: ChosenEntry[];
  /** Scenarios that say that they are not to be run for now: one entry each, as no model would run them. */
  skipped: ChosenEntry[];
  /** How many scenarios were left out because others have `only: true`. */
  leftOut: number;
  /** What the run gives its scenarios besides their own faults. */
  faults?: FaultsOfRun | undefined;
}

export interface EntrySelection extends Omit<ScenarioSelection, 'failed'> {
  options: CandidateOptions;
  /** Only what failed in a run: with the same adapters and models, unless the options name others. */
  failed?: readonly FailedScenario[] | undefined;
}

/** What a new run consists of: the scenarios that are meant, each with every adapter and model that is meant. */
export async function chooseEntries(selection: EntrySelection): Promise<ChosenEntries> {
  const entries = await entriesWithoutFaults(selection);
  const { options, cwd } = selection;
  if (options.faults === undefined && !options.chaos) return entries;
  const { faultyEntries } = await import('./faulty-entries.ts');
  return { ...entries, ...faultyEntries(entries, { ...options, failed: selection.failed !== undefined, cwd }) };
}

async function entriesWithoutFaults({ options, failed, ...selection }: EntrySelection): Promise<ChosenEntries> {
  const candidates = runCandidates(options, selection);
  const user = candidates[0]?.user;
  const { chosen: scenarios, leftOut } = await selectScenarios({
    ...selection,
    failed: failed && failedWithAny(failed),
  });
  if (user && scenarios.length > 0 && scenarios.every(({ loaded }) => !loaded.scenario.user)) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      '{option:user} chooses the model of simulated users, but no scenario that is chosen has a `user`.',
    );
  }
  if (!failed || namesCandidates(options)) {
    const entries = scenarios.flatMap((each) => candidates.map((candidate) => ({ ...each, ...candidate })));
    return withoutSkipped(entries, leftOut);
  }
  return withoutSkipped(
    scenarios.flatMap((each) =>
      failed.flatMap(({ adapter, model, cases, ...then }) => {
        if (!isSameScenario(each.loaded, then)) return [];
        const chosen = cases === null ? each.cases : casesNamed(each, cases);
        return chosen?.length === 0 ? [] : [{ ...each, cases: chosen, adapter, model, user }];
      }),
    ),
    leftOut,
  );
}

/** What a resumed run consists of: the entries that it was begun with. Without files, its own files are meant. */
export async function entriesOfRun(
  run: RunRecord,
  { options, ...selection }: Omit<EntrySelection, 'failed' | 'grep' | 'cases'>,
): Promise<ChosenEntries> {
  const { project, cwd, files = [] } = selection;
  if (options.models || options.adapters || options.user !== undefined) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      `Run ${run.run_id} goes on with the adapters and models that it was begun with: resume it without {option:models}, {option:adapters} and {option:user}.`,
    );
  }
  if (options.faults !== undefined) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      `Run ${run.run_id} goes on with the faults that it was begun with: resume it without {option:faults}.`,
    );
  }
  const own = [...new Set(run.scenarios.map(({ file }) => file))];
  const { chosen: scenarios, leftOut } = await selectScenarios(
    files.length > 0 ? selection : { ...selection, cwd: project.root, files: own },
  );
  const faults = run.options.faults && (await import('../../run/record/faults-of-run.ts'));
  const begun = run.scenarios.map((each, index) => ({
    ...each,
    name: each.scenario.variant?.of ?? each.name,
    cases: run.options.cases?.[index] ?? null,
    index,
  }));
  // What is named again has to be the same, which is checked when the entries are prepared.
  const adapter = options.adapter === undefined ? undefined : adapterFromFolder(options.adapter, { project, cwd });
  const entries = scenarios.flatMap(({ loaded }): ChosenEntry[] => {
    const same = begun.filter((each) => isSameScenario(loaded, each));
    // Another file is refused later. A file with several scenarios may have some that the run does not have.
    if (same.length === 0) return loaded.isOneOfSeveral ? [] : [{ loaded, cases: null }];
    return same.map((each) => ({
      loaded: faults?.withFaultsOfRun(loaded, run, each.index) ?? loaded,
      cases: each.cases,
      adapter: adapter ?? each.adapter,
      model: options.model ?? each.model,
      user: each.scenario.user,
    }));
  });
  return withoutSkipped(entries, leftOut);
}

/** A scenario may have been renamed since, unless its file has several. */
function isSameScenario(now: LoadedScenario, then: { file: string; name: string }): boolean {
  return then.file === now.relativeFile && (then.name === now.scenario.name || !now.isOneOfSeveral);
}

function withoutSkipped(entries: readonly ChosenEntry[], leftOut: number): ChosenEntries {
  const isSkipped = ({ loaded, cases }: ChosenEntry) => whySkipped(loaded.scenario, cases) !== null;
  const skipped = Map.groupBy(entries.filter(isSkipped), ({ loaded }) => loaded);
  return {
    chosen: entries.filter((each) => !isSkipped(each)),
    skipped: [...skipped.values()].flatMap(([first]) => (first ? [first] : [])),
    leftOut,
  };
}

function casesNamed({ loaded, cases: chosen }: ChosenScenario, names: ReadonlySet<string>): number[] {
  const cases = scenarioCases(loaded.scenario);
  const indices = chosen ?? Array.from({ length: cases.count }, (_, index) => index);
  return indices.filter((index) => names.has(cases.fieldsOf(index)?.name ?? ''));
}

/** The adapter and the model of an entry, as its run would record them. */
export function namedCandidate(
  { loaded, adapter, model }: ChosenEntry,
  { root, config }: Project,
): { adapter: string; model: string } {
  const name = adapter ?? loaded.scenario.adapter ?? config.default_adapter;
  const type = adapterType(name, { root, adapters: config.adapters });
  const unnamed = nameWithoutModel({ type, adapterName: name });
  return { adapter: name, model: model ?? loaded.scenario.model ?? config.default_model ?? unnamed };
}

/** What failed with any adapter and model. */
function failedWithAny(failed: readonly FailedScenario[]): FailedCases {
  return [...Map.groupBy(failed, scenarioKey).values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const cases = others.reduce<FailedScenario['cases']>(
      (sum, each) => (sum === null || each.cases === null ? null : sum.union(each.cases)),
      first.cases,
    );
    return [{ file: first.file, name: first.name, cases }];
  });
}

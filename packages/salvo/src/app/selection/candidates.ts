import { readModelName } from '../../adapters/adapter-name.ts';
import { registeredAdapters } from '../../adapters/registered-adapters.ts';
import { projectAdapter } from '../../scenario/checks/written-path.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { UserChoice } from '../../trial/user/resolve-user.ts';

/** What scenarios are run with. What is undefined is as the scenario and salvo.yaml say. */
export interface Candidate {
  adapter?: string | undefined;
  model?: string | undefined;
  /** What plays its user. */
  user?: UserChoice | undefined;
}

export interface CandidateOptions {
  /** Instead of the adapter that scenarios and salvo.yaml name. The path of a module is relative to `cwd`. */
  adapter?: string | undefined;
  /** Instead of the model that scenarios and salvo.yaml name. */
  model?: string | undefined;
  /** Plays the users of scenarios, instead of the model that scenarios and salvo.yaml name: `model` or `adapter=model`. */
  user?: string | undefined;
  /** Every scenario runs with each of these adapters. */
  adapters?: string[] | undefined;
  /** Every scenario runs with each of these models, each `model` or `adapter=model`. */
  models?: string[] | undefined;
  /** A file with faults of tools, which take the place of those that the tools have themselves. */
  faults?: string | undefined;
  /** Runs every scenario with faults in several doses, as `salvo chaos` does. */
  chaos?: ChaosDoses | undefined;
}

/** A dose is the chance that a call of a tool with faults has one. */
export interface ChaosDoses {
  doses: readonly number[];
  /** The dose of each fault alone; 0: none is tried alone. */
  alone: number;
}

/**
 * What every scenario of a run is run with: the adapters and models that were asked for, or else the `matrix` of
 * salvo.yaml. One candidate without anything if neither says something.
 */
export function runCandidates(options: CandidateOptions, place: { project: Project; cwd: string }): Candidate[] {
  const user = chosenUser(options, place);
  return candidatesOf(options, place).map((each) => (user ? { ...each, user } : each));
}

/** Undefined if users are as the scenarios say. */
export function chosenUser(
  { user }: Pick<CandidateOptions, 'user'>,
  place: { project: Project; cwd: string },
): UserChoice | undefined {
  if (user === undefined) return undefined;
  if (user === '') throw wrongOptions('{option:user} has an empty name.');
  const { adapter, model } = readModelName(user);
  return { model, adapter: adapter && adapterFromFolder(adapter, place) };
}

function candidatesOf(options: CandidateOptions, { project, cwd }: { project: Project; cwd: string }): Candidate[] {
  const { adapter, model, adapters, models } = options;
  refuseBoth(model, models, 'model', 'models');
  refuseBoth(adapter, adapters, 'adapter', 'adapters');
  for (const [names, option] of [
    [models, 'models'],
    [adapters, 'adapters'],
  ] as const) {
    if (names?.length === 0 || names?.includes('')) throw wrongOptions(`{option:${option}} has an empty name.`);
  }
  if (!namesCandidates(options)) return distinct((project.config.matrix ?? [{}]).map(matrixCandidate));
  const named: Candidate[] = models?.map(readModelName) ?? [{ model }];
  const withAdapter = named.find((each) => each.adapter !== undefined);
  if (withAdapter && adapters) {
    throw wrongOptions(
      `"${withAdapter.adapter}=${withAdapter.model}" names its adapter already: leave out {option:adapters}.`,
    );
  }
  const placed = (name: string | undefined) => name && adapterFromFolder(name, { project, cwd });
  return distinct(
    (adapters ?? [adapter]).flatMap((each) =>
      named.map((of) => ({ adapter: placed(of.adapter ?? each), model: of.model })),
    ),
  );
}

function distinct(candidates: Candidate[]): Candidate[] {
  for (const [index, each] of candidates.entries()) {
    const first = candidates.findIndex((other) => other.adapter === each.adapter && other.model === each.model);
    if (first < index) throw wrongOptions(`${candidateWords(each)} is named twice: leave one of them out.`);
  }
  return candidates;
}

/** Whether the caller says what to run with, so that neither salvo.yaml nor an earlier run decides. */
export function namesCandidates({ adapter, model, adapters, models }: CandidateOptions): boolean {
  return [adapter, model, adapters, models].some((each) => each !== undefined);
}

function matrixCandidate(entry: string | Candidate): Candidate {
  return typeof entry === 'string' ? readModelName(entry) : entry;
}

function candidateWords({ adapter, model }: Candidate): string {
  if (model === undefined) return `The adapter ${adapter}`;
  return adapter === undefined ? `The model ${model}` : `The model ${model} with the adapter ${adapter}`;
}

/** A path on a command line is relative to the working directory. Elsewhere it is relative to the project. */
export function adapterFromFolder(name: string, { project, cwd }: { project: Project; cwd: string }): string {
  const { root, config } = project;
  const named = new Map(Object.entries(config.adapters).map(([key, { type }]) => [key, type]));
  const names = { named, registered: new Set(registeredAdapters.keys()) };
  return projectAdapter(name, { names, folder: cwd, projectRoot: root });
}

function refuseBoth(one: unknown, several: unknown, option: string, options: string): void {
  if (one === undefined || several === undefined) return;
  throw wrongOptions(`{option:${option}} is for one and {option:${options}} for several: give only one of them.`);
}

function wrongOptions(message: string): SalvoError {
  return new SalvoError('OPTIONS_INVALID', message);
}

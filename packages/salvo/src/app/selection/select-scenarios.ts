import { resolve } from 'node:path';
import { firstText, isHeldOut } from '../../scenario/cases/case-fields.ts';
import { type ScenarioCases, scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import { DiagnosticsError } from '../../scenario/diagnostics/diagnostics-error.ts';
import { diagnosticAt } from '../../scenario/diagnostics/problem.ts';
import { findScenarioFiles, matchesTags } from '../../scenario/find-scenario-files.ts';
import { type LoadedScenario, loadScenarios } from '../../scenario/load-scenario.ts';
import { type Project, readRoot } from '../../scenario/schema/project-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { formatPlural } from '../../stats/format.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';

export interface ScenarioSelection {
  project: Project;
  /** Patterns are relative to this folder. */
  cwd: string;
  /** Files, folders, globs, or names of scenarios; the project's `scenarios_dir` when empty. */
  files?: string[] | undefined;
  /** Only cases with all of these tags, each `tag` or `tag=value`: their own, or those of their scenario. */
  tags?: string[] | undefined;
  /** Only scenarios and cases with this text in their name. */
  grep?: string | undefined;
  /** Of what is chosen otherwise, only so many cases of each scenario: the first. */
  cases?: number | undefined;
  /** Also rows that are held out. */
  holdout?: boolean | undefined;
  /** Only these cases of these scenarios. */
  failed?: FailedCases | undefined;
}

/** Scenarios, by file (relative to the project) and name, and the names of their cases; null for the whole scenario. */
export type FailedCases = readonly { file: string; name: string; cases: ReadonlySet<string> | null }[];

/** A scenario that was chosen, and the cases of it; null for all. */
export interface ChosenScenario {
  loaded: LoadedScenario;
  cases: number[] | null;
}

/** The scenarios and cases that are meant. All files are loaded first, so that all their problems are thrown at once. */
export async function selectScenarios(selection: ScenarioSelection) {
  const { tags = [], grep, failed } = selection;
  const all = await findScenarios(selection);
  const chosen = all.flatMap(({ loaded, only }) => {
    const { scenario } = loaded;
    const all = chosenCases(scenario, [
      only === null ? null : (_, ofCase) => ofCase !== null && only.has(ofCase.index),
      tags.length === 0 ? null : hasTags(tags),
      grep === undefined ? null : hasText(grep),
      failed === undefined ? null : hasFailed(failed, loaded),
    ]);
    const cases = firstCases(
      scenario,
      selection.holdout || only ? all : withoutHeldOut(scenario, all),
      selection.cases,
    );
    return cases?.length === 0 ? [] : [{ loaded, cases }];
  });
  if (chosen.length > 0) {
    const only = chosen.filter(({ loaded }) => loaded.scenario.only);
    const meant = only.length > 0 ? only : chosen;
    const names = meant.map(({ loaded }) => ({ file: loaded.file, name: loaded.scenario.name }));
    await refuseSameNames(names, selection.project);
    // Left out: how many would be chosen as well, if others did not have `only: true`.
    return { chosen: meant, leftOut: chosen.length - meant.length };
  }
  throw new SalvoError(
    'SCENARIOS_MISSING',
    `None of ${all.length} scenarios ${whatIsMissing(
      selection,
      all.map(({ loaded }) => loaded),
    )}`,
  );
}

function whatIsMissing({ tags = [], grep, failed }: ScenarioSelection, all: readonly LoadedScenario[]): string {
  if (grep?.startsWith('=')) return `is named ${JSON.stringify(grep.slice(1))}, and no case of them is.`;
  if (grep !== undefined) return `has ${JSON.stringify(grep)} in its name, or in that of a case.`;
  if (failed) return 'has what failed in the latest run: it was renamed or removed, or other files were named.';
  return `has the tag ${tags.join(' and ')}. Their tags: ${tagNames(all) || 'none'}.`;
}

/** Decides about a case; about a scenario without data, or as a whole, if there is no case. */
type Filter = (scenario: Scenario, ofCase: FilteredCase | null) => boolean;

interface FilteredCase {
  index: number;
  /** What it is called: its name, or its number and its first text. */
  names: string[];
  tags: () => Scenario['tags'][];
}

/** Null if all cases are chosen. */
function chosenCases(scenario: Scenario, filters: readonly (Filter | null)[]): number[] | null {
  const given = filters.filter((filter) => filter !== null);
  const open = given.filter((filter) => !filter(scenario, null));
  if (open.length === 0) return null;
  if (scenario.data === undefined) return [];
  const cases = scenarioCases(scenario);
  return firstNumbers(cases.count).filter((index) => {
    const fields = cases.fieldsOf(index);
    const tags = () => [cases.scenarioOf(index).tags, fields?.tags];
    return fields !== null && open.every((filter) => filter(scenario, { index, names: namesOf(cases, index), tags }));
  });
}

/** Null if all cases are chosen. */
function withoutHeldOut(scenario: Scenario, chosen: number[] | null): number[] | null {
  const { data, holdout } = scenario;
  if (data === undefined || holdout === undefined) return chosen;
  return (chosen ?? firstNumbers(data.length)).filter((index) => !isHeldOut(data[index] ?? {}, holdout));
}

/** Null if all cases are chosen. */
function firstCases(scenario: Scenario, chosen: number[] | null, most: number | undefined): number[] | null {
  if (most === undefined || scenario.data === undefined) return chosen;
  return chosen?.slice(0, most) ?? firstNumbers(Math.min(most, scenarioCases(scenario).count));
}

function firstNumbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Each tag may be one of the scenario or one of the row. */
function hasTags(wanted: readonly string[]): Filter {
  return (scenario, ofCase) => {
    const own = ofCase?.tags() ?? [scenario.tags];
    return wanted.every((tag) => own.some((tags) => matchesTags(tags, [tag])));
  };
}

/** Of a case without a name, its number and its first text. */
function namesOf(cases: ScenarioCases, index: number): string[] {
  const name = cases.fieldsOf(index)?.name ?? '';
  const text = name === String(index + 1) ? firstText(cases.rowOf(index) ?? {}) : null;
  return text === null ? [name] : [name, text];
}

/** `=text`: one whose name is just that. */
function hasText(text: string): Filter {
  const isExact = text.startsWith('=');
  const wanted = (isExact ? text.slice(1) : text).toLowerCase();
  const isWanted = (name: string) => (isExact ? name.toLowerCase() === wanted : name.toLowerCase().includes(wanted));
  return (scenario, ofCase) =>
    ofCase?.names.some(isWanted) ?? [scenario.name, scenario.prompt_of?.scenario ?? ''].some(isWanted);
}

/** A scenario that was renamed since is known by its file, if it is the only one that failed there. */
function hasFailed(
  failed: FailedCases,
  { relativeFile: file, scenario: { name }, isOneOfSeveral }: LoadedScenario,
): Filter {
  const inFile = failed.filter((each) => each.file === file);
  const found =
    inFile.find((each) => each.name === name) ?? (inFile.length === 1 && !isOneOfSeveral ? inFile[0] : undefined);
  return (_, ofCase) => (ofCase === null ? found?.cases === null : found?.cases?.has(ofCase.names[0] ?? '') === true);
}

/** A scenario, and the positions of its cases that were named; null for all. */
interface FoundScenario {
  loaded: LoadedScenario;
  only: ReadonlySet<number> | null;
}

function whole(scenarios: readonly LoadedScenario[]): FoundScenario[] {
  return scenarios.map((loaded) => ({ loaded, only: null }));
}

/** Without files, what failed is looked for in the files that it was in. */
async function findScenarios({ project, cwd, files: given = [], failed }: ScenarioSelection): Promise<FoundScenario[]> {
  const isGiven = given.length > 0 || !failed;
  const files = isGiven ? given : [...new Set(failed.map(({ file }) => resolve(project.root, file)))];
  if (files.length === 0) return whole(await loadAll(await findScenarioFiles({ patterns: [], project, cwd }), project));
  const found = await Promise.all(files.map((pattern) => filesOrNamed(pattern, { project, cwd })));
  const loaded = await loadAll([...new Set(found.flatMap((each) => ('files' in each ? each.files : [])))], project);
  const byFile = Map.groupBy(loaded, ({ file }) => file);
  const inOrder = found.flatMap((each) =>
    'named' in each ? each.named : whole(each.files.flatMap((file) => byFile.get(file) ?? [])),
  );
  // What is named twice is run once.
  const sameScenario = Map.groupBy(inOrder, ({ loaded }) => JSON.stringify([loaded.file, loaded.scenario.name]));
  return [...sameScenario.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const only = others.reduce((sum, each) => (sum && each.only ? sum.union(each.only) : null), first.only);
    return [{ loaded: first.loaded, only }];
  });
}

/** What matches no file may be the name of a scenario, or that of a case behind it. */
async function filesOrNamed(
  pattern: string,
  { project, cwd }: { project: Project; cwd: string },
): Promise<{ files: string[] } | { named: FoundScenario[] }> {
  try {
    return { files: await findScenarioFiles({ patterns: [pattern], project, cwd }) };
  } catch (noFile) {
    if (!(noFile instanceof SalvoError && noFile.code === 'SCENARIOS_MISSING')) throw noFile;
    const all = await allScenarios({ project, cwd }).catch(() => []);
    const named = scenariosNamed(all, pattern);
    if (named.length > 0) return { named: whole(named) };
    const { casesNamed } = await import('./named-cases.ts');
    const cases = casesNamed(pattern, (name) => scenariosNamed(all, name));
    if (cases.length > 0) return { named: cases };
    throw noFile;
  }
}

async function allScenarios({ project, cwd }: { project: Project; cwd: string }): Promise<LoadedScenario[]> {
  const files = await findScenarioFiles({ patterns: [], project, cwd });
  const attempts = await Promise.allSettled(files.map((file) => loadScenarios({ file, project })));
  return attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? attempt.value : []));
}

function scenariosNamed(loaded: readonly LoadedScenario[], name: string): LoadedScenario[] {
  const isMeant = (own: string | undefined) => own?.toLowerCase() === name.toLowerCase();
  return loaded.filter(({ scenario }) => isMeant(scenario.name) || isMeant(scenario.prompt_of?.scenario));
}

async function loadAll(files: string[], project: Project): Promise<LoadedScenario[]> {
  const attempts = await Promise.allSettled(files.map((file) => loadScenarios({ file, project })));
  const problems = attempts.flatMap((attempt) => {
    if (attempt.status === 'fulfilled') return [];
    if (attempt.reason instanceof DiagnosticsError) return attempt.reason.diagnostics;
    throw attempt.reason;
  });
  if (problems.length > 0) throw new DiagnosticsError(problems);
  return attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? attempt.value : []));
}

function tagNames(loaded: readonly LoadedScenario[]): string {
  const names = loaded.flatMap(({ scenario: { tags = [] } }) =>
    Array.isArray(tags) ? tags : Object.entries(tags).map(([name, value]) => `${name}=${value}`),
  );
  return [...new Set(names)].sort().slice(0, 20).join(', ');
}

async function refuseSameNames(scenarios: readonly { file: string; name: string }[], project: Project): Promise<void> {
  if (new Set(scenarios.map(({ name }) => name)).size === scenarios.length) return;
  const { sameNames } = await import('../../scenario/same-names.ts');
  const problems = sameNames(scenarios, project);
  if (problems.length > 0) throw new DiagnosticsError(problems);
}

export function isCi(env: Record<string, string | undefined>): boolean {
  return !['', '0', 'false'].includes(env.CI ?? '');
}

/** `only` is for work on one scenario. In CI it was left in a file by mistake, and the others would not be tested. */
export async function refuseOnlyInCi(
  chosen: readonly Pick<ChosenScenario, 'loaded'>[],
  { project, env }: { project: Project; env: Record<string, string | undefined> },
): Promise<void> {
  if (!isCi(env)) return;
  const files = new Set(chosen.flatMap(({ loaded }) => (loaded.scenario.only ? [loaded.file] : [])));
  if (files.size === 0) return;
  const { fieldPlace } = await import('../../scenario/field-place.ts');
  const problem = {
    code: 'only-in-ci',
    message: '`only: true` leaves all other scenarios out, which is refused in CI (the variable CI is set)',
    hint: 'remove it; `salvo run --grep TEXT` and `salvo run --tag TAG` choose scenarios without a change of files',
  } as const;
  throw new DiagnosticsError(
    [...files].map((file) => diagnosticAt(fieldPlace(file, ['only'], { root: readRoot(project) }), problem)),
  );
}

/** The report must say that others were left out, if any were. */
export function onlyNote(chosen: readonly Pick<ChosenScenario, 'loaded'>[], leftOut: number): string[] {
  if (leftOut === 0 || !chosen.some(({ loaded }) => loaded.scenario.only)) return [];
  return [`Only scenarios with \`only: true\` were run: ${formatPlural(leftOut, 'other')} left out.`];
}

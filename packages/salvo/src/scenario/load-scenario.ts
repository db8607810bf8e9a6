import { existsSync } from 'node:fs';
import { basename, extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { registeredAdapters } from '../adapters/registered-adapters.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { isRecord } from '../text/json/is-record.ts';
import { some } from '../text/words/value-words.ts';
import { needsTextCheck } from './checks/check-assertion-fields.ts';
import { checkScenarioWithoutData } from './checks/check-scenario.ts';
import type { ScenarioChecks } from './checks/scenario-checks.ts';
import type { FileAt } from './checks/written-path.ts';
import type { InspectedCode } from './code/inspect-code.ts';
import type { ScenarioFunctions } from './code/scenario-functions.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { DiagnosticsError, hasErrors } from './diagnostics/diagnostics-error.ts';
import { locate, valueAt } from './diagnostics/located-value.ts';
import { refuseSameNames } from './diagnostics/problem.ts';
import { isCodeFile } from './find-scenario-files.ts';
import type { KnownAdapters } from './load-project.ts';
import { scenarioHash } from './scenario-identity.ts';
import { GATE_KEYS } from './schema/gate-schema.ts';
import { type Project, readRoot } from './schema/project-schema.ts';
import type { Scenario } from './schema/scenario-schema.ts';
import { checkYaml } from './yaml/inspect-yaml.ts';
import { type LoadedYaml, loadYamlDocuments } from './yaml/load-yaml.ts';

export interface LoadedScenario {
  scenario: Scenario;
  /** Absolute path. */
  file: string;
  /** Relative to the project's root, with forward slashes. */
  relativeFile: string;
  hash: string;
  warnings: Diagnostic[];
  /** Whether its file has other scenarios, so that it is known by its name. */
  isOneOfSeveral?: boolean | undefined;
  /** Of a scenario in code. */
  functions?: ScenarioFunctions | undefined;
}

export interface ScenarioFile extends KnownAdapters {
  file: string;
  project: Project;
}

/**
 * A scenario, ready to run; or a `DiagnosticsError` with all problems of its file. `name` says which one it is if the
 * file has several.
 */
export async function loadScenario({ name, ...options }: ScenarioFile & { name?: string }): Promise<LoadedScenario> {
  const all = await loadScenarios(options);
  const [first, ...others] = all;
  // What does not depend on the prompt is the same with each of them.
  const base = first?.scenario.prompt_of?.scenario;
  const isOne = others.every(({ scenario }) => base !== undefined && scenario.prompt_of?.scenario === base);
  const found = all.find(({ scenario }) => scenario.name === name) ?? (isOne ? first : undefined);
  if (found) return found;
  const names = some(all.map(({ scenario }) => JSON.stringify(scenario.name)));
  throw new SalvoError(
    'SCENARIO_UNKNOWN',
    `${options.file} has ${all.length} scenarios${name === undefined ? '' : `, and none is named ${JSON.stringify(name)}`}: ${names}.`,
  );
}

/** The scenarios of a file: those of its YAML documents, or all that a file of code exports. Throws a `DiagnosticsError`. */
export async function loadScenarios(options: ScenarioFile): Promise<LoadedScenario[]> {
  const inspected = await inspectScenarios(options);
  if (inspected.some(({ scenario }) => scenario === null)) {
    throw new DiagnosticsError(inspected.flatMap(({ diagnostics }) => diagnostics));
  }
  return inspected.flatMap(({ scenario, file, diagnostics, functions }) => {
    if (!scenario) return [];
    const hash = scenarioHash(scenario);
    const place = { file, relativeFile: relativeFile(options.project.root, file) };
    const isOneOfSeveral = inspected.length > 1 || isCodeFile(file);
    return [{ scenario, ...place, isOneOfSeveral, hash, warnings: diagnostics, ...(functions && { functions }) }];
  });
}

/** `functions` are those of a scenario in code. */
export type InspectedScenario = Omit<InspectedCode, 'functions'> & Partial<InspectedCode> & { file: string };

/** The scenarios of a file with all their problems, warnings included. */
export async function inspectScenarios(options: ScenarioFile): Promise<InspectedScenario[]> {
  const file = resolve(options.file);
  if (!isCodeFile(file) || !existsSync(file)) return inspectYamlScenarios({ ...options, file });
  const { inspectCode } = await import('./code/inspect-code.ts');
  const inspected = await inspectCode(file, { checks: scenarioChecks({ ...options, file }) });
  return inspected.map((each) => ({ ...each, file }));
}

/**
 * The only scenario of a YAML file with all its problems, warnings included.
 * @internal Exported for its tests.
 */
export async function inspectScenario(options: ScenarioFile): Promise<InspectedScenario> {
  const file = resolve(options.file);
  const [first] = await inspectYamlScenarios({ ...options, file });
  return first ?? { file, scenario: null, diagnostics: [] };
}

/** A scenario for each document of a YAML file, and for each of its prompts. */
async function inspectYamlScenarios(options: ScenarioFile): Promise<InspectedScenario[]> {
  const { file, project } = options;
  const { roots, diagnostics } = loadYamlDocuments({ file, projectRoot: readRoot(project) });
  if (roots.length === 0) return [{ file, scenario: null, diagnostics }];
  const found: InspectedScenario[] = [];
  for (const [index, root] of roots.entries()) {
    const fileName = basename(file, extname(file));
    const defaultName = index === 0 ? fileName : `${fileName}-${index + 1}`;
    // Problems of includes are not those of one document.
    const document = { yaml: { root, diagnostics: index === 0 ? diagnostics : [] }, defaultName };
    found.push(...(await inspectDocument(document, options)));
  }
  return refuseSameNames(
    found,
    (name) => {
      const root = roots.findLast(({ value }) => valueAt(value, ['name']) === name) ?? roots.at(-1);
      return root && locate(root, ['name'], 'value').span;
    },
    'give each a `name` of its own',
  );
}

interface YamlScenario {
  yaml: LoadedYaml;
  defaultName: string;
}

async function inspectDocument(
  { yaml, defaultName }: YamlScenario,
  { file, project, knownAdapters }: ScenarioFile,
): Promise<InspectedScenario[]> {
  const value: unknown = yaml.root?.value;
  if (isRecord(value) && IS_FOREIGN.some((key) => Object.hasOwn(value, key))) {
    const { looksLikePromptfoo, promptfooProblem } = await import('./checks/promptfoo-config.ts');
    if (looksLikePromptfoo(value)) {
      const found = checkYaml(yaml, { file, check: () => ({ data: null, problems: [promptfooProblem(file)] }) });
      return [{ file, scenario: null, diagnostics: found.diagnostics }];
    }
  }
  const check =
    isRecord(value) && value.data !== undefined
      ? (await import('./checks/check-cases.ts')).checkScenario
      : checkScenarioWithoutData;
  const files = isRecord(value) && namesFiles(value) ? await import('./checks/named-files.ts') : null;
  const servers = isRecord(value) && hasToolKey(value, OF_SERVERS) ? await import('./checks/check-mcp.ts') : undefined;
  const faults =
    isRecord(value) && hasToolKey(value, ['faults']) ? await import('./faults/check-faults.ts') : undefined;
  const texts =
    isRecord(value) && needsTextChecks(value, project)
      ? await import('./checks/assertion/check-text-assertion.ts')
      : undefined;
  const expected = isRecord(value) && isCsv(value.data) ? await import('./expected/expected-columns.ts') : undefined;
  const inspected = { file, emptyHint: 'a scenario has at least a prompt' };
  const checkWith = (written: unknown, fileAt: FileAt) => {
    const checks = { ...scenarioChecks({ file, project, knownAdapters }), fileAt };
    return check(written, {
      ...checks,
      files: files?.namedFileChecks(checks),
      servers,
      texts: texts?.checkTextAssertion,
      faults: faults?.checkToolFaults,
      expected: expected?.withExpectedColumns,
    });
  };
  if (isRecord(value) && value.prompts !== undefined) {
    const { checkPrompts } = await import('./cases/check-prompts.ts');
    const place = { defaultName, readRoot: readRoot(project) };
    const { data, diagnostics } = checkYaml(yaml, {
      ...inspected,
      check: (_, fileAt) => checkPrompts(value, { fileAt, check: checkWith, ...place }),
    });
    if (!data || hasErrors(diagnostics)) return [{ file, scenario: null, diagnostics }];
    return data.map((scenario, index) => ({ file, scenario, diagnostics: index === 0 ? diagnostics : [] }));
  }
  const { data, diagnostics } = checkYaml(yaml, { ...inspected, check: checkWith });
  if (!data || hasErrors(diagnostics)) return [{ file, scenario: null, diagnostics }];
  return [{ file, scenario: { ...data, name: data.name ?? defaultName }, diagnostics }];
}

/** Keys of promptfoo that no scenario has. */
const IS_FOREIGN = ['providers', 'targets', 'tests', 'defaultTest', 'redteam'];

/** Whether files, a workspace or services are named. Few scenarios have any, so what looks at them is loaded only then. */
function namesFiles({ files, messages, tools, assertions, ...rest }: Record<string, unknown>): boolean {
  const hasFiles = (part: unknown): boolean =>
    Array.isArray(part) ? part.some(hasFiles) : isRecord(part) && ('files' in part || hasFiles(part.mock_responses));
  const isOnFiles = (assertion: unknown) => isRecord(assertion) && /^(?:file|command)_/.test(String(assertion.type));
  if (Array.isArray(assertions) && assertions.some(isOnFiles)) return true;
  const isNamed = [files, rest.workspace, rest.services].some((value) => value !== undefined);
  return isNamed || hasFiles(messages) || hasFiles(tools);
}

/** Only such a file may have columns `__expected`. */
function isCsv(data: unknown): boolean {
  return typeof data === 'string' && extname(data).toLowerCase() === '.csv';
}

/** Rows and salvo.yaml may have assertions, too. */
function needsTextChecks({ data, assertions }: Record<string, unknown>, { config }: Project): boolean {
  if (data !== undefined || config.defaults.assertions !== undefined) return true;
  return Array.isArray(assertions) && assertions.some(needsTextCheck);
}

/** A tool with one of these may be an MCP server, or be on a cassette. */
const OF_SERVERS = ['mcp', 'only', 'prefix', 'resources', 'prompt', 'cassette'];

function hasToolKey({ tools }: Record<string, unknown>, keys: readonly string[]): boolean {
  return Array.isArray(tools) && tools.some((tool) => isRecord(tool) && keys.some((key) => key in tool));
}

/** What the scenarios of a project are checked with. */
export function scenarioChecks({ file, project, knownAdapters = new Set() }: ScenarioFile): ScenarioChecks {
  const { default_adapter, adapters, defaults } = project.config;
  const { assertions = [], ...fields } = defaults;
  // A run keeps these with its record, so that it can be judged by what held when it began.
  const isField = ([key]: [string, unknown]) => !GATE_KEYS.some((gate) => gate === key);
  return {
    file,
    projectRoot: project.root,
    readRoot: readRoot(project),
    defaults: Object.fromEntries(Object.entries(fields).filter(isField)),
    ...(assertions.length > 0 && { shared: { assertions, file: project.file ?? file } }),
    defaultAdapter: default_adapter,
    adapterNames: {
      named: new Map(Object.entries(adapters).map(([name, { type }]) => [name, type])),
      registered: new Set([...registeredAdapters.keys(), ...knownAdapters]),
    },
  };
}

/** Relative to the project's root, with forward slashes. */
export function relativeFile(root: string, file: string): string {
  const path = relative(root, file);
  return (isAbsolute(path) ? file : path).replaceAll(sep, '/');
}

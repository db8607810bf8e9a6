import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { importModule, ModuleLoadError } from '../../text/modules/import-module.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { type SourceText, sourceText } from '../../text/source-text.ts';
import { kindOfValue } from '../../text/words/value-words.ts';
import { checkTextAssertion } from '../checks/assertion/check-text-assertion.ts';
import { checkScenario } from '../checks/check-cases.ts';
import * as servers from '../checks/check-mcp.ts';
import { namedFileChecks } from '../checks/named-files.ts';
import { codeRefusal } from '../checks/refuse-code.ts';
import type { ScenarioChecks } from '../checks/scenario-checks.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { hasErrors } from '../diagnostics/diagnostics-error.ts';
import { withoutFollowUps } from '../diagnostics/follow-up-problems.ts';
import { pathText } from '../diagnostics/located-value.ts';
import {
  diagnosticAt,
  diagnosticInFile,
  type Problem,
  type ProblemText,
  refuseSameNames,
} from '../diagnostics/problem.ts';
import { withExpectedColumns } from '../expected/expected-columns.ts';
import { checkToolFaults } from '../faults/check-faults.ts';
import type { Scenario } from '../schema/scenario-schema.ts';
import { codePlace } from './code-place.ts';
import { isDefinedScenario } from './define-scenario.ts';
import { AGENT, type ScenarioFunctions } from './scenario-functions.ts';
import { type SplitScenario, splitFunctions } from './split-functions.ts';
import { withLimit } from './time-limit.ts';

export interface InspectedCode {
  /** Null when there are errors. */
  scenario: Scenario | null;
  functions: ScenarioFunctions;
  diagnostics: Diagnostic[];
}

/** More than this is data: a row for each case takes a hundredth of the time and memory. */
const MOST_SCENARIOS = 10_000;

/** Everything in a file has to be there before the first trial, so code that waits for something is a mistake. */
const LOAD_SECONDS = 60;

const EXAMPLE = "export default defineScenario({ prompt: '...', assertions: [...] })";

/** The scenarios that a module exports, each with all its problems. A module that cannot be used has one problem. */
export async function inspectCode(
  file: string,
  { checks, loadSeconds = LOAD_SECONDS }: { checks: ScenarioChecks; loadSeconds?: number },
): Promise<InspectedCode[]> {
  const refuse = (problem: ProblemText, place?: { file: string; line: number; column: number }): InspectedCode[] => [
    {
      scenario: null,
      functions: splitFunctions({}).functions,
      diagnostics: [diagnosticInFile(place ?? { file, line: 1, column: 1 }, problem)],
    },
  ];
  const refusal = codeRefusal('this file');
  if (refusal) return refuse(refusal);
  const loaded = await withLimit(loadSeconds, () => loadExports(file)).catch((error: unknown) => ({ error }));
  if (loaded === null) {
    const message = `the file was not loaded within ${loadSeconds} s: it waits for something that does not happen`;
    return refuse({ code: 'scenario-code', message, hint: 'slow work belongs into setup' });
  }
  if ('error' in loaded) {
    const { error } = loaded;
    if (!(error instanceof ModuleLoadError)) {
      return refuse({
        code: 'scenario-code',
        message: `the function that makes the scenarios failed: ${quoteOutput(errorMessage(error))}`,
      });
    }
    const message = `the file cannot be loaded: ${quoteOutput(error.message)}`;
    return refuse({ code: 'scenario-code', message, hint: error.nextStep }, error.place);
  }
  if ('problem' in loaded) return refuse({ code: 'scenario-code', message: loaded.problem, hint: EXAMPLE });
  if (loaded.length > MOST_SCENARIOS) {
    const message = `the file has ${loaded.length} scenarios, and at most ${MOST_SCENARIOS} are allowed`;
    return refuse({ code: 'too-large', message, hint: 'one scenario with `data` has a case for each row' });
  }
  const source = sourceText({ file, text: readFileSync(file, 'utf8') });
  const inspected = loaded.map((exported) => inspectOne(exported, { source, checks, isOnly: loaded.length === 1 }));
  return refuseSameNames(inspected, () => ({ source, start: 0, end: 0 }));
}

interface Exported {
  value: unknown;
  /** What it is called if it has no name; null if it has to have one. */
  defaultName: string | null;
}

async function loadExports(file: string): Promise<Exported[] | { problem: string }> {
  const exports = await importModule(file);
  const base = basename(file).replace(/(?:\.scenario)?\.m?[jt]s$/, '');
  // A CommonJS module has all it exports under `default`.
  const isCommonJs = isRecord(exports.default) && exports['module.exports'] === exports.default;
  const given =
    isCommonJs && isRecord(exports.default) ? (exports.default.default ?? exports.default) : exports.default;
  const isEmpty = isCommonJs && isRecord(given) && Object.keys(given).length === 0;
  const made: unknown = isEmpty
    ? undefined
    : typeof given === 'function'
      ? await Reflect.apply(given, undefined, [])
      : given;
  const list: unknown[] = made === undefined ? [] : Array.isArray(made) ? made : [made];
  const wrong = list.findIndex((entry) => !isRecord(entry));
  if (wrong !== -1) {
    const what = Array.isArray(made) ? `entry ${wrong} of the exported list` : 'the default export';
    return {
      problem: `${what} should be a scenario, but is ${typeof list[wrong] === 'function' ? 'a function' : kindOfValue(list[wrong])}`,
    };
  }
  const named = Object.entries(exports)
    .filter(([name, value]) => name !== 'default' && isDefinedScenario(value))
    .map(([defaultName, value]) => ({ value, defaultName }))
    .sort((a, b) => (a.defaultName < b.defaultName ? -1 : 1));
  const all = [...list.map((value) => ({ value, defaultName: list.length === 1 ? base : null })), ...named];
  if (all.length > 0) return all;
  const names = isEmpty ? [] : Object.keys(exports);
  if (Array.isArray(made)) return { problem: 'the exported list has no scenarios' };
  return {
    problem: `the file exports no scenario; it exports ${names.length === 0 ? 'nothing' : quoteOutput(names.join(', '))}`,
  };
}

function inspectOne(
  { value, defaultName }: Exported,
  { source, checks, isOnly }: { source: SourceText; checks: ScenarioChecks; isOnly: boolean },
): InspectedCode {
  const { document, functions, hashes, problems } = readDefinition(value);
  const given = functions.agent && isRecord(document) ? { ...document, adapter: AGENT } : document;
  const registered = functions.agent
    ? new Set([...checks.adapterNames.registered, AGENT])
    : checks.adapterNames.registered;
  const checked = checkScenario(given, {
    ...checks,
    files: namedFileChecks(checks),
    servers,
    texts: checkTextAssertion,
    faults: checkToolFaults,
    expected: withExpectedColumns,
    isCode: true,
    adapterNames: { ...checks.adapterNames, registered },
  });
  const name = checked.data?.name ?? defaultName;
  const unnamed: Problem[] =
    name === null && checked.data
      ? [{ code: 'missing-key', message: '"name" is missing', hint: 'each scenario of a list needs one', path: [] }]
      : [];
  const written = isRecord(document) && typeof document.name === 'string' ? document.name : defaultName;
  const prefix = isOnly || written === null ? '' : `scenario "${written}": `;
  // A function may read any column.
  const isReported = ({ code }: Pick<Problem, 'code'>) => code !== 'unused-column' || !hasFunctions(functions);
  const located = withoutFollowUps([...problems, ...checked.problems.filter(isReported), ...unnamed]).map((problem) => {
    const path = pathText(problem.path);
    const message = `${prefix}${path === '' ? '' : `${path}: `}${problem.message}`;
    return diagnosticAt(codePlace(source, problem.path), { ...problem, message });
  });
  const diagnostics = [...located, ...checked.diagnostics.filter(isReported)];
  if (!checked.data || name === null || hasErrors(diagnostics)) return { scenario: null, functions, diagnostics };
  const scenario: Scenario = { ...checked.data, name, ...(Object.keys(hashes).length > 0 && { functions: hashes }) };
  return { scenario, functions, diagnostics };
}

function hasFunctions({ agent, mocks, checks, hooks }: ScenarioFunctions): boolean {
  const mockCount = [...mocks.values()].reduce((sum, { size }) => sum + size, 0);
  return agent !== null || mockCount + checks.size + Object.keys(hooks).length > 0;
}

/** A getter of the user may throw. */
function readDefinition(value: unknown): SplitScenario {
  try {
    return splitFunctions(value);
  } catch (error) {
    const message = `the scenario cannot be read: ${quoteOutput(errorMessage(error))}`;
    return { ...splitFunctions({ prompt: '-' }), problems: [{ code: 'scenario-code', message, path: [] }] };
  }
}

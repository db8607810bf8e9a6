import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { importModule, ModuleLoadError } from '../../text/modules/import-module.ts';
import { isAllCodeRefused } from '../../text/modules/permitted-code.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { DiagnosticsError } from '../diagnostics/diagnostics-error.ts';
import { diagnosticInFile } from '../diagnostics/problem.ts';
import type { Project } from '../schema/project-schema.ts';
import type { ScenarioContext, ScenarioHooks } from './scenario-definition.ts';
import { withLimit } from './time-limit.ts';

/**
 * The hooks of a project, for all its scenarios: what the file `hooks` of salvo.yaml exports. `setup` runs before the
 * first trial of the run, and `teardown` after the last one.
 */
export interface ProjectHooks extends ScenarioHooks {
  setupScenario?: ((context: ScenarioContext) => unknown) | undefined;
  teardownScenario?: ((context: ScenarioContext) => unknown) | undefined;
}

const NAMES = ['setup', 'teardown', 'setupScenario', 'teardownScenario', 'setupTrial', 'teardownTrial'] as const;

const LOAD_SECONDS = 60;

/** The hooks of a project; none if salvo.yaml names no file. Throws a `DiagnosticsError`. */
export async function loadHooks({ root, config }: Project): Promise<ProjectHooks> {
  if (config.hooks === undefined) return {};
  const file = resolve(root, config.hooks);
  const refuse = (message: string, place = { file, line: 1, column: 1 }, hint?: string): never => {
    const problem = { code: 'scenario-code', message, hint } as const;
    throw new DiagnosticsError([diagnosticInFile(place, problem)]);
  };
  const exports = await withLimit(LOAD_SECONDS, () => importModule(file)).catch((error: unknown) => {
    if (!(error instanceof ModuleLoadError)) throw error;
    return refuse(`the hooks cannot be loaded: ${quoteOutput(error.message)}`, error.place, error.nextStep);
  });
  if (exports === null) return refuse(`the hooks were not loaded within ${LOAD_SECONDS} s`);
  const given = NAMES.filter((name) => exports[name] !== undefined);
  const wrong = given.find((name) => typeof exports[name] !== 'function');
  if (wrong) return refuse(`the export "${wrong}" should be a function`);
  if (given.length === 0) {
    const names = Object.keys(exports).join(', ');
    const hint = `export functions with the names ${NAMES.join(', ')}`;
    return refuse(`the file exports no hooks; it exports ${quoteOutput(names) || 'nothing'}`, undefined, hint);
  }
  return Object.fromEntries(given.map((name) => [name, exports[name]]));
}

/** The problems of the hooks of a project, for `salvo validate`. A missing or refused file is reported with salvo.yaml. */
export async function hookProblems(project: Project): Promise<Diagnostic[]> {
  const { hooks } = project.config;
  if (hooks === undefined || isAllCodeRefused() || !existsSync(resolve(project.root, hooks))) return [];
  try {
    await loadHooks(project);
    return [];
  } catch (error) {
    if (error instanceof DiagnosticsError) return error.diagnostics;
    throw error;
  }
}

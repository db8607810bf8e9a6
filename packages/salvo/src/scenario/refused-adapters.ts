import { SalvoError } from '../text/errors/salvo-error.ts';
import { adapterRefusal } from './checks/refuse-code.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { DiagnosticsError } from './diagnostics/diagnostics-error.ts';
import { diagnosticAt } from './diagnostics/problem.ts';
import { fieldPlace } from './field-place.ts';
import { scenarioChecks } from './load-scenario.ts';
import type { Project } from './schema/project-schema.ts';

/**
 * With `--no-code`, throws if the adapter that a scenario runs with is code. `name` is undefined for the project's
 * default. Where a file names the adapter of a scenario, it was refused there; this is about the default and the command
 * line. Creating the adapter would find it as well, but workers do that for their runs.
 */
export function refuseCodeOfAdapter(name: string | undefined, project: Project): void {
  const defaults = name === undefined ? defaultAdapterRefusals(project) : [];
  if (defaults.length > 0) throw new DiagnosticsError(defaults);
  const refusal = name === undefined ? null : refusalOf(name, project);
  if (refusal) throw new SalvoError('CODE_NOT_ALLOWED', `Refused: ${refusal.message}. ${refusal.hint}`);
}

/** The problem of `default_adapter`, which a scenario uses although it is code that `--no-code` refuses. */
export function defaultAdapterRefusals(project: Project): Diagnostic[] {
  const { file, root, config } = project;
  const refusal = refusalOf(config.default_adapter, project);
  return refusal && file !== null ? [diagnosticAt(fieldPlace(file, ['default_adapter'], { root }), refusal)] : [];
}

function refusalOf(name: string, project: Project) {
  return adapterRefusal(name, scenarioChecks({ file: project.root, project }).adapterNames);
}

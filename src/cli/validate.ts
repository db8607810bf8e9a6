import { basename } from 'node:path';
import { manifestProblems } from '../evaluators/load-manifest.ts';
import type { Diagnostic } from '../scenario/diagnostics/diagnostic.ts';
import { displayPath, formatDiagnostics } from '../scenario/diagnostics/format-diagnostics.ts';
import { findScenarioFiles } from '../scenario/find-scenario-files.ts';
import { checkProjectFile, inspectProject } from '../scenario/load-project.ts';
import { inspectScenario } from '../scenario/load-scenario.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface ValidateCommandOptions {
  files: string[];
  format: 'text' | 'json' | 'github';
}

const EXIT_INVALID = 4;

/** Checks salvo.yaml and the scenarios, and prints every problem of every file. */
export async function validateCommand({ files, format }: ValidateCommandOptions, terminal: Terminal): Promise<number> {
  const { project, adapterNames, diagnostics: projectProblems } = await inspectProject(terminal.cwd);
  const found = await findScenarioFiles({ patterns: files, project, cwd: terminal.cwd });
  // A hook hands over whatever was changed, salvo.yaml included.
  const scenarios = found.filter((file) => !isProjectFile(file));
  const otherProjects = found.filter((file) => isProjectFile(file) && file !== project.file);
  const diagnostics = [...projectProblems];
  for (const file of otherProjects) diagnostics.push(...(await checkProjectFile({ file })));
  for (const file of scenarios) {
    const { scenario, diagnostics: found } = inspectScenario({ file, project, knownAdapters: adapterNames });
    diagnostics.push(...found, ...(scenario ? manifestProblems({ scenario, file }) : []));
  }
  const unique = withoutRepeats(diagnostics);
  // Files that are only included count when there is something to say about them.
  const checked = new Set([
    ...found,
    ...(project.file === null ? [] : [project.file]),
    ...unique.map(({ file }) => file),
  ]).size;
  terminal.stdout.write(render({ checked, diagnostics: unique, format, terminal }));
  return unique.some(({ severity }) => severity === 'error') ? EXIT_INVALID : 0;
}

function isProjectFile(file: string): boolean {
  return /^salvo\.ya?ml$/.test(basename(file));
}

/** A fragment that several scenarios include has its problems once. */
function withoutRepeats(diagnostics: Diagnostic[]): Diagnostic[] {
  const key = ({ file, line, column, code, message }: Diagnostic) =>
    JSON.stringify([file, line, column, code, message]);
  return [...new Map(diagnostics.map((diagnostic) => [key(diagnostic), diagnostic])).values()];
}

interface Rendering {
  checked: number;
  diagnostics: Diagnostic[];
  format: ValidateCommandOptions['format'];
  terminal: Terminal;
}

function render({ checked, diagnostics, format, terminal }: Rendering): string {
  const { cwd, env, stdout } = terminal;
  if (format === 'json') {
    const report = {
      files: checked,
      errors: count(diagnostics, 'error'),
      warnings: count(diagnostics, 'warning'),
      diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, file: displayPath(diagnostic.file, cwd) })),
    };
    return `${JSON.stringify(report, null, 2)}\n`;
  }
  // GitHub shows annotations beside the code when their paths start at the root of the repository.
  if (format === 'github')
    return formatDiagnostics(diagnostics, { format, color: false, cwd: env.GITHUB_WORKSPACE ?? cwd });
  const blocks = formatDiagnostics(diagnostics, { format, color: stdout.color, cwd });
  return `${blocks}${blocks === '' ? '' : '\n'}${summary(checked, diagnostics)}\n`;
}

function summary(checked: number, diagnostics: Diagnostic[]): string {
  const warnings = count(diagnostics, 'warning');
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const extra = warnings > 0 ? ` (${counted(warnings, 'warning')})` : '';
  if (errors.length === 0) return `${counted(checked, 'file')} ${checked === 1 ? 'is' : 'are'} valid${extra}`;
  const broken = new Set(errors.map(({ file }) => file)).size;
  return `${counted(checked, 'file')} checked: ${counted(errors.length, 'problem')} in ${counted(broken, 'file')}${extra}`;
}

function count(diagnostics: Diagnostic[], wanted: Diagnostic['severity']): number {
  return diagnostics.filter(({ severity }) => severity === wanted).length;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

import { documentJson } from '../../app/documents/document-kinds.ts';
import { type Validation, validateFiles } from '../../app/project/validate.ts';
import type { Diagnostic } from '../../scenario/diagnostics/diagnostic.ts';
import { displayPath, formatDiagnostics } from '../../scenario/diagnostics/format-diagnostics.ts';
import { formatPlural } from '../../stats/format.ts';
import type { ValidateCommandOptions } from '../program/command-options.ts';
import type { Terminal } from '../terminal/terminal.ts';

const EXIT_INVALID = 4;

/** `salvo validate` */
export async function validateCommand({ files, format }: ValidateCommandOptions, terminal: Terminal): Promise<number> {
  const validation = await validateFiles({ cwd: terminal.cwd, files });
  terminal.stdout.write(render(validation, format, terminal), { commands: format === 'github' });
  return count(validation.diagnostics, 'error') > 0 ? EXIT_INVALID : 0;
}

function render(validation: Validation, format: ValidateCommandOptions['format'], terminal: Terminal): string {
  const { files, code, diagnostics } = validation;
  const { cwd, env, stdout } = terminal;
  if (format === 'json') {
    const report = {
      files,
      ...(code > 0 && { code }),
      errors: count(diagnostics, 'error'),
      warnings: count(diagnostics, 'warning'),
      diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, file: displayPath(diagnostic.file, cwd) })),
    };
    return documentJson('validate', report);
  }
  // GitHub shows annotations beside the code only if their paths start at the root of the repository.
  if (format === 'github') {
    return formatDiagnostics(diagnostics, { format, color: false, cwd: env.GITHUB_WORKSPACE ?? cwd });
  }
  const blocks = formatDiagnostics(diagnostics, { format, color: stdout.color, cwd });
  return `${blocks}${blocks === '' ? '' : '\n'}${summary(validation)}\n`;
}

function summary({ files, code, diagnostics }: Validation): string {
  const warnings = count(diagnostics, 'warning');
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const extra = warnings > 0 ? ` (${formatPlural(warnings, 'warning')})` : '';
  const javascript = code > 0 ? `; ${formatPlural(code, 'assertion')} with JavaScript, which a run executes` : '';
  if (errors.length === 0)
    return `${formatPlural(files, 'file')} ${files === 1 ? 'is' : 'are'} valid${extra}${javascript}`;
  const broken = new Set(errors.map(({ file }) => file)).size;
  return `${formatPlural(files, 'file')} checked: ${formatPlural(errors.length, 'problem')} in ${formatPlural(broken, 'file')}${extra}`;
}

function count(diagnostics: Diagnostic[], wanted: Diagnostic['severity']): number {
  return diagnostics.filter(({ severity }) => severity === wanted).length;
}

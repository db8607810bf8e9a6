import { migrateProject } from '../../app/migrate/migrate-project.ts';
import { migrationText } from '../../report/migrate/migration-report.ts';
import type { MigrateCommandOptions } from '../program/command-options.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo import promptfoo` and the like */
export async function migrateCommand(options: MigrateCommandOptions, terminal: Terminal): Promise<number> {
  const { json, ...given } = options;
  const report = await migrateProject({ ...given, cwd: terminal.cwd, env: terminal.env });
  printResult({ json, kind: 'migrate', document: report, text: () => migrationText(report) }, terminal);
  return 0;
}

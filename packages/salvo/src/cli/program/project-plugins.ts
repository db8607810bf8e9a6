import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findProjectFile } from '../../scenario/project-file.ts';
import { safeBlock } from '../../text/output/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Loads the plugins of the project around the terminal's folder, which may have extensions that know what was typed. What
 * is wrong with them is printed, and does not keep the help from being printed as well.
 */
export async function loadProjectPlugins(words: readonly string[], { cwd, stderr }: Terminal): Promise<void> {
  const file = findProjectFile(resolve(cwd));
  // Most projects have none, and to check all settings takes longer than to print the help.
  if (file === null || words.includes('--no-code') || !readFileSync(file, 'utf8').includes('plugins')) return;
  const { inspectProject } = await import('../../scenario/load-project.ts');
  const { formatDiagnostics } = await import('../../scenario/diagnostics/format-diagnostics.ts');
  const problems = (await inspectProject(cwd)).diagnostics.filter(({ code }) => code === 'plugin-error');
  if (problems.length === 0) return;
  stderr.write(safeBlock(formatDiagnostics(problems, { format: 'text', color: false })));
}

import { safeBlock } from '../../text/output/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { mayHavePlugins } from './listed-commands.ts';

/**
 * Loads the plugins of the project around the terminal's folder, which may have extensions that know what was typed. What
 * is wrong with them is printed, and does not keep the help from being printed as well.
 */
export async function loadProjectPlugins(words: readonly string[], { cwd, stderr }: Terminal): Promise<void> {
  if (words.includes('--no-code') || !mayHavePlugins(cwd)) return;
  const { inspectProject } = await import('../../scenario/load-project.ts');
  const { formatDiagnostics } = await import('../../scenario/diagnostics/format-diagnostics.ts');
  const problems = (await inspectProject(cwd)).diagnostics.filter(({ code }) => code === 'plugin-error');
  if (problems.length === 0) return;
  stderr.write(safeBlock(formatDiagnostics(problems, { format: 'text', color: false })));
}

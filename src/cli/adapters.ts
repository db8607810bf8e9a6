import { describeAdapters } from '../adapters/availability.ts';
import { renderAdapters } from '../report/terminal/adapters-report.ts';
import { loadProject } from '../scenario/load-project.ts';
import { harmlessJson } from '../text/harmless-json.ts';
import type { Terminal } from './terminal/terminal.ts';

/** `salvo adapters` */
export async function adaptersCommand({ json }: { json: boolean }, terminal: Terminal): Promise<number> {
  const { stdout } = terminal;
  const { root, config } = await loadProject(terminal.cwd);
  const adapters = await describeAdapters({ root, adapters: config.adapters, env: terminal.env });
  const { default_adapter, judge } = config;
  if (json) {
    stdout.write(`${harmlessJson({ default_adapter, judge, adapters }, 2)}\n`);
  } else {
    stdout.write(
      renderAdapters(
        { adapters, defaultAdapter: default_adapter, judge },
        { width: stdout.columns, color: stdout.color, ascii: terminal.env.TERM === 'dumb' },
      ),
    );
  }
  return 0;
}

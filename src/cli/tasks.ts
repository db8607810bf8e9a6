import { allTasks, findTasks, TASK_DOMAINS } from '../arena/tasks/tasks.ts';
import { renderTasks } from '../report/game/task-list.ts';
import { didYouMean } from '../text/did-you-mean.ts';
import { harmlessJson } from '../text/harmless-json.ts';
import { safeLine } from '../text/safe-text.ts';
import { SalvoError } from '../text/salvo-error.ts';
import type { Terminal } from './terminal/terminal.ts';

/** `salvo tasks` */
export async function tasksCommand(
  options: { text: string; domain?: string | undefined; json: boolean },
  { stdout, stderr, env }: Terminal,
): Promise<number> {
  const { text, domain, json } = options;
  if (domain !== undefined) checkDomain(domain);
  const byId = allTasks().filter(({ id }) => id === text);
  const tasks = (byId.length > 0 ? byId : findTasks(text)).filter(
    (task) => domain === undefined || task.domain === domain,
  );
  if (json) stdout.write(`${harmlessJson(tasks, 2)}\n`);
  else stdout.write(renderTasks(tasks, { width: stdout.columns, color: stdout.color, ascii: env.TERM === 'dumb' }));
  if (tasks.length === 0) stderr.write(`No task has to do with "${safeLine(text, 200)}".\n`);
  return 0;
}

function checkDomain(domain: string): void {
  if (TASK_DOMAINS.some((known) => known === domain)) return;
  const nearest = didYouMean(domain, TASK_DOMAINS);
  throw new SalvoError(
    'DOMAIN_UNKNOWN',
    `There is no domain ${JSON.stringify(domain)}.${nearest === undefined ? '' : ` Did you mean "${nearest}"?`} Known are: ${TASK_DOMAINS.join(', ')}.`,
  );
}

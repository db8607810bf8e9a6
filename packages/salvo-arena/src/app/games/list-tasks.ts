import { SalvoError, suggestionSentence } from 'salvo/kit/text';
import { findTasks, TASK_DOMAINS, type Task, taskById } from '../../tasks/tasks.ts';

/** The task with this id, or the tasks that a text is about; all tasks for an empty text. */
export function listTasks({ text = '', domain }: { text?: string; domain?: string | undefined } = {}): Task[] {
  if (domain !== undefined) checkDomain(domain);
  const byId = taskById(text);
  return (byId ? [byId] : findTasks(text)).filter((task) => domain === undefined || task.domain === domain);
}

function checkDomain(domain: string): void {
  if (TASK_DOMAINS.some((known) => known === domain)) return;
  const hint = suggestionSentence(domain, TASK_DOMAINS);
  throw new SalvoError(
    'DOMAIN_UNKNOWN',
    `There is no domain ${JSON.stringify(domain)}.${hint} Known are: ${TASK_DOMAINS.join(', ')}.`,
  );
}

import { type Block, type Look, table, toTerminal } from 'salvo/kit/report';
import { formatPlural } from 'salvo/kit/stats';
import { salvoCommand } from 'salvo/kit/text';
import type { Task } from '../../tasks/tasks.ts';

/** Tasks for `salvo tasks`: one or two in full, more in a table by domain. */
export function renderTasks(tasks: readonly Task[], look: Look): string {
  const [first] = tasks;
  const text = `${formatPlural(tasks.length, 'task')}. Play one: ${salvoCommand()} game --task ${first?.id}`;
  const report: Block[] = [
    ...(tasks.length <= 2 ? tasks.map(taskInFull) : [...Map.groupBy(tasks, ({ domain }) => domain)].map(domainTable)),
    { lines: first ? [{ text, tone: 'dim' }] : [] },
  ];
  return toTerminal(report, look, { narrowest: 40, widest: 140 });
}

function taskInFull({ id, title, domain, description, services, compliance }: Task): Block {
  const dim = (text: string) => ({ text, tone: 'dim' as const });
  const further = compliance.length > 0 ? [dim(`compliance: ${compliance.join(', ')}`)] : [];
  const lines = [dim(`${id}, ${domain}`), description, dim(`services: ${services.join(', ')}`), ...further];
  return { heading: title, lines };
}

function domainTable([domain, tasks]: [string, readonly Task[]]): Block {
  return table(
    tasks,
    [
      { header: 'Task', priority: 9, cell: ({ id: text }) => ({ text, tone: 'cyan' }) },
      { header: 'Title', priority: 8, min: 12, cell: ({ title }) => title },
      { header: 'Compliance', priority: 1, cell: ({ compliance }) => ({ text: compliance.join(', '), tone: 'dim' }) },
    ],
    { bare: true, heading: `${domain} (${tasks.length})` },
  );
}

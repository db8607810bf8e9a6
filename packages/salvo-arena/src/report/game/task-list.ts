import { type Canvas, joinBlocks, type Look, renderFor, renderTable, wrap } from 'salvo/kit/report';
import { formatPlural } from 'salvo/kit/stats';
import { salvoCommand } from 'salvo/kit/text';
import type { Task } from '../../tasks/tasks.ts';

/** Tasks for `salvo tasks`: one or two in full, more in a table by domain. */
export function renderTasks(tasks: readonly Task[], look: Look): string {
  return renderFor(look, (canvas) => taskBlocks(tasks, canvas), { narrowest: 40, widest: 140 });
}

function taskBlocks(tasks: readonly Task[], { width, style }: Canvas): string {
  const inFull = ({ id, title, domain, description, services, compliance }: Task): string[] => [
    style.bold(title),
    style.dim(`${id}, ${domain}`),
    ...wrap(description, width),
    ...wrap(`services: ${services.join(', ')}`, width).map(style.dim),
    ...(compliance.length > 0 ? wrap(`compliance: ${compliance.join(', ')}`, width).map(style.dim) : []),
  ];
  const blocks =
    tasks.length <= 2
      ? tasks.map(inFull)
      : [...Map.groupBy(tasks, ({ domain }) => domain)].map(([domain, own]) => [
          style.bold(`${domain} (${own.length})`),
          ...renderTable({
            columns: [
              { key: 'id', header: 'Task', priority: 9 },
              { key: 'title', header: 'Title', priority: 8, min: 12 },
              { key: 'compliance', header: 'Compliance', priority: 1 },
            ],
            rows: own.map(({ id, title, compliance }) => ({
              id: { text: id, paint: style.cyan },
              title: { text: title },
              compliance: { text: compliance.join(', '), paint: style.dim },
            })),
            width,
            style,
          }).rows.flat(),
        ]);
  const example = tasks[0]
    ? [[style.dim(`${formatPlural(tasks.length, 'task')}. Play one: ${salvoCommand()} game --task ${tasks[0].id}`)]]
    : [];
  return joinBlocks([...blocks, ...example]);
}

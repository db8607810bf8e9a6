import { printResult, type Terminal } from 'salvo/kit/cli';
import { safeLine } from 'salvo/kit/text';
import { kindOf } from '../app/documents/document-kinds.ts';
import { listTasks } from '../app/games/list-tasks.ts';
import { renderTasks } from '../report/game/task-list.ts';

/** `salvo tasks` */
export async function tasksCommand(
  { json, ...query }: { text: string; domain?: string | undefined; json: boolean },
  terminal: Terminal,
): Promise<number> {
  const tasks = listTasks(query);
  printResult({ json, kind: kindOf('tasks'), document: { tasks }, text: (look) => renderTasks(tasks, look) }, terminal);
  if (tasks.length === 0) terminal.stderr.write(`No task matches "${safeLine(query.text, 200)}".\n`);
  return 0;
}

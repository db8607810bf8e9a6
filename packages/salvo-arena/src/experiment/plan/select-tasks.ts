import { seededRandom } from 'salvo/kit/stats';
import { suggestion } from 'salvo/kit/text';
import { allTasks, TASK_DOMAINS, taskById } from '../../tasks/tasks.ts';
import type { ExperimentFile } from './experiment-schema.ts';

/** The tasks that a file asks for, and problems with entries that mean none. */
export interface SelectedTasks {
  /** Ids of the catalogue, or texts; each once, in the order of the file. */
  tasks: string[];
  problems: { path: (string | number)[]; message: string; hint: string | undefined }[];
}

const DOMAIN = 'domain:';

export function selectTasks(wanted: NonNullable<ExperimentFile['tasks']>, seed: number): SelectedTasks {
  if (wanted === 'all') return { tasks: everyTask(), problems: [] };
  if (Array.isArray(wanted)) return namedTasks(wanted, ['tasks']);
  const { tasks, problems } = wanted.of ? namedTasks(wanted.of, ['tasks', 'of']) : { tasks: everyTask(), problems: [] };
  if (wanted.sample > tasks.length && problems.length === 0) {
    const message = `"sample" is ${wanted.sample}, but there are only ${tasks.length} tasks to choose from`;
    problems.push({ path: ['tasks', 'sample'], message, hint: 'raise "repetitions" for more games' });
  }
  return { tasks: sampleTasks(tasks, wanted.sample, seed), problems };
}

function everyTask(): string[] {
  return allTasks().map(({ id }) => id);
}

function namedTasks(entries: readonly string[], path: string[]): SelectedTasks {
  const problems: SelectedTasks['problems'] = [];
  const tasks = entries.flatMap((entry, index) => {
    const found = tasksOfEntry(entry);
    if ('tasks' in found) return found.tasks;
    problems.push({ path: [...path, index], ...found });
    return [];
  });
  return { tasks: [...new Set(tasks)], problems };
}

function tasksOfEntry(entry: string): { tasks: string[] } | { message: string; hint: string | undefined } {
  if (taskById(entry)) return { tasks: [entry] };
  if (entry === 'all') return { tasks: everyTask() };
  if (entry.startsWith(DOMAIN)) {
    const domain = entry.slice(DOMAIN.length).trim();
    const tasks = allTasks().filter((task) => task.domain === domain);
    if (tasks.length > 0) return { tasks: tasks.map(({ id }) => id) };
    return {
      message: `there is no domain "${domain.slice(0, 100)}"`,
      hint: suggestion(domain, TASK_DOMAINS, `the domains are ${TASK_DOMAINS.join(', ')}`),
    };
  }
  // A single word is a misspelt id; a description has several words.
  if (/\s/.test(entry)) return { tasks: [entry] };
  return {
    message: `there is no task "${entry.slice(0, 100)}"`,
    hint: suggestion(entry, everyTask(), '`salvo tasks` lists them; or describe a task in a sentence'),
  };
}

/** A random sample of the tasks, in their order. */
function sampleTasks(tasks: readonly string[], count: number, seed: number): string[] {
  const random = seededRandom(seed, 'tasks');
  const weighted = tasks.map((task, index) => ({ task, index, weight: random() }));
  return weighted
    .toSorted((a, b) => a.weight - b.weight)
    .slice(0, count)
    .toSorted((a, b) => a.index - b.index)
    .map(({ task }) => task);
}

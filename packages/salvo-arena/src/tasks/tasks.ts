import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';

export const TASK_DOMAINS = [
  'networking',
  'compute',
  'storage',
  'databases',
  'serverless',
  'containers',
  'identity',
  'observability',
  'data-analytics',
  'healthcare',
  'payments',
  'finance',
  'government',
  'education',
  'retail',
  'media',
  'critical-infrastructure',
  'security-patterns',
] as const;

export const taskSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  domain: z.enum(TASK_DOMAINS),
  title: z.string().min(1),
  /** The request as an engineer would receive it. */
  description: z.string().min(1),
  services: z.array(z.string().min(1)).min(1),
  compliance: z.array(z.string().min(1)),
  /** Ids of the templates that fulfil the task. */
  templates: z.array(z.string().min(1)).min(1),
});

/** A request for infrastructure, which a game is played on. */
export type Task = z.infer<typeof taskSchema>;

/** The built-in catalogue, by domain. JSON, because as much YAML takes a hundred times as long to read. */
export const allTasks = once((): readonly Task[] =>
  z.array(taskSchema).parse(JSON.parse(dataFile(import.meta.url, './tasks.json'))),
);

export function taskById(id: string): Task | undefined {
  return allTasks().find((task) => task.id === id);
}

/**
 * The tasks in which every word of the text occurs, best first: a word in the title counts more than one in the
 * description. If there is none, the tasks with most of the words. All tasks for a text without words.
 */
export function findTasks(text: string): Task[] {
  const wanted = wantedWords(text);
  if (wanted.length === 0) return [...allTasks()];
  const rated = allTasks()
    .map((task) => ({ task, ...rateTask(task, wanted) }))
    .filter(({ found }) => found > 0);
  const most = Math.max(0, ...rated.map(({ found }) => found));
  return rated
    .filter(({ found }) => found === most)
    .sort((a, b) => b.weight - a.weight)
    .map(({ task }) => task);
}

/** Too frequent to distinguish tasks. */
const SMALL_WORDS = new Set(['a', 'an', 'and', 'for', 'in', 'of', 'on', 'or', 'our', 'the', 'to', 'we', 'with']);
/** A pasted document is cut: comparing all of its words would be slow. */
const MOST_CHARACTERS = 2_000;
const MOST_WORDS = 30;

function wantedWords(text: string): string[] {
  const words = splitWords(text.slice(0, MOST_CHARACTERS)).filter((word) => !SMALL_WORDS.has(word));
  return [...new Set(words)].slice(0, MOST_WORDS);
}

function rateTask(task: Task, wanted: readonly string[]): { found: number; weight: number } {
  const places = [
    { weight: 3, words: splitWords(`${task.id} ${task.title}`) },
    { weight: 2, words: splitWords([task.domain, ...task.services, ...task.compliance].join(' ')) },
    { weight: 1, words: splitWords(task.description) },
  ];
  const weights = wanted.map(
    (word) => places.find(({ words }) => words.some((has) => isSameWord(has, word)))?.weight ?? 0,
  );
  return {
    found: weights.filter((weight) => weight > 0).length,
    weight: weights.reduce((sum, weight) => sum + weight),
  };
}

/** `database` and `databases` are the same word, in the text as well as in the task. */
function isSameWord(has: string, word: string): boolean {
  return has === word || (word.length > 2 && has.startsWith(word)) || (has.length > 3 && word.startsWith(has));
}

function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

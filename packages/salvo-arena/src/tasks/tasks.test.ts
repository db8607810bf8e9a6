import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allTemplates } from '../templates/templates.ts';
import { allTasks, findTasks, TASK_DOMAINS, taskById } from './tasks.ts';

const tasks = allTasks();
const inDomain = (domain: string) => tasks.filter((task) => task.domain === domain);
const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id);

describe('the task catalogue', () => {
  it('has 126 tasks in 18 domains, seven in each', () => {
    expect(tasks).toHaveLength(126);
    expect(TASK_DOMAINS).toHaveLength(18);
    for (const domain of TASK_DOMAINS) expect(inDomain(domain)).toHaveLength(7);
  });

  it('gives every task an id, a title and a description of its own', () => {
    for (const field of ['id', 'title', 'description'] as const) {
      expect(new Set(tasks.map((task) => task[field])).size).toBe(tasks.length);
    }
  });

  it('describes every task in two to four sentences', () => {
    const sentences = (text: string) => text.match(/[.!?](?=\s|$)/g)?.length ?? 0;
    const wrong = tasks.filter(({ description }) => sentences(description) < 2 || sentences(description) > 4);
    expect(ids(wrong)).toEqual([]);
  });

  it('names only templates that exist, each once', () => {
    const known = new Set(ids(allTemplates()));
    for (const { templates } of tasks) {
      expect(templates.filter((id) => !known.has(id))).toEqual([]);
      expect(new Set(templates).size).toBe(templates.length);
    }
  });

  it('can be played in either language, whatever the task', () => {
    const languageOf = new Map(allTemplates().map(({ id, language }) => [id, language]));
    const poor = tasks.filter(({ templates }) => new Set(templates.map((id) => languageOf.get(id))).size < 2);
    expect(ids(poor)).toEqual([]);
  });

  it('uses every template', () => {
    const used = new Set(tasks.flatMap(({ templates }) => templates));
    expect(ids(allTemplates()).filter((id) => !used.has(id))).toEqual([]);
  });

  it('names a regulation for most tasks of a regulated industry', () => {
    for (const domain of ['healthcare', 'payments', 'finance', 'government', 'education'] as const) {
      const regulated = inDomain(domain).filter(({ compliance }) => compliance.length > 0);
      expect(regulated.length).toBeGreaterThanOrEqual(4);
    }
  });
});

describe('taskById', () => {
  it('finds a task by its exact id only', () => {
    expect(taskById('tamper-proof-archive')?.title).toBe('Archive that cannot be altered');
    expect(taskById('tamper-proof')).toBeUndefined();
    expect(taskById('constructor')).toBeUndefined();
  });
});

describe('findTasks', () => {
  it('finds the tasks in which every word occurs', () => {
    const found = findTasks('HIPAA queue');
    expect(ids(found)).toEqual(['appointment-reminders']);
  });

  it('puts a word in the title before one in the description', () => {
    expect(findTasks('ledger')[0]?.id).toBe('general-ledger');
  });

  it('falls back to the tasks with most of the words', () => {
    expect(ids(findTasks('a private kubernetes cluster for unicorns'))).toContain('private-kubernetes');
  });

  it('treats singular and plural, spaces and underscores alike', () => {
    expect(ids(findTasks('notebooks'))).toContain('notebook-environment');
    expect(ids(findTasks('pci_dss'))).toEqual(ids(findTasks('PCI DSS')));
  });

  it('gives all tasks for a text without words, and none for words that occur in no task', () => {
    expect(findTasks('  the ')).toHaveLength(tasks.length);
    expect(findTasks('xylophone')).toEqual([]);
  });

  it('finds every task first or near the top by its title', () => {
    const lost = tasks.filter((task) => !findTasks(task.title).slice(0, 3).includes(task));
    expect(ids(lost)).toEqual([]);
  });

  it('gives tasks of the catalogue, each once, for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const found = findTasks(text);
        expect(new Set(found).size).toBe(found.length);
        expect(found.every((task) => tasks.includes(task))).toBe(true);
      }),
    );
  });
});

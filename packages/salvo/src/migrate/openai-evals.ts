import { dirname } from 'node:path';
import type { LocatedValue } from '../scenario/diagnostics/located-value.ts';
import { isInside } from '../scenario/yaml/read-source.ts';
import { isRecord } from '../text/json/is-record.ts';
import { emptyTable, tableName } from './inspect-samples.ts';
import type { Migration } from './migration.ts';
import { MigrationGap, MigrationNotes } from './notes.ts';
import { ownTemplate, translateGrader } from './openai-graders.ts';
import { childOf, entriesOf, itemsOf, numberOf, problemAt, textOf } from './source/located.ts';
import { SourceFiles } from './source/source-files.ts';
import { type TableChoices, tableProject } from './table-project.ts';

/** An eval of OpenAI's API: its graders, its runs and its items, in any of the files. */
export function migrateOpenaiEvals(choices: TableChoices): Migration {
  const notes = new MigrationNotes();
  const documents = choices.files.flatMap((file) => {
    const files = new SourceFiles(isInside(choices.cwd, file) ? choices.cwd : dirname(file));
    const read = files.chosen(file);
    const listed = childOf(read, 'data');
    if (Array.isArray(read.value)) return itemsOf(read);
    return Array.isArray(listed?.value) ? itemsOf(listed) : [read];
  });
  const evals = documents.filter((each) => childOf(each, 'testing_criteria'));
  const runs = documents.filter((each) => childOf(each, 'data_source'));
  const [first, another] = evals;
  if (!first || another) {
    const at = another ?? documents[0];
    const message = another ? 'name one eval at a time' : 'no file has `testing_criteria`, the graders of an eval';
    throw at ? problemAt(at, { code: 'not-a-scenario', message }) : emptyTable(choices, notes, undefined);
  }
  const items = [
    ...documents.filter((each) => each !== first && !runs.includes(each)),
    ...runs.flatMap((run) => itemsOf(childOf(run, 'data_source', 'source', 'content'))),
  ].map((each) => childOf(each, 'item') ?? each);
  if (items.length === 0) throw noItems(first);
  let needsChecks = false;
  try {
    const graders = itemsOf(childOf(first, 'testing_criteria'));
    const assertions = graders.flatMap((grader) =>
      translateGrader(grader, notes, () => {
        needsChecks = true;
      }),
    );
    const fields = { ...agentOf(runs, choices), ...promptOf(runs, items, notes), assertions };
    const rows = items.map((item) => (isRecord(item.value) ? item.value : {}));
    const name = tableName(choices);
    return tableProject({
      source: choices.files[0] ?? '',
      scenarios: [{ name, fields, rows }],
      read: items.length,
      choices,
      notes,
      needsChecks,
    });
  } catch (error) {
    if (!(error instanceof MigrationGap)) throw error;
    const message = `a grader is not translated, so that no row can be judged: ${error.what}: ${error.message}`;
    throw problemAt(error.at, { code: 'invalid-value', message });
  }
}

function noItems(node: LocatedValue): Error {
  const kind = textOf(childOf(node, 'data_source_config', 'type')) ?? 'custom';
  const isStored = kind === 'stored_completions' || kind === 'logs';
  const hint = isStored
    ? 'the items are stored at OpenAI: export them as JSON lines, and name that file as well'
    : 'name the JSON lines file with the items as well';
  return problemAt(node, { code: 'empty-data', message: 'there are no items', hint });
}

function agentOf(runs: readonly LocatedValue[], { adapter, model }: TableChoices): Record<string, unknown> {
  const source = childOf(runs[0], 'data_source');
  const [own, temperature, tokens] = [
    textOf(childOf(source, 'model')),
    numberOf(childOf(source, 'sampling_params', 'temperature')),
    numberOf(childOf(source, 'sampling_params', 'max_completion_tokens')),
  ];
  return {
    ...(own !== undefined && adapter === undefined && model === undefined && { adapter: 'openai', model: own }),
    ...(temperature !== undefined && { temperature }),
    ...(tokens !== undefined && { max_tokens: tokens }),
  };
}

/** The messages of the run; without a run, the first text of the items that looks like a question. */
function promptOf(
  runs: readonly LocatedValue[],
  items: readonly LocatedValue[],
  notes: MigrationNotes,
): Record<string, unknown> {
  const template = childOf(runs[0], 'data_source', 'input_messages', 'template');
  if (!template) {
    const [item] = items;
    const columns = entriesOf(item)
      .filter(([, value]) => typeof value.value === 'string')
      .map(([key]) => key);
    const column = ['input', 'question', 'prompt', 'query'].find((name) => columns.includes(name)) ?? columns[0];
    if (!item || column === undefined)
      throw new MigrationGap(
        'items',
        'an item has no text that could be asked',
        item ?? runs[0] ?? items[0] ?? template ?? noNode(),
      );
    notes.changed('input_messages', `no run says what is asked: {{${column}}} is the prompt`, item);
    return { prompt: `{{${column}}}` };
  }
  const messages = itemsOf(template).map((each) => {
    const content = childOf(each, 'content');
    return {
      role: textOf(childOf(each, 'role')) ?? 'user',
      content: ownTemplate(textOf(content) ?? textOf(childOf(content, 'text')) ?? '', each),
    };
  });
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer').map(({ content }) => content);
  const rest = messages.filter(({ role }) => role === 'user' || role === 'assistant');
  const [only, ...others] = rest;
  return {
    ...(system.length > 0 && { system_prompt: system.join('\n\n') }),
    ...(only && others.length === 0 ? { prompt: only.content } : { messages: rest }),
  };
}

function noNode(): never {
  throw new RangeError('a file has a place');
}

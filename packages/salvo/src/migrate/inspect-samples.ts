import { basename, dirname } from 'node:path';
import type { LocatedValue } from '../scenario/diagnostics/located-value.ts';
import { isInside } from '../scenario/yaml/read-source.ts';
import { isRecord } from '../text/json/is-record.ts';
import { jsonOrUndefined } from '../text/json/json-in-text.ts';
import type { Migration } from './migration.ts';
import { MigrationGap, MigrationNotes } from './notes.ts';
import { childOf, entriesOf, itemsOf, problemAt, textOf } from './source/located.ts';
import { SourceFiles } from './source/source-files.ts';
import { type TableChoices, type TableScenario, tableProject } from './table-project.ts';
import type { WrittenRow } from './written-project.ts';

const KNOWN = new Set(['input', 'target', 'choices', 'id', 'metadata', 'files', 'sandbox', 'setup']);
const NO_SCORER = 'samples do not say how they are scored: the answer has to contain the target, as with includes()';

/** Samples of Inspect as a project of Salvo. */
export function migrateInspectSamples(choices: TableChoices): Migration {
  const notes = new MigrationNotes();
  const nodes = readTables(choices);
  const rows = nodes.flatMap((node) => sampleRow(node, notes) ?? []);
  const [first] = nodes;
  if (!first || rows.length === 0) throw emptyTable(choices, notes, first);
  const groups = [...Map.groupBy(rows, ({ form }) => form)];
  const scenarios = groups.map(([form, own], index): TableScenario => {
    const [sample] = own;
    return {
      name: groups.length === 1 ? tableName(choices) : `${tableName(choices)}-${index + 1}`,
      fields: { ...sample?.fields, assertions: FORMS[form] ?? [] },
      rows: own.map(({ row }) => row),
    };
  });
  return tableProject({ source: choices.files[0] ?? '', scenarios, read: nodes.length, choices, notes });
}

type Form = 'choices' | 'any' | 'one' | 'none';

const FORMS: Readonly<Record<string, Record<string, unknown>[]>> = {
  choices: [{ type: 'output_matches', pattern: '(?i)ANSWER\\s*:\\s*\\W*{{target}}\\b' }],
  any: [{ type: 'output_contains_any', value: '{{target}}', case_sensitive: false }],
  one: [{ type: 'output_contains', value: '{{target}}', case_sensitive: false }],
  none: [],
};

function sampleRow(node: LocatedValue, notes: MigrationNotes) {
  try {
    for (const [key, value] of entriesOf(node)) {
      if (['files', 'sandbox', 'setup'].includes(key) && value.value !== null && value.value !== '') {
        throw new MigrationGap(key, 'a sandbox is not translated: write a `workspace`', value);
      }
      if (!KNOWN.has(key)) notes.changed(key, 'this field of a sample is not known', value);
    }
    const input = childOf(node, 'input');
    if (!input) throw new MigrationGap('input', 'a sample has no input', node);
    const listed = listOf(childOf(node, 'choices'));
    const targets = listOf(childOf(node, 'target'));
    const form: Form =
      listed.length > 0 ? 'choices' : targets.length > 1 ? 'any' : targets.length === 1 ? 'one' : 'none';
    notes.translated(`target (${form})`, String(FORMS[form]?.[0]?.type ?? 'no assertion'));
    if (form !== 'none')
      notes.changed('target', form === 'choices' ? 'the answer has to name the letter: ANSWER: B' : NO_SCORER, node);
    const { fields, columns } = conversation(input, listed);
    const id = childOf(node, 'id')?.value;
    const row: WrittenRow = {
      ...(id !== undefined && { name: String(id).slice(0, 150) }),
      ...columns,
      ...(form !== 'none' && { target: form === 'any' ? targets : targets[0] }),
    };
    return { form: `${form}`, row, fields };
  } catch (error) {
    if (!(error instanceof MigrationGap)) throw error;
    notes.leftOut(error.what, `${error.message}; the row is skipped`, error.at);
    return undefined;
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function conversation(input: LocatedValue, choices: readonly string[]) {
  const options = choices.map((choice, index) => `${LETTERS[index]}) ${choice}`).join('\n');
  const ask =
    choices.length === 0
      ? ''
      : `\n\n${options}\n\nEnd your answer with a line ANSWER: and the letter of the right choice.`;
  const text = textOf(input);
  if (text !== undefined) return { fields: { prompt: '{{input}}' }, columns: { input: `${text}${ask}` } };
  const messages = itemsOf(input).map((each) => ({
    role: textOf(childOf(each, 'role')) ?? '',
    content: textOf(childOf(each, 'content')),
  }));
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n\n');
  const users = messages.filter(({ role }) => role !== 'system');
  const [only, ...others] = users;
  if (only?.role !== 'user' || only.content === undefined || others.length > 0) {
    throw new MigrationGap(
      'input',
      'only an input of one message, which may follow instructions, is translated',
      input,
    );
  }
  return {
    fields: { ...(system !== '' && { system_prompt: '{{system}}' }), prompt: '{{input}}' },
    columns: { ...(system !== '' && { system }), input: `${only.content}${ask}` },
  };
}

/** A list, a JSON text with one, or a single value. */
export function listOf(node: LocatedValue | undefined): string[] {
  const value: unknown =
    typeof node?.value === 'string' && node.value.startsWith('[')
      ? (jsonOrUndefined(node.value) ?? node.value)
      : node?.value;
  const list: unknown[] = Array.isArray(value)
    ? value
    : value === undefined || value === null || value === ''
      ? []
      : [value];
  return list.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
}

/** The rows of all files: lists, or maps with one list in them. */
export function readTables({ files: names, cwd }: TableChoices, key?: string): LocatedValue[] {
  return names.flatMap((name) => {
    const files = new SourceFiles(isInside(cwd, name) ? cwd : dirname(name));
    const read = files.chosen(name);
    if (Array.isArray(read.value)) return itemsOf(read);
    const list = key === undefined ? undefined : childOf(read, key);
    if (Array.isArray(list?.value)) return itemsOf(list);
    const lists = entriesOf(read).filter(([, value]) => Array.isArray(value.value) && value.value.every(isRecord));
    const [only, ...others] = lists;
    if (only && others.length === 0) return itemsOf(only[1]);
    throw problemAt(read, { code: 'invalid-row', message: 'this file has no list of rows' });
  });
}

export function tableName({ files }: TableChoices): string {
  const stem = basename(files[0] ?? 'data').replace(/\.\w+$/, '');
  const plain = stem
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 50);
  return plain === '' ? 'data' : plain;
}

/** Nothing of a table can be written. */
export function emptyTable({ files }: TableChoices, notes: MigrationNotes, first: LocatedValue | undefined): Error {
  const [gap] = notes.lists().left_out;
  const message = gap
    ? `no row can be translated. The first: ${gap.what} (line ${gap.place.line}): ${gap.why}`
    : 'there are no rows';
  const at = first ?? {
    span: {
      source: { file: files[0] ?? '', text: '', place: () => ({ line: 1, column: 1 }), line: () => '' },
      start: 0,
      end: 0,
    },
  };
  return problemAt(at, { code: 'empty-data', message });
}

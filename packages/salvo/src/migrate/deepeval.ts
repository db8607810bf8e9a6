import type { LocatedValue } from '../scenario/diagnostics/located-value.ts';
import { emptyTable, listOf, readTables, tableName } from './inspect-samples.ts';
import type { Migration } from './migration.ts';
import { MigrationGap, MigrationNotes } from './notes.ts';
import { childOf, entriesOf, itemsOf, textOf } from './source/located.ts';
import { type TableChoices, type TableScenario, tableProject } from './table-project.ts';
import type { WrittenRow } from './written-project.ts';

const KNOWN = new Set([
  ...['input', 'expected_output', 'expectedOutput', 'context', 'name', 'expected_tools', 'expectedTools', 'scenario'],
  ...[
    'expected_outcome',
    'expectedOutcome',
    'user_description',
    'userDescription',
    'comments',
    'source_file',
    'sourceFile',
  ],
]);
/** What a run would produce, or what no verdict depends on. */
const OF_RUNS = new Set([
  ...['actual_output', 'actualOutput', 'retrieval_context', 'retrievalContext', 'tools_called', 'toolsCalled'],
  ...[
    'additional_metadata',
    'additionalMetadata',
    'custom_column_key_values',
    'tags',
    'token_cost',
    'completion_time',
    'turns',
  ],
]);
const NO_METRIC = 'a dataset has no metrics: a judge compares the answer with the expected output';

/** A dataset of DeepEval, goldens or test cases, as a project of Salvo. */
export function migrateDeepeval(choices: TableChoices): Migration {
  const notes = new MigrationNotes();
  const nodes = readTables(choices, 'goldens');
  const rows = nodes.flatMap((node) => goldenRow(node, notes) ?? []);
  const [first] = nodes;
  if (!first || rows.length === 0) throw emptyTable(choices, notes, first);
  const groups = [...Map.groupBy(rows, ({ form }) => form)];
  const scenarios = groups.map(
    ([form, own], index): TableScenario => ({
      name: groups.length === 1 ? tableName(choices) : `${tableName(choices)}-${index + 1}`,
      fields: fieldsOf(form),
      rows: own.map(({ row }) => row),
    }),
  );
  return tableProject({ source: choices.files[0] ?? '', scenarios, read: nodes.length, choices, notes });
}

function fieldsOf(form: string): Record<string, unknown> {
  const [kind, ...parts] = form.split(' ');
  const has = (part: string) => parts.includes(part);
  if (kind === 'conversation') {
    return {
      user: { goal: '{{scenario}}', ...(has('persona') && { persona: '{{user_description}}' }) },
      assertions: has('expected')
        ? [judge('outcome', 'The conversation ends as the reference says.', '{{expected_outcome}}')]
        : [],
    };
  }
  return {
    prompt: has('context') ? 'Context:\n{{context}}\n\n{{input}}' : '{{input}}',
    assertions: has('expected')
      ? [judge('expected output', 'The answer says the same as the reference.', '{{expected_output}}')]
      : [],
  };
}

function judge(name: string, description: string, reference: string): Record<string, unknown> {
  return { type: 'judge', criteria: [{ name, description, reference }] };
}

function goldenRow(node: LocatedValue, notes: MigrationNotes): { form: string; row: WrittenRow } | undefined {
  try {
    for (const [key, value] of entriesOf(node)) {
      const isEmpty = value.value === null || value.value === '';
      if (isEmpty || KNOWN.has(key)) continue;
      if (OF_RUNS.has(key)) notes.unneeded(key, 'it belongs to a run, or has no effect on results', value);
      else notes.changed(key, 'this field is not known', value);
    }
    const field = (...names: string[]) =>
      names.map((name) => textOf(childOf(node, name))).find((text) => text !== undefined && text !== '');
    const name = field('name');
    const scenario = field('scenario');
    if (scenario !== undefined) {
      const outcome = field('expected_outcome', 'expectedOutcome');
      const persona = field('user_description', 'userDescription');
      notes.translated('conversational golden', 'user');
      if (outcome !== undefined) notes.changed('expected_outcome', NO_METRIC, node);
      return {
        form: [
          'conversation',
          ...(outcome === undefined ? [] : ['expected']),
          ...(persona === undefined ? [] : ['persona']),
        ].join(' '),
        row: {
          ...(name !== undefined && { name }),
          scenario,
          ...(persona !== undefined && { user_description: persona }),
          ...(outcome !== undefined && { expected_outcome: outcome }),
        },
      };
    }
    const input = field('input');
    if (input === undefined) throw new MigrationGap('input', 'a golden has neither an input nor a scenario', node);
    const expected = field('expected_output', 'expectedOutput');
    const context = listOf(childOf(node, 'context')).join('\n');
    const tools = itemsOf(childOf(node, 'expected_tools') ?? childOf(node, 'expectedTools')).flatMap(
      (each) => textOf(childOf(each, 'name')) ?? textOf(each) ?? [],
    );
    notes.translated('golden', expected === undefined ? 'prompt' : 'judge');
    if (expected !== undefined) notes.changed('expected_output', NO_METRIC, node);
    if (tools.length > 0) notes.translated('expected_tools', 'tool_called');
    return {
      form: ['single', ...(expected === undefined ? [] : ['expected']), ...(context === '' ? [] : ['context'])].join(
        ' ',
      ),
      row: {
        ...(name !== undefined && { name: name.slice(0, 150) }),
        ...{ input, ...(context !== '' && { context }), ...(expected !== undefined && { expected_output: expected }) },
        ...(tools.length > 0 && { assertions: tools.map((tool) => ({ type: 'tool_called', tool })) }),
      },
    };
  } catch (error) {
    if (!(error instanceof MigrationGap)) throw error;
    notes.leftOut(error.what, `${error.message}; the row is skipped`, error.at);
    return undefined;
  }
}

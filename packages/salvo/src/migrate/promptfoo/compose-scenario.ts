import { MigrationGap, type MigrationNotes } from '../notes.ts';
import { dataOf, type WrittenRow, yamlFile } from '../written-project.ts';
import type { WrittenAssertion } from './assertions/source-assertion.ts';
import { columnTexts, type PromptPlan, type WrittenPrompt, writtenPrompt } from './prompt-plan.ts';
import type { TranslatedTest } from './rows.ts';

/** What one scenario file is made of. */
export interface ScenarioParts {
  /** Of the file and the scenario. */
  name: string;
  description: string | undefined;
  plans: readonly PromptPlan[];
  /** The position of each test among the tests that the plans are for. */
  tests: readonly (TranslatedTest & { position: number })[];
  renamed: ReadonlyMap<string, string>;
  /** Columns that templates read. */
  used: ReadonlySet<string>;
  hasData: boolean;
  /** The agent and its settings. */
  fields: Record<string, unknown>;
  notes: MigrationNotes;
}

export interface ComposedScenario {
  files: [string, string][];
  rows: number;
  scenarios: number;
}

const LONGEST_NAME = 60;

/** The files of a scenario: itself, its rows if they are many, and one without assertions for rows that have none. */
export function composeScenarios(parts: ScenarioParts): ComposedScenario {
  const groups = [...Map.groupBy(parts.tests, (test) => shapeOf(test, parts)).values()];
  const composed = groups.flatMap((tests, index) => {
    const name = index === 0 ? parts.name : `${parts.name}-${index + 1}`;
    const judged = tests.filter(({ assertions }) => assertions.length > 0);
    const shown = tests.filter(({ assertions }) => assertions.length === 0);
    if (judged.length === 0) return [compose({ ...parts, name, tests: shown }, 'scenarios')];
    return [
      compose({ ...parts, name, tests: judged }, 'scenarios'),
      ...(shown.length > 0 ? [compose({ ...parts, name: `${name}-look`, tests: shown }, 'look')] : []),
    ];
  });
  return {
    files: composed.flatMap(({ files }) => files),
    rows: composed.reduce((sum, { rows }) => sum + rows, 0),
    scenarios: composed.length,
  };
}

/** The roles of the messages of all prompts, which a scenario has once for all rows. */
function shapeOf({ position }: { position: number }, { plans }: ScenarioParts): string {
  return JSON.stringify(
    plans.map(({ ofRows }) => {
      const messages = ofRows?.[position];
      return Array.isArray(messages) ? messages.map(({ role, images }) => [role, images]) : null;
    }),
  );
}

function compose(parts: ScenarioParts, folder: 'scenarios' | 'look'): ComposedScenario {
  const { name, description, fields, tests, hasData } = parts;
  const rows: WrittenRow[] = tests.map(() => ({}));
  const prompts = parts.plans.flatMap((plan, index) => promptOf(plan, index, { ...parts, rows }));
  const shared = sharedAssertions(tests);
  const thresholds = new Set(tests.map(({ threshold }) => threshold));
  const [threshold] = thresholds;
  const isOne = thresholds.size === 1;
  const all = tests.map((test, index) =>
    rowOf(test, { ...parts, shared, columns: rows[index] ?? {}, withThreshold: !isOne }),
  );
  const { data, file } = hasData ? dataOf(withUniqueNames(all), name) : { data: undefined };
  const text = yamlFile({
    name,
    ...(description !== undefined && { description }),
    ...fields,
    ...(data !== undefined && { data }),
    ...promptFields(prompts),
    ...(folder === 'scenarios' && { assertions: [...shared.values()] }),
    ...(isOne && threshold !== undefined && { threshold }),
  });
  return { files: [[`${folder}/${name}.yaml`, text], ...(file ? [file] : [])], rows: tests.length, scenarios: 1 };
}

/** Tests may share a description, as those of a list of values do; the names of rows differ. */
function withUniqueNames(rows: readonly WrittenRow[]): WrittenRow[] {
  const taken = new Set(rows.map(({ name }) => name));
  const seen = new Set<unknown>();
  return rows.map((row) => {
    if (row.name === undefined || !seen.has(row.name)) {
      seen.add(row.name);
      return row;
    }
    let name = `${row.name} (2)`;
    for (let count = 3; taken.has(name); count += 1) name = `${row.name} (${count})`;
    taken.add(name);
    return { ...row, name };
  });
}

/** One prompt is the scenario's own. Several are compared. */
function promptFields(prompts: readonly (WrittenPrompt & { name: string })[]): Record<string, unknown> {
  const [only, ...others] = prompts;
  if (!only) throw new RangeError('a scenario has a prompt');
  if (others.length === 0) {
    const { name: _, ...fields } = only;
    return fields;
  }
  const names = new Set<string>();
  return {
    prompts: prompts.map(({ name: given, prompt, ...fields }) => {
      let name = given;
      for (let count = 2; names.has(name); count += 1) name = `${given} ${count}`;
      names.add(name);
      return { name, ...(prompt !== undefined && { text: prompt }), ...fields };
    }),
  };
}

function promptOf(
  plan: PromptPlan,
  index: number,
  { tests, rows, plans, notes, hasData, renamed }: ScenarioParts & { rows: WrittenRow[] },
): (WrittenPrompt & { name: string })[] {
  const { prompt, messages, ofRows } = plan;
  const line = (prompt.name ?? prompt.label).replaceAll(/\s+/g, ' ').trim();
  const name = line.length <= LONGEST_NAME ? line || `prompt ${index + 1}` : `${line.slice(0, LONGEST_NAME - 1)}…`;
  try {
    if (messages) return [{ name, ...writtenPrompt(messages, prompt, notes) }];
    const stem = plans.length === 1 ? 'prompt_text' : `prompt_text_${index + 1}`;
    const column = (at: number) => (at === 0 ? stem : `${stem}_${at + 1}`);
    let template: WrittenPrompt | undefined;
    for (const [at, test] of tests.entries()) {
      const own = ofRows?.[test.position];
      if (!Array.isArray(own)) throw own ?? new RangeError('a row has a prompt');
      const { columns, templates } = columnTexts(own, { hasData }, column);
      Object.assign(rows[at] ?? {}, columns);
      template ??= writtenPrompt(templates, prompt, notes);
    }
    return template ? [{ name, ...template }] : [];
  } catch (error) {
    if (!(error instanceof MigrationGap) || renamed.size < 0) throw error;
    notes.leftOut(error.what, `${error.message}; the prompt is left out`, error.at);
    return [];
  }
}

/** Assertions that all rows have are those of the scenario. */
function sharedAssertions(tests: ScenarioParts['tests']): Map<string, WrittenAssertion> {
  const [first, ...others] = tests;
  const lists = others.map(({ assertions }) => new Set(assertions.map((each) => JSON.stringify(each))));
  const shared = new Map((first?.assertions ?? []).map((each) => [JSON.stringify(each), each]));
  for (const list of lists) for (const key of shared.keys()) if (!list.has(key)) shared.delete(key);
  return shared;
}

function rowOf(
  { test, assertions, threshold }: TranslatedTest,
  {
    shared,
    columns,
    used,
    renamed,
    withThreshold,
  }: ScenarioParts & { shared: ReadonlyMap<string, WrittenAssertion>; columns: WrittenRow; withThreshold: boolean },
): WrittenRow {
  const own = assertions.filter((each) => !shared.has(JSON.stringify(each)));
  const missing = [...used].filter((name) => !Object.hasOwn(test.vars, name));
  return {
    ...(test.description !== undefined &&
      test.description.trim() !== '' && { name: test.description.trim().slice(0, 150) }),
    ...Object.fromEntries(Object.entries(test.vars).map(([name, value]) => [renamed.get(name) ?? name, value])),
    ...Object.fromEntries(missing.map((name) => [renamed.get(name) ?? name, null])),
    ...columns,
    ...(withThreshold && threshold !== undefined && { threshold }),
    ...(own.length > 0 && { assertions: own }),
  };
}

import { dataFile } from '../text/modules/data-file.ts';
import type { Migration, MigrationChoices } from './migration.ts';
import type { MigrationNotes } from './notes.ts';
import { dataOf, type WrittenRow, yamlFile } from './written-project.ts';

/** Files of another tool that have one table of tasks. */
export interface TableChoices extends MigrationChoices {
  /** Absolute. */
  files: readonly string[];
  cwd: string;
}

/** A scenario for the rows of one form. */
export interface TableScenario {
  name: string;
  /** The prompt or the messages, the assertions and whatever else a scenario has. */
  fields: Record<string, unknown>;
  rows: readonly WrittenRow[];
}

interface Table {
  source: string;
  scenarios: readonly TableScenario[];
  /** How many rows were read. */
  read: number;
  choices: MigrationChoices;
  notes: MigrationNotes;
  /** Whether the file of checks is needed. */
  needsChecks?: boolean;
}

/** The project of a table: a scenario for each form of its rows. */
export function tableProject({ source, scenarios, read, choices, notes, needsChecks = false }: Table): Migration {
  const files = new Map<string, string>();
  for (const { name, fields, rows } of scenarios) {
    const { data, file } = dataOf(rows, name);
    files.set(`scenarios/${name}.yaml`, yamlFile({ name, data, ...fields }));
    if (file) files.set(...file);
  }
  if (needsChecks) files.set('checks/promptfoo.mjs', dataFile(import.meta.url, './written/checks.mjs'));
  files.set(
    'salvo.yaml',
    yamlFile({
      ...(choices.adapter !== undefined && { default_adapter: choices.adapter }),
      ...(choices.model !== undefined && { default_model: choices.model }),
      defaults: { trials: 1 },
      judge: { k: 1 },
    }),
  );
  const written = scenarios.reduce((sum, { rows }) => sum + rows.length, 0);
  return { source, files, notes, scenarios: scenarios.length, rows: { read, written, only_shown: 0 } };
}

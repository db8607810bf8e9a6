import { readScenarioText, scenarioText } from '../scenario/from-trace/scenario-text.ts';
import { replaceSecretForms } from '../secrets/secret-shapes.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { jsonEqual } from '../text/json/json-equal.ts';

/** A row of the data of a scenario. */
export type WrittenRow = Record<string, unknown>;

const MOST_ROWS_INSIDE = 25;
const MOST_CHARACTERS_INSIDE = 8000;

/** A YAML file that people read and change. What is read again is what was meant. */
export function yamlFile(value: Record<string, unknown>, head: readonly string[] = []): string {
  const plain: Record<string, unknown> = JSON.parse(withoutSecrets(JSON.stringify(value)));
  const text = scenarioText(plain, { head, assertions: [], end: [] });
  const { value: read, problems } = readScenarioText(text, 'scenario.yaml');
  const [problem] = problems;
  if (problem || !jsonEqual(read, plain)) {
    throw new SalvoError(
      'FILE_TOO_LARGE',
      `It cannot be written as a scenario file: ${problem?.message ?? 'it has texts that would be read otherwise'}.`,
    );
  }
  return text;
}

/** Rows in the scenario itself if they are few; otherwise a file beside it. */
export function dataOf(rows: readonly WrittenRow[], name: string): { data: unknown; file?: [string, string] } {
  const lines = rows.map((row) => withoutSecrets(JSON.stringify(row)));
  const isShort =
    rows.length <= MOST_ROWS_INSIDE && lines.reduce((sum, { length }) => sum + length, 0) <= MOST_CHARACTERS_INSIDE;
  if (isShort) return { data: rows };
  return { data: `../data/${name}.jsonl`, file: [`data/${name}.jsonl`, `${lines.join('\n')}\n`] };
}

/** What has the form of a key never gets into a file. */
export function withoutSecrets(text: string): string {
  return replaceSecretForms(text, (secret) => (/\$\{\w+\}/.test(secret) ? secret : 'REMOVED_SECRET'));
}

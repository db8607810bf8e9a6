import { ownFields } from '../../adapters/call/own-fields.ts';
import { isSecretName } from '../../secrets/secret-names.ts';
import { isRecord } from '../../text/json/is-record.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import { scenarioFieldsSchema } from '../schema/scenario-schema.ts';

const MAX_KEYS = 10;
const MAX_BYTES = 4096;

/**
 * Extras are sent to the provider unchanged: they must be small, contain no credential at any depth, and no field that
 * Salvo sends itself. `scenario` has the defaults of the project. An adapter of the AI SDK takes the options of a
 * provider one level deeper.
 */
export function checkExtras(
  report: Report,
  { scenario, isAiSdk }: { scenario: Record<string, unknown>; isAiSdk: boolean },
): void {
  const { extras, temperature, seed, max_tokens: maxTokens } = scenario;
  if (!isRecord(extras)) return;
  const path = ['extras'];
  const count = Object.keys(extras).length;
  if (count > MAX_KEYS) {
    report({
      code: 'too-many-extras',
      message: `at most ${MAX_KEYS} extras are allowed, not ${count}`,
      path,
      at: 'key',
    });
  }
  const bytes = Buffer.byteLength(JSON.stringify(extras));
  if (bytes > MAX_BYTES) {
    const message = `extras are at most ${MAX_BYTES} bytes of JSON, not ${bytes}`;
    report({ code: 'too-many-extras', message, path, at: 'key' });
  }
  checkNames(report, extras, path);
  const own = ownFields({ temperature, seed, maxTokens });
  checkFields(report, { fields: extras, own, path });
  for (const [name, fields] of Object.entries(extras)) {
    if (isAiSdk && !own.has(name) && isRecord(fields)) checkFields(report, { fields, own, path: [...path, name] });
  }
}

interface CheckedFields {
  fields: Record<string, unknown>;
  own: ReadonlySet<string>;
  path: Path;
}

function checkFields(report: Report, { fields, own, path }: CheckedFields): void {
  for (const name of Object.keys(fields).filter((each) => own.has(each))) {
    const isKey = Object.hasOwn(scenarioFieldsSchema.shape, name);
    report({
      code: 'own-field',
      message: `Salvo sends "${name}" itself, so extras can't change it: reports and costs would be about another request`,
      hint: isKey ? `set "${name}" of the scenario instead` : 'leave it out',
      path: [...path, name],
      at: 'key',
    });
  }
}

function checkNames(report: Report, value: unknown, path: Path): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkNames(report, item, [...path, index]);
  }
  if (!isRecord(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (isSecretName(key)) {
      report({
        code: 'credential',
        message: `"${key}" looks like a credential, which must not be in a scenario`,
        hint: 'name the environment variable that holds it in salvo.yaml: adapters: {...: {api_key_env: NAME}}',
        path: [...path, key],
        at: 'key',
      });
    }
    checkNames(report, item, [...path, key]);
  }
}

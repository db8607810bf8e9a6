import { isSecretName } from '../../secrets/secret-names.ts';
import { isRecord } from '../../text/json/is-record.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';

const MAX_KEYS = 10;
const MAX_BYTES = 4096;

/** Extras are sent to the provider unchanged: they must be small, and contain no credential at any depth. */
export function checkExtras(report: Report, extras: unknown): void {
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

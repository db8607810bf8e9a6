import { isRecord } from '../text/is-record.ts';
import { kindOfValue } from '../text/value-words.ts';
import { canonicalVulnerability } from './claims/claims.ts';
import { JudgeError } from './claims/judge-error.ts';
import type { Manifest } from './claims/vulnerability.ts';
import { entriesOf } from './importers/entries-of.ts';
import { importerFor } from './importers/importers.ts';
import { jsonLooksLike } from './importers/json-looks-like.ts';
import { readDocument } from './importers/read-document.ts';

const KEYS = ['vulnerabilities', 'injected_vulnerabilities', 'manifest'];

/**
 * What the Red Team hid: a list of vulnerabilities, or an object that holds one as `vulnerabilities`,
 * `injected_vulnerabilities` or `manifest`; parsed, or as the text of a JSON or JSON Lines file. Throws a JudgeError.
 */
export function readManifest(input: unknown, options: { name?: string } = {}): Manifest {
  const name = options.name ?? 'the manifest';
  const document = readDocument(input, { name, code: 'bad_manifest', isReport: () => false });
  const value = 'value' in document ? document.value : document.values;
  // Some scanners' reports have `vulnerabilities`, too.
  const isReport = importerFor(value) !== undefined && !(Array.isArray(value) && value.length === 0);
  const entries = isReport ? null : entriesOf(document, KEYS);
  if (!entries) throw notAManifest(value, name);
  const vulnerabilities = entries.map((entry, index) => {
    if (isRecord(entry)) return canonicalVulnerability(entry, index);
    const message = `${name}: entry ${index + 1} of the vulnerabilities is ${kindOfValue(entry)}, not an object.`;
    throw new JudgeError('bad_manifest', message, { location: { file: name } });
  });
  return { ...othersOf(value), vulnerabilities };
}

/** What else the manifest says, such as who wrote it: kept, as all that is not known is. */
function othersOf(value: unknown): Record<string, unknown> {
  if (!isRecord(value) || !KEYS.some((key) => Object.hasOwn(value, key))) return {};
  const inner = isRecord(value.manifest) ? value.manifest : {};
  return Object.fromEntries(
    [...Object.entries(inner), ...Object.entries(value)].filter(([key]) => !KEYS.includes(key)),
  );
}

function notAManifest(value: unknown, name: string): JudgeError {
  const likeness = jsonLooksLike(value);
  const problem =
    likeness === 'a manifest' ? 'has no list of vulnerabilities' : `is not a manifest: it looks like ${likeness}`;
  const message =
    `${name} ${problem}. ` +
    'A manifest is {"vulnerabilities": [{"id": "v1", "type": "encryption", "resource": "aws_s3_bucket.data"}]}.';
  return new JudgeError('bad_manifest', message, { location: { file: name } });
}

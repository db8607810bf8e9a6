import { isRecord, kindOfValue } from 'salvo/kit/text';
import { canonicalVulnerability } from './claims/canonical-entries.ts';
import { JudgeError } from './claims/judge-error.ts';
import { type PresentBefore, readPresentBefore } from './claims/present-before.ts';
import type { Manifest } from './claims/vulnerability.ts';
import { entriesOf, requireRecords } from './importers/entries-of.ts';
import { importerFor } from './importers/importers.ts';
import { jsonLooksLike } from './importers/json-looks-like.ts';
import { readDocument } from './importers/read-document.ts';

/**
 * What the Red Team hid: the text of a JSON or JSON Lines file, or a parsed list of vulnerabilities, alone or under one
 * of three names. The fields of a vulnerability may have any of the usual names (`vuln_type`, `resourceName`, ...).
 */
export type ManifestInput =
  | string
  | readonly object[]
  | WithOtherFields<{ readonly vulnerabilities: readonly object[] }>
  | WithOtherFields<{ readonly injected_vulnerabilities: readonly object[] }>
  | WithOtherFields<{ readonly manifest: object }>;

/** The first form accepts an interface, the second an object literal with more fields. */
type WithOtherFields<T> = T | (T & Readonly<Record<string, unknown>>);

const KEYS = ['vulnerabilities', 'injected_vulnerabilities', 'manifest'];

/** Reads a manifest. Throws a `JudgeError` that says what is wrong and where. */
export function readManifest(input: ManifestInput, options: { name?: string } = {}): Manifest {
  const name = options.name ?? 'the manifest';
  const document = readDocument(input, { name, code: 'MANIFEST_INVALID', isReport: () => false });
  const value = 'value' in document ? document.value : document.values;
  // The reports of some scanners have `vulnerabilities`, too.
  const isReport = importerFor(value) !== undefined && !(Array.isArray(value) && value.length === 0);
  const entries = isReport ? null : entriesOf(document, KEYS);
  if (!entries) throw notAManifest(value, name);
  const vulnerabilities = entries.map((entry, index) => {
    if (isRecord(entry)) return canonicalVulnerability(entry, index);
    const message = `${name}: entry ${index + 1} of the vulnerabilities is ${kindOfValue(entry)}, not an object.`;
    throw new JudgeError('MANIFEST_INVALID', message, { location: { file: name } });
  });
  return { ...otherFields(value), vulnerabilities };
}

/** The vulnerabilities as they were given: a list, a list in `vulnerabilities`, or what `readManifest` reads. */
export function vulnerabilityRecords(manifest: ManifestInput): readonly Record<string, unknown>[] {
  const value: unknown = manifest;
  const list = isRecord(value) ? value.vulnerabilities : value;
  if (!Array.isArray(list)) return readManifest(manifest).vulnerabilities;
  return requireRecords(list, 'MANIFEST_INVALID', 'vulnerabilities');
}

/** The weaknesses that were there before flaws were planted, as the manifest lists them. */
export function manifestPresentBefore(manifest: ManifestInput): PresentBefore[] {
  const value: unknown = typeof manifest === 'string' ? readManifest(manifest) : manifest;
  return readPresentBefore(isRecord(value) ? value.present_before : undefined);
}

/** What else the manifest says, such as its author, is kept. */
function otherFields(value: unknown): Record<string, unknown> {
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
  return new JudgeError('MANIFEST_INVALID', message, { location: { file: name } });
}

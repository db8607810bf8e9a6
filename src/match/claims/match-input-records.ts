import { isRecord } from '../../text/is-record.ts';
import { kindOfValue } from '../../text/value-words.ts';
import { readFindings } from '../read-findings.ts';
import { readManifest } from '../read-manifest.ts';
import { JudgeError, type JudgeErrorCode } from './judge-error.ts';

type Records = readonly Record<string, unknown>[];

/** The vulnerabilities as they were given: a list, a list in `vulnerabilities`, or whatever `readManifest` can read. */
export function vulnerabilityRecords(manifest: unknown): Records {
  const list = isRecord(manifest) ? manifest.vulnerabilities : manifest;
  if (!Array.isArray(list)) return readManifest(manifest).vulnerabilities;
  return recordsOf(list, 'bad_manifest', 'vulnerabilities');
}

/** The findings as they were given: a list, a list in `findings`, or whatever `readFindings` can read. */
export function findingRecords(findings: unknown): Records {
  const list = isRecord(findings) ? findings.findings : findings;
  if (!Array.isArray(list) || isReport(list)) return readFindings(findings);
  return recordsOf(list, 'bad_findings', 'findings');
}

/** Checkov writes a list of reports, one for each kind of code. */
function isReport([first]: readonly unknown[]): boolean {
  return isRecord(first) && Object.hasOwn(first, 'check_type') && Object.hasOwn(first, 'results');
}

function recordsOf(list: readonly unknown[], code: JudgeErrorCode, name: string): Records {
  const records = list.filter(isRecord);
  if (records.length === list.length) return records;
  const wrong = list.findIndex((entry) => !isRecord(entry));
  throw new JudgeError(
    code,
    `${name}[${wrong}] is ${kindOfValue(list[wrong])}. Make every entry an object, such as {"type": "encryption", "resource": "aws_s3_bucket.data"}.`,
  );
}

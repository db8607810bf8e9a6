import { asText } from './loose-value.ts';

/** `CWE-311` for every CWE named in the values: `311`, `cwe-311`, `CWE-311: Missing…`, `external/cwe/cwe-311`. */
export function cweIds(...values: unknown[]): string[] {
  const ids = new Set<string>();
  for (const value of values.flat()) {
    const text = typeof value === 'number' ? String(value) : asText(value);
    const number = text === undefined ? undefined : (/^\d{1,5}$/.exec(text)?.[0] ?? CWE.exec(text)?.[1]);
    if (number !== undefined && Number(number) > 0) ids.add(`CWE-${Number(number)}`);
  }
  return [...ids];
}

const CWE = /\bcwe[-_/ ]?(\d{1,5})(?!\d)/i;

/** The former id of a rule of Trivy or tfsec, which had a prefix: `AVD-AWS-0088` for `AWS-0088`. */
export function avdId(id: string | undefined): string | undefined {
  return id !== undefined && /^[A-Z][A-Z0-9]{0,20}-\d{4}$/.test(id) ? `AVD-${id}` : undefined;
}

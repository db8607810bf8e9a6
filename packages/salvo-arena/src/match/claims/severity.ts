/** From the mildest to the worst. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** From which severity on a finding fails a scan. */
export const FAIL_ON = ['none', ...SEVERITIES] as const;
export type FailOn = (typeof FAIL_ON)[number];

const SYNONYMS: Record<string, Severity> = {
  informational: 'info',
  information: 'info',
  note: 'info',
  none: 'info',
  trace: 'info',
  negligible: 'low',
  minor: 'low',
  moderate: 'medium',
  warning: 'medium',
  warn: 'medium',
  major: 'high',
  important: 'high',
  error: 'high',
  severe: 'critical',
  blocker: 'critical',
};

/** Alone or before a remark. Not before any other word: tags such as `information disclosure` state no severity. */
const STATED = /^\s*([a-z]{1,20})(?=\s*$|\s*[(:/|,]|\s+[-–—]|\s+(?:severity|risk|impact)\b)/i;

/**
 * A severity in any spelling, with or without a remark after it (`High (CVSS 7.5)`), or the first of a list. Null when
 * no known severity is stated.
 */
export function readSeverity(value: unknown): Severity | null {
  const text: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof text !== 'string') return null;
  const word = STATED.exec(text)?.[1]?.toLowerCase() ?? '';
  return (
    SEVERITIES.find((severity) => severity === word) ?? (Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word] : null) ?? null
  );
}

/** 0 for the mildest. */
export function severityRank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

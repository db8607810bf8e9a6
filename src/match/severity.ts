/** From the mildest to the worst. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;

export type Severity = (typeof SEVERITIES)[number];

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

/** A severity in anyone's spelling; null when it states none that is known. */
export function readSeverity(value: unknown): Severity | null {
  if (typeof value !== 'string') return null;
  const word = value.trim().toLowerCase();
  return (
    SEVERITIES.find((severity) => severity === word) ?? (Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word] : null) ?? null
  );
}

/** 0 for the mildest. */
export function severityRank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

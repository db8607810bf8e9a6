import { readSeverity } from '../claims/severity.ts';
import { firstText, recordOf, textOf, textsOf } from './loose-value.ts';

type Loose = Record<string, unknown>;

/** What a level says when nothing more precise is given: scanners write what is low as a note. */
const LEVELS: Record<string, string> = { error: 'high', warning: 'medium', note: 'low', none: 'info' };

/**
 * A SARIF level has three steps and severities have five, so a CVSS-like score or a severity among the properties goes
 * before it. Without any, a result is a warning: so the standard has it.
 */
export function sarifSeverity(result: Loose, rule: Loose): string | undefined {
  const own = recordOf(result.properties);
  const general = recordOf(rule.properties);
  const score = scoreOf(own['security-severity']) ?? scoreOf(general['security-severity']);
  if (score !== undefined) return bandOf(score);
  const named = [own.severity, general.severity, ...textsOf(general.tags)].find((word) => readSeverity(word) !== null);
  if (named !== undefined) return textOf(named);
  const level = firstText(result.level, recordOf(rule.defaultConfiguration).level) ?? 'warning';
  return Object.hasOwn(LEVELS, level) ? LEVELS[level] : undefined;
}

function scoreOf(value: unknown): number | undefined {
  const score = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof score === 'number' && score >= 0 && score <= 10 ? score : undefined;
}

/** The bands of CVSS 3. */
function bandOf(score: number): string {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'info';
}

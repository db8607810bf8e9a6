import { salvoVersion } from 'salvo/kit/text';
import type { Severity } from '../match/claims/severity.ts';

export const SARIF_LEVELS: Record<Severity, 'error' | 'warning' | 'note'> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};

/** GitHub sorts by this number; its bands are those of CVSS. */
export const SECURITY_SEVERITY: Record<Severity, string> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
  info: '0.0',
};

/** A SARIF 2.1.0 log with one run of Salvo. */
export function sarifLog<Rule, Run extends { results: unknown[] }>({ rules, ...run }: { rules: Rule[] } & Run) {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Salvo', semanticVersion: salvoVersion(), rules } }, ...run }],
  };
}

/** Relative to the project, as code hosts expect. An absolute path must not be mistaken for a scheme (`C:`). */
export function fileUri(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  const absolute = /^[a-z]:\//i.test(slashed) ? `/${slashed}` : slashed;
  const uri = encodeURI(absolute.toWellFormed()).replaceAll('#', '%23').replaceAll('?', '%3F');
  return uri.startsWith('/') ? `file://${uri}` : uri.replace(/^(?:\.\/)+/, '');
}

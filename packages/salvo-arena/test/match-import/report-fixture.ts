import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../../test/fixtures/reports');

/** The text of a sample report, by its file's name. */
export function reportText(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

/** A sample report as a value. */
export function report(name: string): object {
  return JSON.parse(reportText(name));
}

/** Every sample report with the format that it is read as. */
export const REPORTS = {
  'checkov.json': 'checkov',
  'trivy.json': 'trivy',
  'trivy-old.json': 'trivy',
  'kics.json': 'kics',
  'tfsec.json': 'tfsec',
  'semgrep.json': 'semgrep',
  'terrascan.json': 'terrascan',
  'snyk.json': 'snyk',
  'cfn-guard.json': 'cfn-guard',
  'cfn-guard-old.json': 'cfn-guard',
  'cdk-nag.json': 'cdk-nag',
  'cdk-nag-old.json': 'cdk-nag',
  'sarif.json': 'sarif',
  'sarif-flavours.json': 'sarif',
} as const;

export const REPORT_NAMES = Object.keys(REPORTS);

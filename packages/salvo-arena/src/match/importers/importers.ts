import { cdkNag } from './cdk-nag/cdk-nag.ts';
import { cfnGuard } from './cfn-guard/cfn-guard.ts';
import { checkov } from './checkov.ts';
import type { Importer } from './findings-format.ts';
import { kics } from './kics.ts';
import { sarif } from './sarif/sarif.ts';
import { semgrep } from './semgrep.ts';
import { snyk } from './snyk.ts';
import { terrascan } from './terrascan.ts';
import { tfsec } from './tfsec.ts';
import { trivy } from './trivy.ts';

/** Every importer. Those whose reports are easiest to recognise come first. */
export const IMPORTERS: readonly Importer[] = [
  sarif,
  checkov,
  trivy,
  kics,
  snyk,
  terrascan,
  cfnGuard,
  cdkNag,
  semgrep,
  tfsec,
];

/** The importer for a report; undefined when no known scanner wrote it. */
export function importerFor(report: unknown): Importer | undefined {
  return IMPORTERS.find((importer) => importer.recognises(report));
}

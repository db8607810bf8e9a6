/** The reports that findings can be read from; `auto` looks at the file. */
export const FINDINGS_FORMATS = [
  'auto',
  'salvo',
  'sarif',
  'checkov',
  'trivy',
  'kics',
  'tfsec',
  'semgrep',
  'cfn-guard',
  'terrascan',
  'snyk',
] as const;

export type FindingsFormat = (typeof FINDINGS_FORMATS)[number];

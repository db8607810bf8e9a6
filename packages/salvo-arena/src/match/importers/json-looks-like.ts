import { isRecord, kindOfValue, quoteOutput } from 'salvo/kit/text';
import { importerFor } from './importers.ts';
import type { Loose } from './loose-value.ts';

interface Shape {
  what: string;
  fits(value: Loose): boolean;
}

const SHAPES: readonly Shape[] = [
  { what: 'a trace of Salvo', fits: (value) => 'messages' in value && 'final_content' in value },
  { what: 'a result of "salvo score"', fits: (value) => 'f1_score' in value || 'true_positives' in value },
  {
    what: 'a Terraform plan in JSON',
    fits: (value) => 'format_version' in value && ('planned_values' in value || 'resource_changes' in value),
  },
  {
    what: 'a Terraform state',
    fits: (value) => 'terraform_version' in value && ('resources' in value || 'values' in value),
  },
  {
    what: 'a CloudFormation template',
    fits: (value) => 'AWSTemplateFormatVersion' in value || hasTypedResources(value),
  },
  { what: 'a CycloneDX bill of materials', fits: (value) => 'bomFormat' in value },
  { what: 'an SPDX bill of materials', fits: (value) => 'spdxVersion' in value },
  { what: 'a SARIF log of a version before 2', fits: (value) => Array.isArray(value.runs) && 'version' in value },
  { what: "Snyk's report on packages", fits: (value) => 'vulnerabilities' in value && 'packageManager' in value },
  { what: "GitLab's security report", fits: (value) => 'vulnerabilities' in value && 'scan' in value },
  {
    what: 'a package.json',
    fits: (value) => 'name' in value && ['dependencies', 'devDependencies', 'scripts'].some((key) => key in value),
  },
  { what: 'an error of a tool', fits: (value) => 'error' in value && Object.keys(value).length <= 3 },
  {
    what: 'a manifest',
    fits: (value) => ['vulnerabilities', 'injected_vulnerabilities', 'manifest'].some((key) => key in value),
  },
  {
    what: 'a list of findings',
    fits: (value) => Array.isArray(value.findings) || Array.isArray(value.detected_vulnerabilities),
  },
];

/** Lists of objects that are no findings, although some of their fields have the names of a finding's. */
const LISTS: readonly (Shape & { advice: string })[] = [
  {
    what: "cfn-lint's JSON report",
    fits: (value) => 'Filename' in value && isRecord(value.Rule) && isRecord(value.Location),
    advice: 'Run it with --format sarif.',
  },
  {
    what: 'events in the OCSF form, as Prowler writes them',
    fits: (value) => 'class_uid' in value && 'finding_info' in value,
    advice:
      'They are about an account and not about code, and also say what passed. Give what failed as a list of {"title", "resource", "severity"}.',
  },
];

/** What a list is that must not be read as findings, and what to do instead; null for any other. */
export function foreignList([first]: readonly unknown[]): { what: string; advice: string } | null {
  return isRecord(first) ? (LISTS.find(({ fits }) => fits(first)) ?? null) : null;
}

function hasTypedResources({ Resources }: Loose): boolean {
  return isRecord(Resources) && Object.values(Resources).some((resource) => isRecord(resource) && 'Type' in resource);
}

const MOST_KEYS = 6;

/** What a JSON value seems to be, in a few words for messages. */
export function jsonLooksLike(value: unknown): string {
  const importer = importerFor(value);
  if (importer) return importer.name;
  if (Array.isArray(value)) {
    const [first] = value;
    if (value.length === 0) return 'an empty list';
    const foreign = foreignList(value);
    if (foreign) return foreign.what;
    return isRecord(first)
      ? `a list of objects with ${quotedKeys(first)}`
      : `a list that begins with ${kindOfValue(first)}`;
  }
  if (!isRecord(value)) return value === null ? 'the JSON value null' : kindOfValue(value);
  const shape = SHAPES.find(({ fits }) => fits(value));
  if (shape) return shape.what;
  return Object.keys(value).length === 0 ? 'an empty object' : `an object with ${quotedKeys(value)}`;
}

function quotedKeys(value: Loose): string {
  const keys = Object.keys(value);
  const quoted = keys.slice(0, MOST_KEYS).map((key) => JSON.stringify(quoteOutput(key, { length: 40 })));
  return quoted.join(', ') + (keys.length > MOST_KEYS ? ' and more' : '');
}

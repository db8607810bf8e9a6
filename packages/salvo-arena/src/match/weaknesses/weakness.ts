import { z } from 'zod';
import { SEVERITIES } from '../claims/severity.ts';

const WEAKNESS_CATEGORIES = [
  'encryption_at_rest',
  'encryption_in_transit',
  'public_access',
  'access_control',
  'iam',
  'network',
  'logging',
  'monitoring',
  'backup',
  'secrets',
  'availability',
  'versioning',
  'metadata_service',
  'supply_chain',
  'patching',
  'configuration',
] as const;

/**
 * The scanners whose rules are listed. The rules of cfn-guard have the names of those of `aws_config`. Packs of cdk-nag
 * share their checks: one of the packs is enough.
 */
const SCANNERS = [
  'checkov',
  'trivy',
  'tfsec',
  'kics',
  'terrascan',
  'aws_config',
  'cdk_nag',
  'security_hub',
  'prowler',
  'snyk',
  'semgrep',
  'hadolint',
  'gitleaks',
] as const;

const textsSchema = z.array(z.string());

/** Where the weakness is in a language: types of resources, and paths of the attributes that are wrong or missing. */
const placeSchema = z.strictObject({ types: textsSchema.default([]), attributes: textsSchema.default([]) });

/**
 * A flaw that infrastructure code can have, independent of scanners. The schema checks types only, because every start
 * pays for it; the tests of the catalogue check the values.
 */
export const weaknessSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  category: z.enum(WEAKNESS_CATEGORIES),
  /** The typical severity; it may differ for a particular resource. */
  severity: z.enum(SEVERITIES),
  cwe: z.array(z.int()),
  terraform: placeSchema.optional(),
  cloudformation: placeSchema.optional(),
  kubernetes: placeSchema.optional(),
  dockerfile: placeSchema.optional(),
  /** Weaknesses that are easily confused with this one, or are wider or narrower. The relation holds both ways. */
  related: textsSchema.default([]),
  rules: z.partialRecord(z.enum(SCANNERS), textsSchema),
});

export type Weakness = z.infer<typeof weaknessSchema>;

/** The entries of a catalogue in JSON Lines, which may have comments. */
export function readEntries<T>(schema: z.ZodType<T>, file: string, text: string): T[] {
  return text.split('\n').flatMap((line, number) => {
    if (line.trim() === '' || line.startsWith('//')) return [];
    try {
      return [schema.parse(JSON.parse(line))];
    } catch (error) {
      throw new Error(`${file}:${number + 1} is not an entry of this catalogue.`, { cause: error });
    }
  });
}

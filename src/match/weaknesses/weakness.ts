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

/** Whose rules are named. Those of `aws_config` are also the names that rules of cfn-guard carry. */
export const SCANNERS = [
  'checkov',
  'trivy',
  'tfsec',
  'kics',
  'terrascan',
  'aws_config',
  'security_hub',
  'prowler',
  'snyk',
  'semgrep',
  'hadolint',
  'gitleaks',
] as const;

const textsSchema = z.array(z.string());

/** Where a language shows the weakness: kinds of resource, and the paths in them of what is wrong or missing. */
const placeSchema = z.strictObject({ types: textsSchema.default([]), attributes: textsSchema.default([]) });

/**
 * A flaw that infrastructure code can have, whoever reports it. The schema says what the fields are and no more, since
 * every start pays for it; what their values must look like is in the tests of the catalogue.
 */
export const weaknessSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  category: z.enum(WEAKNESS_CATEGORIES),
  /** What it typically is; the resource decides what it is in one place. */
  severity: z.enum(SEVERITIES),
  cwe: z.array(z.int()),
  terraform: placeSchema.optional(),
  cloudformation: placeSchema.optional(),
  kubernetes: placeSchema.optional(),
  dockerfile: placeSchema.optional(),
  /** Other weaknesses that are easily taken for this one, or are a wider or narrower case of it. It holds both ways. */
  related: textsSchema.default([]),
  rules: z.partialRecord(z.enum(SCANNERS), textsSchema),
});

export type Weakness = z.infer<typeof weaknessSchema>;

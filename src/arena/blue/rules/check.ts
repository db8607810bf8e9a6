import { z } from 'zod';

const scalarSchema = z.union([z.string(), z.number(), z.boolean()]);
const wordsSchema = z.array(scalarSchema).min(1);
/** Whether it is all right that there is nothing at the path. Every kind of check has its own answer otherwise. */
const missingSchema = z.enum(['good', 'bad']).optional();
/** As in `read-path.ts`: `metadata_options.http_tokens`, `ebs_block_device?.encrypted`, `parameter[name=tls].value`. */
const pathSchema = z.string().min(1);
const patternSchema = z.string().transform((text) => new RegExp(text, 'i'));

export const CUSTOM_CHECKS = [
  'access-key-text',
  'api-method-open',
  'bucket-policy-tls',
  'environment-secret',
  'ingress',
  'egress',
  'lambda-permission-source',
  'network-acl',
  'parameter-secret',
  'plain-secret',
  'policy-escalates',
  'policy-full-admin',
  'policy-pass-role',
  'policy-public',
  'policy-service-wildcard',
  'policy-wildcard-resource',
  'trust-any-principal',
  'trust-github',
  'trust-other-account',
  'user-data-secret',
] as const;

const simpleCheckSchema = z.union([
  z.strictObject({ at: pathSchema, equals: wordsSchema, missing: missingSchema }),
  z.strictObject({ at: pathSchema, not: wordsSchema, missing: missingSchema }),
  z.strictObject({ at: pathSchema, present: z.boolean() }),
  z.strictObject({ at: pathSchema, min: z.number(), missing: missingSchema }),
  z.strictObject({ at: pathSchema, max: z.number(), missing: missingSchema }),
  /** All of these are in the list. */
  z.strictObject({ at: pathSchema, includes: wordsSchema, missing: missingSchema }),
  /** None of these is in the list. */
  z.strictObject({ at: pathSchema, excludes: wordsSchema, missing: missingSchema }),
  z.strictObject({ at: pathSchema, matches: patternSchema, missing: missingSchema }),
  z.strictObject({ at: pathSchema, not_matches: patternSchema, missing: missingSchema }),
  /** Another resource refers to this one; or names it, as this one does in `name`. */
  z.strictObject({ companion: z.array(z.string()).min(1), link: pathSchema, name: z.string().optional() }),
  z.strictObject({ custom: z.enum(CUSTOM_CHECKS), at: pathSchema.optional(), of: z.string().optional() }),
  /** The block as such is the flaw. */
  z.strictObject({ never: z.literal(true) }),
]);

export type SimpleCheck = z.infer<typeof simpleCheckSchema>;

/** What must be so. `any` and `all` combine. */
export type Check = SimpleCheck | { any: Check[] } | { all: Check[] };

export const checkSchema: z.ZodType<Check> = z.lazy(() =>
  z.union([
    simpleCheckSchema,
    z.strictObject({ any: z.array(checkSchema).min(1) }),
    z.strictObject({ all: z.array(checkSchema).min(1) }),
  ]),
);

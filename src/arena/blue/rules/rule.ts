import { z } from 'zod';
import type { Weakness } from '../../../match/weaknesses/weakness.ts';
import { checkSchema } from './check.ts';

/** A kind of block that a rule looks at, and what must be so in it. */
const lookSchema = z.strictObject({
  /** `aws_db_instance`, `AWS::RDS::DBInstance`, `provider.aws`; `*` for every block there is. */
  types: z.array(z.string()).min(1),
  /** Types that `*` does not stand for. */
  except: z.array(z.string()).default([]),
  /** The rule has something to say only where all of this is certain. */
  when: z.array(checkSchema).default([]),
  check: checkSchema,
});

export type Look = z.infer<typeof lookSchema>;

export const writtenRuleSchema = z.strictObject({
  id: z.string().regex(/^SALVO_AWS_\d{3}$/),
  /** The id for people. */
  slug: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** In the catalogue of weaknesses; category, severity and CWE are told there. */
  weakness: z.string(),
  title: z.string().min(1),
  /** Why it matters. */
  description: z.string().min(1),
  fix: z.string().min(1),
  terraform: z.array(lookSchema).default([]),
  cloudformation: z.array(lookSchema).default([]),
});

/** One of our own static checks of AWS infrastructure code. */
export interface Rule extends z.infer<typeof writtenRuleSchema> {
  category: Weakness['category'];
  severity: Weakness['severity'];
  cwe: number[];
}

import { dataFolder, once } from 'salvo/kit/text';
import { z } from 'zod';
import type { Weakness } from '../../match/weaknesses/weakness.ts';
import { weaknessById } from '../../match/weaknesses/weaknesses.ts';
import { checkSchema } from './check.ts';

/** The blocks that a rule is about, and what must hold for them. */
const lookSchema = z.strictObject({
  /** `aws_db_instance`, `data.aws_ami`, `AWS::RDS::DBInstance`, `provider.aws`; `*` for every block there is. */
  types: z.array(z.string()).min(1),
  /** Types that `*` does not include. */
  except: z.array(z.string()).default([]),
  /** The rule only applies to blocks for which all of these hold: see `conditionResult` for unknown values. */
  when: z.array(checkSchema).default([]),
  check: checkSchema,
});

export type Look = z.infer<typeof lookSchema>;

export const writtenRuleSchema = z.strictObject({
  id: z.string().regex(/^SALVO_AWS_\d{3,4}$/),
  /** A readable id. */
  slug: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** An id of the catalogue of weaknesses, which has category, severity and CWE. */
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

/** All rules of the embedded Blue Team, sorted by id. JSON, because as much YAML takes a hundred times as long to read. */
export const allRules = once((): readonly Rule[] =>
  Object.entries(dataFolder(import.meta.url, './catalogue'))
    .flatMap(([file, text]) => readRules(file, text))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
);

function readRules(file: string, text: string): Rule[] {
  const written = z.array(writtenRuleSchema).parse(JSON.parse(text));
  return written.map((rule) => {
    const weakness = weaknessById(rule.weakness);
    if (!weakness)
      throw new Error(`${file}: ${rule.id} is about ${rule.weakness}, which is not in the catalogue of weaknesses.`);
    const { category, severity, cwe } = weakness;
    return { ...rule, category, severity, cwe };
  });
}

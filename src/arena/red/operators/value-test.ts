import { z } from 'zod';
import type { Json } from '../../../iac/evaluate/value.ts';

const scalarSchema = z.union([z.string(), z.number(), z.boolean()]);

/** What a value is asked. All that is given must hold; with nothing given, no value passes. */
export const valueTestSchema = z.strictObject({
  is: z.array(scalarSchema).optional(),
  not: z.array(scalarSchema).optional(),
  at_most: z.number().optional(),
  at_least: z.number().optional(),
  matches: z.string().optional(),
  /** A list with one of these. */
  has: z.array(scalarSchema).optional(),
  /** A list, or a text, without any of these. */
  lacks: z.array(scalarSchema).optional(),
  /** A text that is written out in the code, and no reference to where it is kept. */
  plain: z.literal(true).optional(),
});

export type ValueTest = z.infer<typeof valueTestSchema>;

export type Answer = 'yes' | 'no' | 'unknown';

/** `value` is a known part: what the code does not tell is a `${...}` in it. */
export function askValue(test: ValueTest, value: Json): Answer {
  const answers = Object.entries(ASKED).flatMap(([name, ask]) => (name in test ? [ask(test, value)] : []));
  if (answers.length === 0 || answers.includes(false))
    return hasUnknown(value) && answers.length > 0 ? 'unknown' : 'no';
  return 'yes';
}

const ASKED: Record<string, (test: ValueTest, value: Json) => boolean> = {
  is: ({ is = [] }, value) => isOneOf(is, value),
  // What is not known may be one of them.
  not: ({ not = [] }, value) => !isOneOf(not, value) && !hasUnknown(value),
  at_most: ({ at_most = 0 }, value) => isNumber(value) && Number(value) <= at_most,
  at_least: ({ at_least = 0 }, value) => isNumber(value) && Number(value) >= at_least,
  matches: ({ matches = '' }, value) => itemsOf(value).some((item) => new RegExp(matches).test(String(item))),
  has: ({ has = [] }, value) => itemsOf(value).some((item) => isOneOf(has, item)),
  lacks: ({ lacks = [] }, value) => !hasUnknown(value) && !itemsOf(value).some((item) => isOneOf(lacks, item)),
  plain: (_test, value) => typeof value === 'string' && value !== '' && !/\$\{|\{\{resolve:/.test(value),
};

/** `"true"`, `true` and `"True"` are the same to both languages. */
function isOneOf(values: readonly (string | number | boolean)[], value: Json): boolean {
  if (typeof value === 'object') return false;
  return values.some((one) => String(one).toLowerCase() === String(value).toLowerCase());
}

function isNumber(value: Json): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value));
}

function itemsOf(value: Json): Json[] {
  return Array.isArray(value) ? value : [value];
}

function hasUnknown(value: Json): boolean {
  if (typeof value === 'string') return value.includes('${');
  return Array.isArray(value) && value.some(hasUnknown);
}

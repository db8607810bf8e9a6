import { z } from 'zod';
import { equalsSetting, isKnownThroughout, type Json } from '../../iac/evaluate/value.ts';
import { isPublicCidr } from '../../iac/read/public-cidr.ts';

const scalarSchema = z.union([z.string(), z.number(), z.boolean()]);

/** All that is given must hold for a value. With nothing given, no value passes. */
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
  /** A public address range, or a list with one. */
  public_cidr: z.literal(true).optional(),
  /** A text in the code, and not a reference to a secret that is kept elsewhere. */
  plain: z.literal(true).optional(),
});

export type ValueTest = z.infer<typeof valueTestSchema>;

export type Answer = 'yes' | 'no' | 'unknown';

/** `value` is the `json` of a node: unknown parts are `${...}`. */
export function askValue(test: ValueTest, value: Json): Answer {
  const answers = Object.entries(ASKED).flatMap(([name, ask]) => (name in test ? [ask(test, value)] : []));
  if (answers.length === 0 || answers.includes(false))
    return answers.length > 0 && !isKnownThroughout(value) ? 'unknown' : 'no';
  return 'yes';
}

const ASKED: Record<string, (test: ValueTest, value: Json) => boolean> = {
  is: ({ is = [] }, value) => isOneOf(is, value),
  // An unknown value may be one of them.
  not: ({ not = [] }, value) => !isOneOf(not, value) && isKnownThroughout(value),
  at_most: ({ at_most = 0 }, value) => isNumber(value) && Number(value) <= at_most,
  at_least: ({ at_least = 0 }, value) => isNumber(value) && Number(value) >= at_least,
  matches: ({ matches = '' }, value) => itemsOf(value).some((item) => new RegExp(matches).test(String(item))),
  has: ({ has = [] }, value) => itemsOf(value).some((item) => isOneOf(has, item)),
  lacks: ({ lacks = [] }, value) => isKnownThroughout(value) && !itemsOf(value).some((item) => isOneOf(lacks, item)),
  public_cidr: (_test, value) => itemsOf(value).some((item) => typeof item === 'string' && isPublicCidr(item)),
  plain: (_test, value) => typeof value === 'string' && value !== '' && !/\$\{|\{\{resolve:/.test(value),
};

function isOneOf(values: readonly (string | number | boolean)[], value: Json): boolean {
  return values.some((one) => equalsSetting(value, one));
}

function isNumber(value: Json): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value));
}

function itemsOf(value: Json): Json[] {
  return Array.isArray(value) ? value : [value];
}

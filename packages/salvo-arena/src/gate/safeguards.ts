import { dataFile, foldedName, once } from 'salvo/kit/text';
import { z } from 'zod';
import { equalsSetting, isKnownThroughout, type Json } from '../iac/evaluate/value.ts';
import { pathSteps } from '../iac/read/attribute-path.ts';

const textsSchema = z.array(z.string());

/** What makes a value secure. All that is given must hold. */
const secureSchema = z.strictObject({
  is: z.array(z.union([z.string(), z.boolean()])).optional(),
  /** Parts of a text in lower case: it must have one of `has`, and none of `lacks`. */
  has: textsSchema.optional(),
  lacks: textsSchema.optional(),
  present: z.literal(true).optional(),
  /** The least number that is surely not too small, and the least one that is surely not "off". */
  from: z.number().optional(),
  from_when_off: z.number().optional(),
});

/** A setting whose secure value shows that a certain flaw is not there. */
const safeguardSchema = z.strictObject({
  id: z.string(),
  /** Paths of the attribute in Terraform's spelling. CloudFormation's is the same when folded. */
  paths: z.array(z.string().transform((path) => pathSteps(path).map(({ name }) => foldedName(name)))),
  /** Prefixes of the resource types it applies to, in lower case; all types when empty. */
  types: textsSchema.default([]),
  secure: secureSchema,
  /** Phrases of claims that are about this setting. */
  says: textsSchema,
  /** Phrases of claims that are about more than this setting, so that its value refutes nothing. */
  except: textsSchema,
});

export type Safeguard = z.infer<typeof safeguardSchema>;

export const safeguards = once(() =>
  z.array(safeguardSchema).parse(JSON.parse(dataFile(import.meta.url, './safeguards.json'))),
);

/**
 * Whether a value is secure; null when it is unknown. `off`: the claim is that the setting is off, not just too low.
 */
export function isSecure({ secure }: Safeguard, value: Json, off: boolean): boolean | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).toLowerCase() : '';
  if (secure.present) {
    const isThere =
      value !== null &&
      value !== false &&
      text !== 'none' &&
      !(Array.isArray(value) && value.length === 0) &&
      value !== '';
    return isThere && !(secure.lacks ?? []).some((part) => text.includes(part));
  }
  if (!isKnownThroughout(value)) return null;
  if (secure.from !== undefined) {
    const least = off ? (secure.from_when_off ?? secure.from) : secure.from;
    return text !== '' && Number(text) >= least;
  }
  if (secure.has)
    return secure.has.some((part) => text.includes(part)) && !(secure.lacks ?? []).some((part) => text.includes(part));
  return (secure.is ?? []).some((right) => equalsSetting(value, right));
}

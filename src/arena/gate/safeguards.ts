import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile } from '../../app/package-file.ts';
import type { Json } from '../../iac/evaluate/value.ts';
import { isKnownThroughout } from '../../iac/evaluate/value.ts';
import { pathSteps } from '../../iac/read/attribute-path.ts';
import { equalsSetting } from '../../iac/read/equals-setting.ts';
import { foldedName } from '../../text/folded-name.ts';

const textsSchema = z.array(z.string());

/** What a value must be so that nothing is wrong with it. All that is stated must hold. */
const secureSchema = z.strictObject({
  is: z.array(z.union([z.string(), z.boolean()])).optional(),
  /** Parts of a text, in lower case: one of these, and none of those. */
  has: textsSchema.optional(),
  lacks: textsSchema.optional(),
  present: z.literal(true).optional(),
  /** A number as large as nobody would call too small; and one that is not "off". */
  from: z.number().optional(),
  from_when_off: z.number().optional(),
});

/** A setting that, where it has the right value, shows that a certain flaw is not there. */
const safeguardSchema = z.strictObject({
  id: z.string(),
  /** Of the attribute, in Terraform's spelling; CloudFormation's is the same once folded. */
  paths: z.array(z.string().transform((path) => pathSteps(path).map(({ name }) => foldedName(name)))),
  /** How the types begin that it holds for, in lower case; all when there are none. */
  types: textsSchema.default([]),
  secure: secureSchema,
  /** What a claim says that is about this. */
  says: textsSchema,
  /** What it says when it is about more than this, so that the right value refutes nothing. */
  except: textsSchema,
});

export type Safeguard = z.infer<typeof safeguardSchema>;

let read: readonly Safeguard[] | undefined;

export function safeguards(): readonly Safeguard[] {
  read ??= z
    .array(safeguardSchema)
    .parse(JSON.parse(readFileSync(packageFile('src/arena/gate/safeguards.json'), 'utf8')));
  return read;
}

/** Whether a value is the right one; null when the code alone does not tell. `off`: the claim is that there is none at all. */
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

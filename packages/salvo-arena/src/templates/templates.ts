import { dataFile, dataFolder, fileOf, once } from 'salvo/kit/text';
import { z } from 'zod';
import type { PresentBefore } from '../match/claims/present-before.ts';

const templateSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  language: z.enum(['terraform', 'cloudformation']),
  provider: z.literal('aws'),
  domains: z.array(z.string()).min(1),
  title: z.string().min(1),
  description: z.string().min(1),
  /** Names in the folder of the template, in the order a reader should open them. */
  files: z.array(z.string().regex(/^[a-z][a-z0-9-]*\.(?:tf|yaml)$/)).min(1),
});

/** Infrastructure code without a known flaw: Red plants flaws in it, and the original is the twin of a game. */
export type Template = z.infer<typeof templateSchema>;

/** The templates of this package, without their code. */
export const allTemplates = once((): readonly Template[] =>
  z.array(templateSchema).parse(JSON.parse(dataFile(import.meta.url, './templates.json'))),
);

/**
 * Weaknesses that the code of a template has before Red touches it, as at least one scanner sees it: no replica of a
 * bucket, a firewall whose rules are not in this code. A finding about one is neither right nor a false alarm, and Red
 * plants none of them at that resource.
 */
export function presentBefore({ id }: Pick<Template, 'id'>): PresentBefore[] {
  return Object.entries(present()[id] ?? {}).flatMap(([weakness, resources]) =>
    resources.map((resource) => ({ weakness, resource })),
  );
}

const presentSchema = z.record(z.string(), z.record(z.string(), z.array(z.string())));

const present = once(() => presentSchema.parse(JSON.parse(dataFile(import.meta.url, './present-before.json'))));

/**
 * The code of a template by file name. The caller may change the record: it is a new one each time. The first line of a
 * file is a canary, which shows whether a model has seen the file in training. It is no part of the code.
 */
export function templateFiles({ language, id, files }: Template): Record<string, string> {
  return Object.fromEntries(
    files.map((file) => [file, fileOf(FILES[language](), `${id}/${file}`).replace(CANARY_LINE, '')]),
  );
}

/** The same in every file of a template, and in nothing that Blue sees. @internal Exported for its tests. */
export const CANARY = '6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27';

const CANARY_LINE = new RegExp(`^#[^\\n]*${CANARY}\\n`);

/** All templates of a language are read at once: an experiment plays a thousand games on a few dozen of them. */
const FILES = {
  terraform: once(() => dataFolder(import.meta.url, './terraform')),
  cloudformation: once(() => dataFolder(import.meta.url, './cloudformation')),
};

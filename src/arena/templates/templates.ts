import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile } from '../../app/package-file.ts';

const TEMPLATE_DOMAINS = [
  'storage',
  'compute',
  'network',
  'identity',
  'secrets',
  'databases',
  'containers',
  'messaging',
  'logging',
  'edge',
  'analytics',
  'backup',
  'delivery',
] as const;

const templateSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  language: z.enum(['terraform', 'cloudformation']),
  provider: z.literal('aws'),
  domains: z.array(z.enum(TEMPLATE_DOMAINS)).min(1),
  title: z.string().min(1),
  description: z.string().min(1),
  /** Names in the folder of the template, in the order a reader should open them. */
  files: z.array(z.string().regex(/^[a-z][a-z0-9-]*\.(?:tf|yaml)$/)).min(1),
});

/** Infrastructure code without a known flaw: what Red changes, and the twin whose resources are the true negatives. */
export type Template = z.infer<typeof templateSchema>;

/** The library that ships with the product, without the code itself. */
export function allTemplates(): readonly Template[] {
  // JSON, because a YAML index of this size takes a hundred times as long to read.
  library ??= z
    .array(templateSchema)
    .parse(JSON.parse(readFileSync(packageFile('src/arena/templates/templates.json'), 'utf8')));
  return library;
}

let library: Template[] | undefined;

/** The code of a template by file name. The caller may change the record: it is a new one each time. */
export function templateFiles(template: Template): Record<string, string> {
  const code = codeOf.get(template.id) ?? readCode(template);
  codeOf.set(template.id, code);
  return { ...code };
}

/** An experiment plays a thousand games on a few dozen templates. */
const codeOf = new Map<string, Readonly<Record<string, string>>>();

function readCode({ language, id, files }: Template): Record<string, string> {
  const folder = packageFile(`src/arena/templates/${language}/${id}`);
  return Object.fromEntries(files.map((file) => [file, readFileSync(`${folder}/${file}`, 'utf8')]));
}

import { compareNames, SalvoError } from 'salvo/kit/text';
import { z } from 'zod';
import type { OwnCode } from '../../../code/own-code.ts';
import { createScope } from '../../../iac/evaluate/scope.ts';
import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import type { SourceFile } from '../../../iac/syntax/source-file.ts';
import { type Difficulty, LANGUAGES } from '../../../tasks/game-settings.ts';
import { operatorsFor } from '../../operators/operators.ts';
import type { RedMetadata } from '../../red-team.ts';
import { isFormatted } from '../code-change.ts';
import type { SecureTemplate } from '../secure-template.ts';
import { isEditable } from './code-parts.ts';
import { type SecureOwnCode, secureOwnCode } from './secure-own-code.ts';

type Use = NonNullable<RedMetadata['own_code']>;

/** How much of the user's code a game can use. */
export function ownCodeUse(code: OwnCode, secure: SecureTemplate, difficulty: Difficulty): Use {
  const { files } = secure.project;
  return {
    resources: countResources(files.filter(({ language }) => language === secure.language)),
    usable: new Set(secure.sites.map(({ target }) => target.address)).size,
    places: secure.sites.length,
    notes: ownCodeNotes(code, files, difficulty),
  };
}

function countResources(files: readonly SourceFile[]): number {
  return files.reduce((sum, { blocks }) => sum + blocks.filter(({ type }) => type === 'resource').length, 0);
}

const MOST_NAMED = 5;

/** What is left as it is, and what may show where Red was. */
function ownCodeNotes(code: OwnCode, files: readonly SourceFile[], difficulty: Difficulty | null): string[] {
  const broken = files
    .filter((source) => !isEditable(source))
    .map(({ file, problems: [first] }) => (first ? `${file}:${first.line}:${first.column} (${first.message})` : file));
  const unformatted = files.filter((source) => /\.tf$/.test(source.file) && !isFormatted(source.file, source));
  const inJson = files.filter(
    ({ syntax, blocks }) => syntax === 'json' && blocks.some(({ type }) => type === 'resource'),
  );
  return [
    ...named('Left as it is, since it cannot be read', broken),
    ...named(
      'Not read',
      code.skipped.map(({ file, reason }) => `${file} (${reason})`),
    ),
    ...named(
      'Not laid out as `terraform fmt` does, so that new lines may look different',
      unformatted.map(({ file }) => file),
    ),
    ...(difficulty === 'easy'
      ? []
      : named(
          'Flaws in JSON are not hidden in declarations',
          inJson.map(({ file }) => file),
        )),
  ];
}

function named(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return [`${what}: ${names.slice(0, MOST_NAMED).join(', ')}${more}.`];
}

/** The language that games on this code are played in. Throws if no flaw is possible in any resource. */
export async function usableLanguage(code: OwnCode, wanted?: CodeLanguage): Promise<CodeLanguage> {
  const secure = await secureOwnCode(code, wanted);
  for (const index of secure.parts.keys()) if ((await secure.part(index)).sites.length > 0) return secure.language;
  const { list } = await listResources(code, secure);
  const reasons = [...Map.groupBy(list, ({ why_not }) => why_not)].map(([why, all]) => `${all.length}: ${why}`);
  const message = `No flaw is possible in the ${list.length} resources of ${code.source}. ${reasons.join('; ')}.`;
  throw new SalvoError('TEMPLATE_UNUSABLE', message);
}

/** What Red can do with code of the user, resource by resource. */
export const templateUseSchema = z.object({
  template: z.string(),
  language: z.enum(LANGUAGES),
  resources: z.int(),
  /** Resources in which a flaw is possible, and how many different flaws are, all together. */
  usable: z.int(),
  places: z.int(),
  /** How many weaknesses the code has already. */
  present_before: z.int(),
  /** Sources of modules that are not in the code. Nothing is downloaded. */
  modules_not_read: z.array(z.string()),
  notes: z.array(z.string()),
  /** In the order of the files. */
  list: z.array(
    z.object({
      address: z.string(),
      file: z.string(),
      line: z.int(),
      /** How many different flaws are possible in it. */
      places: z.int(),
      /** Why there are none; null if there are. */
      why_not: z.string().nullable(),
    }),
  ),
});

export type TemplateUse = z.infer<typeof templateUseSchema>;

export async function listResources(code: OwnCode, secure: SecureOwnCode): Promise<TemplateUse> {
  const { project, language, parts, present } = secure;
  const places = new Map<string, number>();
  for (const index of parts.keys()) {
    const { sites } = await secure.part(index);
    const inPart = Map.groupBy(sites, ({ target: { file, address } }) => `${file}\n${address}`);
    for (const [key, own] of inPart) places.set(key, own.length);
  }
  const known = new Set(operatorsFor(language).flatMap(({ resourceTypes }) => resourceTypes));
  const created = new Set(
    createScope(project)
      .instances()
      .map(({ block }) => block),
  );
  const weak = new Set(present.map(({ resource }) => resource));
  const resources = project.files
    .filter((source) => source.language === language)
    .flatMap((source) =>
      source.blocks.flatMap((block): TemplateUse['list'] => {
        const { type, labels, address, line } = block;
        if (type !== 'resource') return [];
        const count = places.get(`${source.file}\n${address}`) ?? 0;
        const reasons = [
          { is: count > 0, why: null },
          { is: !isEditable(source), why: 'its file cannot be read' },
          { is: !known.has(labels[0] ?? ''), why: 'no flaw of this type of resource is known' },
          { is: !created.has(block), why: 'it is not created: its count is 0, or nothing calls its module' },
          { is: weak.has(address), why: 'it is weak already, and nothing else in it can be a flaw' },
          { is: true, why: 'what it is set to is not known from the code, or cannot be edited' },
        ];
        return [
          {
            ...{ address, file: source.file, line, places: count },
            why_not: reasons.find(({ is }) => is)?.why ?? null,
          },
        ];
      }),
    );
  return {
    template: code.name,
    language,
    resources: resources.length,
    usable: resources.filter(({ places: count }) => count > 0).length,
    places: resources.reduce((sum, { places: count }) => sum + count, 0),
    present_before: present.length,
    modules_not_read: outsideModules(project.files),
    notes: ownCodeNotes(code, project.files, null),
    list: resources,
  };
}

function outsideModules(files: readonly SourceFile[]): string[] {
  const sources = files.flatMap(({ blocks }) =>
    blocks.flatMap(({ type, attributes }) => {
      const source = type === 'module' ? attributes.find(({ name }) => name === 'source')?.value : undefined;
      const text = source?.kind === 'literal' ? String(source.value) : '';
      return text === '' || /^\.{1,2}\//.test(text) ? [] : [text];
    }),
  );
  return [...new Set(sources)].sort(compareNames);
}

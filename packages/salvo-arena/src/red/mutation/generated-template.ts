import { runRules } from '../../blue/rules/run-rules.ts';
import { type GeneratedCode, generateCode, type Origin } from '../../templates/generator/generate-code.ts';
import { createSeededChoice } from '../../templates/seeded-choice.ts';
import { allTemplates, type Template } from '../../templates/templates.ts';
import { brokenFiles } from './prove-flaws.ts';
import { type SecureTemplate, secureTemplate, secureTemplateFrom } from './secure-template.ts';

/** How many resources a game has if nobody says it. */
const USUAL_SIZE = [40, 60] as const;

export interface GenerationRequest {
  /** About so many resources. */
  size?: number | undefined;
  /** The share of them that is generated, if something else adds the others (default: all). */
  share?: number | undefined;
  /** What makes this code different from that of other games. */
  seedParts: readonly (number | string)[];
}

/**
 * Secure code that is generated for one game. It is as safe as the templates that it comes from, which is proven: it
 * can be read, our rules report nothing that is not known of the templates, and no operator finds its flaw where it did
 * not before. A template that is not safe in this combination is taken as it is, under other names.
 */
export function generatedTemplate(template: Template, request: GenerationRequest): Promise<SecureTemplate> {
  const key = JSON.stringify([template.id, request.size ?? null, request.share ?? 1, ...request.seedParts]);
  const known = recent.get(key);
  if (known) return known;
  const made = provenTemplate(template, request);
  recent.set(key, made);
  // A Map keeps insertion order.
  if (recent.size > MOST_RECENT) recent.delete(recent.keys().next().value ?? '');
  return made;
}

/** A game is often played again at once: by another Blue, or for the twin. */
const recent = new Map<string, Promise<SecureTemplate>>();
const MOST_RECENT = 4;

async function provenTemplate(
  template: Template,
  { size, share = 1, seedParts }: GenerationRequest,
): Promise<SecureTemplate> {
  const wanted = share * (size ?? createSeededChoice('size', ...seedParts).between(...USUAL_SIZE));
  const cautious = new Set<string>();
  for (;;) {
    const choice = createSeededChoice('generated', template.id, ...seedParts);
    const code = await generateCode(template, { size: wanted, cautious, choice });
    const secure = await secureTemplateFrom(code);
    const unsafe = (await unsafeTemplates(code, secure)).filter((id) => !cautious.has(id));
    if (unsafe.length === 0) return secure;
    for (const id of unsafe) cautious.add(id);
  }
}

/** The templates whose part of the code is less safe than they are. */
async function unsafeTemplates({ origins, present }: GeneratedCode, secure: SecureTemplate): Promise<string[]> {
  if (brokenFiles(secure.project, { files: [] }).length > 0)
    return [...new Set([...origins.values()].map(({ template }) => template))];
  const reported = runRules(secure.project).flatMap(({ rule_ids, resource }) => {
    const places = [resource ?? []].flat();
    const isKnown = present.some((one) => rule_ids?.includes(one.weakness) && places.includes(one.resource));
    return isKnown ? [] : places;
  });
  const found: string[] = [];
  for (const { operator, address } of secure.weak) {
    if (!(await isWeakInTemplate(operator, origins.get(address)))) found.push(address);
  }
  return [...new Set([...reported, ...found].flatMap((address) => origins.get(address)?.template ?? []))];
}

async function isWeakInTemplate(operator: string, origin: Origin | undefined): Promise<boolean> {
  const template = allTemplates().find(({ id }) => id === origin?.template);
  if (!template || !origin) return false;
  const { weak } = await secureTemplate(template);
  return weak.some((one) => one.operator === operator && one.address === origin.address);
}

import { referencesByAddress } from '../../packages/salvo-arena/src/iac/read/references.ts';
import type { Attribute } from '../../packages/salvo-arena/src/iac/syntax/expression.ts';
import { type CodeProject, parseCode } from '../../packages/salvo-arena/src/iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../packages/salvo-arena/src/iac/syntax/source-file.ts';
import type { SecureTemplate } from '../../packages/salvo-arena/src/red/mutation/secure-template.ts';
import type { RedOutcome } from '../../packages/salvo-arena/src/red/red-team.ts';
import type { Features, FormUnit } from './form-detector.ts';
import { lineFeatures } from './line-features.ts';

/**
 * - `resource`: every resource; guilty if the manifest names it.
 * - `site`: the resources in which Red could have planted a flaw; in a hard game, those of all relations that Red wrote,
 *   harmful and harmless.
 * - `declaration`: every variable, local value, module, mapping, parameter, condition, value of a values file and
 *   override that is not in the template; guilty if it is listed in `locations`.
 * - `carrier`: every one of these that has a value, also those of the template: its settings, the environment.
 * - `declared`: all declarations that there are, with or without a value.
 */
export const UNIT_KINDS = ['resource', 'site', 'declaration', 'carrier', 'declared'] as const;

export type FormUnits = Record<(typeof UNIT_KINDS)[number], FormUnit[]>;

export function noUnits(): FormUnits {
  return { resource: [], site: [], declaration: [], carrier: [], declared: [] };
}

export interface FormGame extends Pick<RedOutcome, 'files' | 'vulnerabilities'> {
  /** The resources of harmless relations; null unless the game is hard. */
  related: ReadonlySet<string> | null;
  /** Unique. */
  name: string;
  twin: Readonly<Record<string, string>>;
  secure: SecureTemplate;
}

export async function formUnits({ name: game, secure, files, vulnerabilities, related }: FormGame): Promise<FormUnits> {
  const project = await parseCode(files);
  const places = vulnerabilities.flatMap(({ locations }) => (Array.isArray(locations) ? locations : []));
  const guilty = new Set(vulnerabilities.flatMap(({ resource }) => resource ?? []));
  const own = new Set(secure.project.files.flatMap((source) => declarationsIn(source).map(({ name }) => name)));
  const context = createContext(project);
  const units = noUnits();
  const unit = (address: string, features: Features, isGuilty: boolean): FormUnit => ({
    game,
    place: `${secure.id} ${address}`,
    features,
    isGuilty,
  });
  for (const source of project.files) {
    for (const block of source.blocks) {
      if (block.type !== 'resource' || isOverride(source)) continue;
      const features = {
        form: resourceFeatures(context, source, block),
        lines: lineFeatures(block.labels[0] ?? '', context.codeOf(source, block)),
      };
      const made = unit(block.address, features, guilty.has(block.address));
      units.resource.push(made);
      const isSite = related ? made.isGuilty || related.has(block.address) : secure.sitesOf(block.address).length > 0;
      if (isSite) units.site.push(made);
    }
    for (const declared of declarationsIn(source)) {
      const isGuilty = places.some(
        (one) => one.kind === 'definition' && one.file === source.file && one.line === declared.code.line,
      );
      const features = {
        form: declarationFeatures(context, source, declared),
        lines: lineFeatures(declared.kind, context.codeOf(source, declared.code)),
      };
      const made = unit(declared.name, features, isGuilty);
      if (!own.has(declared.name) || declared.kind === 'override') units.declaration.push(made);
      if (hasValue(declared)) units.carrier.push(made);
      units.declared.push(made);
    }
  }
  return units;
}

/** The flawed resources whose lines look otherwise than in the twin, and how many there are. */
export async function changedShapes({
  files,
  twin,
  vulnerabilities,
}: FormGame): Promise<[changed: number, all: number]> {
  const flawed = new Set(vulnerabilities.flatMap(({ resource }) => resource ?? []));
  const [own, others] = await Promise.all([files, twin].map(resourceShapes));
  const changed = [...flawed].filter((address) => own?.get(address) !== others?.get(address));
  return [changed.length, flawed.size];
}

async function resourceShapes(files: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const project = await parseCode(files);
  const { codeOf } = createContext(project);
  const resources = project.files
    .filter((source) => !isOverride(source))
    .flatMap((source) => source.blocks.flatMap((block) => (block.type === 'resource' ? [{ source, block }] : [])));
  return new Map(
    resources.map(({ source, block }) => [block.address, lineFeatures('', codeOf(source, block)).join('\n')]),
  );
}

interface Declaration {
  kind: string;
  name: string;
  /** Its position among the others of the file. */
  index: number;
  code: Block | Attribute;
}

function declarationsIn(source: SourceFile): Declaration[] {
  const attributes = (kind: string, all: readonly Attribute[]) =>
    all.map((code, index) => ({ kind, name: code.name, index, code }));
  const blocks = source.blocks.flatMap((block, index): Declaration[] => {
    if (/^(?:locals|mappings|conditions)$/.test(block.type)) return attributes(block.type, block.attributes);
    if (!isOverride(source) && !/^(?:variable|module|output)$/.test(block.type)) return [];
    const kind = isOverride(source) ? 'override' : block.type;
    return [{ kind, name: block.labels.at(-1) ?? '', index, code: block }];
  });
  return [...blocks, ...attributes('value', source.attributes)];
}

function hasValue({ kind, code }: Declaration): boolean {
  return kind !== 'variable' || ('attributes' in code && code.attributes.some(({ name }) => /^default$/i.test(name)));
}

function isOverride({ file }: SourceFile): boolean {
  return file.endsWith('_override.tf');
}

interface Context {
  text: string;
  /** The code of a block, with the policy documents that it refers to: their statements are its own. */
  codeOf(source: SourceFile, written: Block | Attribute): string;
  usersOf(address: string): number;
  isOverridden(address: string): boolean;
}

function createContext(project: CodeProject): Context {
  const users = new Map<string, number>();
  for (const targets of referencesByAddress(project).values()) {
    for (const target of targets) users.set(target, (users.get(target) ?? 0) + 1);
  }
  const overridden = new Set(
    project.files
      .filter(({ file }) => file.endsWith('_override.tf'))
      .flatMap(({ blocks }) => blocks.map(({ address }) => address)),
  );
  const documents = project.files.flatMap((source) =>
    source.blocks.flatMap((block) => (block.type === 'data' ? [{ address: block.address, source, block }] : [])),
  );
  const codeIn = ({ text }: SourceFile, { range }: Block | Attribute) =>
    text.slice(text.lastIndexOf('\n', range.start) + 1, range.end);
  return {
    text: project.files.map(({ text }) => text).join('\n'),
    codeOf: (source, written) => {
      const code = codeIn(source, written);
      const used = documents.filter(({ address }) => code.includes(`${address}.json`));
      return [code, ...used.map((one) => codeIn(one.source, one.block))].join('\n');
    },
    usersOf: (address) => users.get(address) ?? 0,
    isOverridden: (address) => overridden.has(address),
  };
}

function resourceFeatures(context: Context, source: SourceFile, block: Block): string[] {
  const code = source.text.slice(block.range.start, block.range.end);
  const name = block.labels.at(-1) ?? '';
  return [
    ...nameFeatures('name', name),
    ...nameFeatures('type', block.labels[0] ?? ''),
    ...placeFeatures(source, block, source.blocks.indexOf(block)),
    ...constructFeatures(code),
    ...wordFeatures('word', descriptionsIn(code)),
    `attributes ${bucket(block.attributes.length)}`,
    `blocks ${bucket(block.blocks.length)}`,
    `settings ${block.settings.map(({ name: one }) => one).join(' ')}`,
    `users ${bucket(context.usersOf(block.address))}`,
    `overridden ${context.isOverridden(block.address)}`,
    ...[...code.matchAll(/\b(?:var|local|module)\.([a-z_0-9]+)/g)].flatMap(([, used = '']) => [
      `uses own name ${used.startsWith(name)}`,
      `uses words ${used.split('_').length}`,
    ]),
  ];
}

function declarationFeatures({ text }: Context, source: SourceFile, declared: Declaration): string[] {
  const { kind, name, index, code: written } = declared;
  const code = source.text.slice(written.range.start, written.range.end);
  const uses = text.split(name).length - 2;
  return [
    `kind ${kind}`,
    ...nameFeatures(`${kind} name`, name),
    ...placeFeatures(source, written, index).map((feature) => `${kind} ${feature}`),
    ...constructFeatures(code).map((feature) => `${kind} ${feature}`),
    ...wordFeatures(`${kind} word`, descriptionsIn(code)),
    `${kind} uses ${bucket(uses)}`,
    `${kind} default ${/\b[dD]efault\s*[=:]/.test(code)}`,
    `${kind} description ${/\b[dD]escription\s*[=:]/.test(code)}`,
  ];
}

function nameFeatures(label: string, name: string): string[] {
  const words =
    name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const whole = `^${words.join('_')}$`;
  const parts = Array.from({ length: Math.max(0, whole.length - 2) }, (_, at) => whole.slice(at, at + 3));
  return [
    `${label} length ${bucket(name.length)}`,
    `${label} words ${words.length}`,
    `${label} digit ${/\d$/.test(name)}`,
    ...words.map((word) => `${label} has ${word}`),
    ...parts.map((part) => `${label} part ${part}`),
  ];
}

function placeFeatures(source: SourceFile, { range, line, end_line }: Block | Attribute, index: number): string[] {
  const before = source.text.slice(0, range.start).trimEnd();
  const lastLine = before.slice(before.lastIndexOf('\n') + 1);
  const last = source.text.slice(range.end).trim() === '';
  return [
    `file ${source.file.replace(/^modules\/[^/]+/, 'modules').replace(/^(?!main|variables|outputs|versions)[\w-]+(?=\.tf$)/, 'x')}`,
    `place ${Math.floor((5 * range.start) / Math.max(1, source.text.length))}`,
    `index ${Math.min(index, 6)}`,
    `last ${last}`,
    `lines ${bucket(end_line - line)}`,
    `comment ${/^\s*(?:#|\/\/)/.test(lastLine)}`,
  ];
}

const CONSTRUCTS: Readonly<Record<string, RegExp>> = {
  variable: /\bvar\./g,
  local: /\blocal\./g,
  data: /\bdata\./g,
  module: /\bmodule\./g,
  each: /\beach\./g,
  count: /^\s*count\s*=/gm,
  for_each: /^\s*for_each\s*=/gm,
  dynamic: /^\s*dynamic\s/gm,
  condition: /\?.*:|\? \{/g,
  environment: /var\.environment|Ref Environment/g,
  merge: /\bmerge\(/g,
  for: /\[for\s/g,
  call: /\b[a-z]+\(/g,
  null: /\bnull\b/g,
  jsonencode: /jsonencode/g,
  ref: /!Ref\s/g,
  mapping: /!FindInMap/g,
  if: /!If|Fn::If/g,
  not: /!Not|!=/g,
  no_value: /AWS::NoValue/g,
  section: /^ {4}(?:Condition|Metadata|DependsOn):/gm,
  statement: /\bstatement \{|Effect/g,
  list: /\[/g,
  object: /\{/g,
};

function constructFeatures(code: string): string[] {
  return Object.entries(CONSTRUCTS).map(([name, pattern]) => `${name} ${bucket(code.match(pattern)?.length ?? 0)}`);
}

function descriptionsIn(code: string): string {
  const tags = [...code.matchAll(/^\s*tags\s*=.*|Key: \w+/gm)].flatMap(([line]) => line.match(/\w+(?= =)|\w+$/g) ?? []);
  const texts = [...code.matchAll(/\b[dD]escription\s*[=:]\s*"?([^"\n]*)/g)].map(([, text]) => text);
  return [...texts, ...tags].join(' ');
}

function wordFeatures(label: string, text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[a-z]+/g) ?? [])].map((word) => `${label} ${word}`);
}

/** 0, 1, 2, 3, then powers of two. */
function bucket(count: number): number {
  return count < 4 ? count : Math.floor(Math.log2(count)) + 2;
}

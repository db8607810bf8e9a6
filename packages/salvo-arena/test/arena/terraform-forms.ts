import { applyEdits, insertion, type TextEdit } from '../../src/iac/edit/edits.ts';
import type { Attribute, Expression } from '../../src/iac/syntax/expression.ts';
import type { Block, SourceFile } from '../../src/iac/syntax/source-file.ts';

/** The same code in another form, as files; null if it has nothing that could be written so. */
export type Form = (source: SourceFile) => Record<string, string> | null;

export const TERRAFORM_FORMS: Record<string, Form> = {
  'values in locals': (source) => {
    const lifted = withNames(source, (at) => `local.v${at}`);
    return lifted && { 'main.tf': lifted.text, 'locals.tf': `locals {\n${assigned(lifted.values)}\n}\n` };
  },
  'defaults of variables': (source) => {
    const lifted = withNames(source, (at) => `var.v${at}`);
    const declared = lifted?.values.map((value, at) => `variable "v${at}" {\n  default = ${value}\n}\n`).join('');
    return lifted && { 'main.tf': lifted.text, 'variables.tf': declared ?? '' };
  },
  'values in terraform.tfvars': (source) => {
    const lifted = withNames(source, (at) => `var.v${at}`);
    const declared = lifted?.values.map((_, at) => `variable "v${at}" {}\n`).join('');
    const values = lifted && assigned(lifted.values);
    return lifted && { 'main.tf': lifted.text, 'variables.tf': declared ?? '', 'terraform.tfvars': `${values}\n` };
  },
  'defaults of optional attributes': (source) => {
    const lifted = withNames(source, (at) => `var.all.v${at}`);
    const types = assigned(lifted?.values.map((value) => `optional(any, ${value})`) ?? []);
    const declared = `variable "all" {\n  type = object({\n${types}\n  })\n  default = {}\n}\n`;
    return lifted && { 'main.tf': lifted.text, 'variables.tf': declared };
  },
  'a resource for each key': (source) => {
    const once = resourcesIn(source).filter((block) => !block.attributes.some(({ name }) => isRepeating(name)));
    const edits = once.flatMap((block): TextEdit[] => {
      const { replaced, values } = named(block, (at) => `lookup(each.value, "v${at}", null)`);
      const forEach = `\nfor_each = { one = {\n${assigned(values)}\n} }\n`;
      return [insertion(block.bodyRange?.start ?? 0, forEach), ...replaced];
    });
    return once.length > 0 ? { 'main.tf': withKeys(applyEdits(source.text, edits), once) } : null;
  },
  'dynamic blocks': (source) => {
    const edits = resourcesIn(source).flatMap(({ blocks }) => blocks.flatMap(asDynamic));
    return edits.length > 0 ? { 'main.tf': applyEdits(source.text, edits) } : null;
  },
  'a module of its own': ({ text }) => ({ 'main.tf': 'module "m" {\n  source = "./m"\n}\n', 'm/main.tf': text }),
  JSON: ({ blocks }) => ({ 'main.tf.json': JSON.stringify(nestedByLabels(blocks)) }),
};

function resourcesIn({ blocks }: SourceFile): Block[] {
  return blocks.filter(({ type }) => type === 'resource' || type === 'data');
}

function isRepeating(name: string): boolean {
  return name === 'count' || name === 'for_each';
}

/** Blocks that take no references. */
const LITERAL_BLOCKS = new Set(['lifecycle', 'provisioner', 'connection', 'dynamic']);

function attributesIn({ attributes, blocks }: Block): Attribute[] {
  const nested = blocks.filter(({ type }) => !LITERAL_BLOCKS.has(type));
  return [...attributes.filter(({ name }) => !isRepeating(name)), ...nested.flatMap(attributesIn)];
}

function isLiteral(value: Expression): boolean {
  if (value.kind === 'list') return value.items.every(isLiteral);
  return value.kind === 'literal' && !value.heredoc && value.value !== null;
}

/** The edits that replace each literal value of a block by a name, and these values. */
function named(block: Block, nameOf: (at: number) => string, before = 0): { replaced: TextEdit[]; values: string[] } {
  const literals = attributesIn(block).filter(({ value }) => isLiteral(value));
  return {
    replaced: literals.map(({ value: { range } }, at) => ({ ...range, text: nameOf(before + at) })),
    values: literals.map(({ value }) => value.text),
  };
}

function withNames(source: SourceFile, nameOf: (at: number) => string): { text: string; values: string[] } | null {
  const edits: TextEdit[] = [];
  const values: string[] = [];
  for (const block of resourcesIn(source)) {
    const own = named(block, nameOf, values.length);
    edits.push(...own.replaced);
    values.push(...own.values);
  }
  return values.length > 0 ? { text: applyEdits(source.text, edits), values } : null;
}

function assigned(values: readonly string[]): string {
  return values.map((value, at) => `v${at} = ${value}`).join('\n');
}

/** `aws_s3_bucket.a.id` becomes `aws_s3_bucket.a["one"].id`. */
function withKeys(text: string, blocks: readonly Block[]): string {
  return blocks.reduce((code, { address }) => {
    const name = address.replaceAll('.', '\\.');
    return code.replaceAll(new RegExp(`(?<![\\w.])${name}(?=\\.[a-z])`, 'g'), (found) => `${found}["one"]`);
  }, text);
}

function asDynamic({ type, range, bodyRange, blocks }: Block): TextEdit[] {
  if (LITERAL_BLOCKS.has(type) || !bodyRange) return [];
  const head = `dynamic "${type}" {\nfor_each = [true]\ncontent {`;
  return [
    { start: range.start, end: bodyRange.start, text: head },
    ...blocks.flatMap(asDynamic),
    { start: bodyRange.end, end: range.end, text: '\n}\n}' },
  ];
}

export type Json = string | number | boolean | null | Json[] | JsonMap;
export type JsonMap = { [name: string]: Json };

/** The value if it is a map, otherwise an empty one. */
export function mapOf(value: Json | undefined): JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function nestedByLabels(blocks: readonly Block[]): JsonMap {
  const all: JsonMap = {};
  for (const block of blocks) {
    let at = all;
    const path = [block.type, ...block.labels];
    for (const name of path.slice(0, -1)) {
      const inner = mapOf(at[name]);
      at[name] = inner;
      at = inner;
    }
    const last = path.at(-1) ?? '';
    at[last] = { ...mapOf(at[last]), ...contentOf(block) };
  }
  return all;
}

function contentOf({ attributes, blocks }: Block): JsonMap {
  const content: JsonMap = Object.fromEntries(attributes.map(({ name, value }) => [name, expressionJson(value)]));
  for (const [type, same] of Map.groupBy(blocks, (block) => (block.type === 'dynamic' ? '' : block.type))) {
    if (type !== '') content[type] = same.map(contentOf);
    else content.dynamic = Object.fromEntries(same.map((block) => [block.labels[0] ?? '', dynamicJson(block)]));
  }
  return content;
}

function dynamicJson(block: Block): Json {
  const { content, ...rest } = contentOf(block);
  return { ...rest, content: Array.isArray(content) ? (content[0] ?? {}) : {} };
}

function expressionJson(value: Expression): Json {
  if (value.kind === 'list') return value.items.map(expressionJson);
  if (value.kind === 'object')
    return Object.fromEntries(value.entries.map((one) => [one.name, expressionJson(one.value)]));
  if (value.kind === 'template') return value.parts.map((part) => templateText(part)).join('');
  return value.kind === 'literal' && typeof value.value !== 'string' ? value.value : templateText(value);
}

function templateText(part: Expression): string {
  return part.kind === 'literal' ? String(part.value).replaceAll('${', () => '$${') : `\${${part.text}}`;
}

import { textLines } from 'salvo/kit/text';
import { cloudFormationAttribute, type TemplateReading } from './cloudformation-expression.ts';
import { withoutLoops } from './cloudformation-loops.ts';
import type { DataEntry, DataMap } from './data-node.ts';
import type { Attribute } from './expression.ts';
import { linesOf, problemAt } from './placed-syntax.ts';
import { readJson } from './read-json.ts';
import { readYaml } from './read-yaml.ts';
import type { Block, SourceFile } from './source-file.ts';

/** Sections that are read as one block each, with their entries as attributes. */
const WHOLE_SECTIONS: Record<string, string> = {
  Mappings: 'mappings',
  Conditions: 'conditions',
  Rules: 'rules',
  Globals: 'globals',
  Metadata: 'metadata',
};

/** Parses a CloudFormation template in YAML or JSON. Never throws: errors are listed in `problems`. */
export function parseCloudFormation(file: string, text: string): SourceFile {
  const looksLikeJson = /^\ufeff?\s*\{/.test(text);
  const asJson = looksLikeJson ? readJson(text) : null;
  // Text in braces that is not JSON may still be YAML. For a .json file, report the errors of JSON.
  const isJson = asJson !== null && (asJson.root !== null || file.endsWith('.json'));
  const { root, comments, problems } = isJson ? asJson : readYaml(text);
  const lines = textLines(text);
  const reading: TemplateReading = { text, lines, problems };
  const blocks: Block[] = [];
  if (root?.kind === 'map') {
    const template = text.includes('Fn::ForEach::') ? withoutLoops(root, problems) : root;
    for (const section of template.entries) addSection(reading, blocks, section);
  } else if (problems.length === 0) problems.push({ offset: 0, message: 'a template has to be a map with Resources' });
  return {
    file,
    language: 'cloudformation',
    syntax: isJson ? 'json' : 'yaml',
    text,
    blocks,
    attributes: [],
    comments,
    problems: problems
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ offset, message }) => problemAt(lines, offset, message)),
  };
}

function addSection(reading: TemplateReading, blocks: Block[], section: DataEntry): void {
  const { name, value } = section;
  if (value.kind !== 'map') {
    if (name === 'Resources')
      reading.problems.push({ offset: section.nameRange.start, message: 'Resources has to be a map' });
    return;
  }
  const whole = WHOLE_SECTIONS[name];
  if (whole !== undefined && Object.hasOwn(WHOLE_SECTIONS, name)) {
    const attributes = value.entries.map((entry) => cloudFormationAttribute(reading, entry));
    blocks.push(blockOf(reading, section, { type: whole, labels: [], address: name, attributes, body: value }));
    return;
  }
  for (const entry of value.entries) {
    if (name === 'Resources') blocks.push(...resourceBlock(reading, entry));
    else if (name === 'Parameters') blocks.push(...namedBlock(reading, entry, { type: 'variable', section: name }));
    else if (name === 'Outputs') blocks.push(...namedBlock(reading, entry, { type: 'output', section: name }));
  }
}

function resourceBlock(reading: TemplateReading, entry: DataEntry): Block[] {
  const { name, value } = entry;
  const offset = entry.nameRange.start;
  // Such as `Fn::Transform`, which generates resources, but is not one itself.
  if (name.startsWith('Fn::')) return [];
  if (value.kind !== 'map') {
    reading.problems.push({ offset, message: `the resource "${name}" has to be a map with a Type` });
    return [];
  }
  const type = value.entries.find((setting) => setting.name === 'Type')?.value;
  if (type?.kind !== 'scalar' || typeof type.value !== 'string') {
    reading.problems.push({ offset, message: `the resource "${name}" has no Type` });
  }
  const typeName = type?.kind === 'scalar' && typeof type.value === 'string' ? type.value : '';
  const properties = value.entries.find((setting) => setting.name === 'Properties')?.value;
  const body = properties?.kind === 'map' ? properties : null;
  const attributes = body?.entries.map((property) => cloudFormationAttribute(reading, property)) ?? [];
  const settings = value.entries
    .filter((setting) => setting.name !== 'Properties')
    .map((setting) => cloudFormationAttribute(reading, setting));
  const address = typeName === '' ? name : `${typeName}.${name}`;
  return [blockOf(reading, entry, { type: 'resource', labels: [typeName, name], address, attributes, settings, body })];
}

function namedBlock(
  reading: TemplateReading,
  entry: DataEntry,
  { type, section }: { type: string; section: string },
): Block[] {
  const { name, value } = entry;
  if (value.kind !== 'map') return [];
  const attributes = value.entries.map((property) => cloudFormationAttribute(reading, property));
  return [blockOf(reading, entry, { type, labels: [name], address: `${section}.${name}`, attributes, body: value })];
}

interface BlockParts extends Pick<Block, 'type' | 'labels' | 'address' | 'attributes'> {
  settings?: Attribute[];
  body: DataMap | null;
}

function blockOf({ lines }: TemplateReading, { nameRange, end }: DataEntry, parts: BlockParts): Block {
  const { body, settings = [], ...rest } = parts;
  const range = { start: nameRange.start, end };
  return {
    ...rest,
    settings,
    blocks: [],
    range,
    bodyRange: body?.range ?? null,
    ...linesOf(lines, range),
  };
}

import type { Attribute, Expression, ObjectEntry } from '../syntax/expression.ts';
import type { Block } from '../syntax/source-file.ts';
import { type ModuleBlock, writtenContent } from './terraform-module.ts';

/** Events of a function that make an API, unless they name one; and the id that the API gets. */
const IMPLICIT_APIS = [
  { event: 'Api', link: 'RestApiId', type: 'AWS::Serverless::Api', id: 'ServerlessRestApi' },
  { event: 'HttpApi', link: 'ApiId', type: 'AWS::Serverless::HttpApi', id: 'ServerlessHttpApi' },
] as const;

/**
 * The APIs that the Serverless Application Model makes for events without an API of their own. Only Globals configures
 * them. An event is their place in the code, one without authorization if there is such an event.
 */
export function implicitApis(blocks: readonly Block[]): Block[] {
  const resources = blocks.filter(({ type }) => type === 'resource');
  const events = resources
    .filter(({ labels }) => labels[0] === 'AWS::Serverless::Function')
    .flatMap(({ attributes }) => attributes.filter(({ name }) => name === 'Events'))
    .flatMap(({ value }) => entriesOf(value));
  return IMPLICIT_APIS.flatMap(({ event, link, type, id }) => {
    if (resources.some(({ labels }) => labels[1] === id)) return [];
    const makers = events.filter(({ value }) => isText(entry(value, 'Type'), event) && !property(value, link));
    const maker = makers.find(({ value }) => !property(value, 'Auth')) ?? makers[0];
    if (!maker) return [];
    const auth = property(maker.value, 'Auth');
    const { range, line, end_line } = maker;
    const head = { type: 'resource', labels: [type, id], address: `${type}.${id}` };
    return [
      { ...head, attributes: auth ? [auth] : [], blocks: [], settings: [], range, bodyRange: null, line, end_line },
    ];
  });
}

function entriesOf(value: Expression | undefined): ObjectEntry[] {
  return value?.kind === 'object' ? value.entries : [];
}

function entry(value: Expression, name: string): ObjectEntry | undefined {
  return entriesOf(value).find((one) => one.name === name);
}

function property(event: Expression, name: string): ObjectEntry | undefined {
  return entriesOf(entry(event, 'Properties')?.value).find((one) => one.name === name);
}

function isText(found: ObjectEntry | undefined, text: string): boolean {
  return found?.value.kind === 'literal' && found.value.value === text;
}

const SERVERLESS = 'AWS::Serverless::';

/**
 * The content of a resource of a template. The Serverless Application Model adds what Globals says about its type: maps
 * are merged, lists are joined, and of two other values the one of the resource holds.
 */
export function templateContent(block: Block, file: string, globals: ReadonlyMap<string, Attribute>): ModuleBlock {
  const content = writtenContent(block, file);
  const [type = ''] = block.labels;
  const shared = type.startsWith(SERVERLESS) ? globals.get(type.slice(SERVERLESS.length))?.value : undefined;
  if (shared?.kind !== 'object') return content;
  for (const entry of shared.entries) {
    const own = content.attributes.get(entry.name)?.it;
    const it = own ? { ...own, value: merged(own.value, entry.value) } : entry;
    content.attributes.set(entry.name, { it, file });
  }
  return content;
}

function merged(own: Expression, shared: Expression): Expression {
  if (own.kind === 'list' && shared.kind === 'list') return { ...own, items: [...shared.items, ...own.items] };
  if (own.kind !== 'object' || shared.kind !== 'object') return own;
  const ofShared = new Map(shared.entries.map((entry) => [entry.name, entry]));
  const entries = own.entries.map((entry): ObjectEntry => {
    const other = ofShared.get(entry.name);
    ofShared.delete(entry.name);
    return other ? { ...entry, value: merged(entry.value, other.value) } : entry;
  });
  return { ...own, entries: [...entries, ...ofShared.values()] };
}

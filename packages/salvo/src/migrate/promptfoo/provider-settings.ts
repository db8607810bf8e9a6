import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { isSecretName } from '../../secrets/secret-names.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { MigrationGap, type MigrationNotes } from '../notes.ts';
import { childOf, entriesOf, itemsOf, numberOf, textOf } from '../source/located.ts';
import type { SourceFiles } from '../source/source-files.ts';
import { OTHER_NAMES, SENT_SETTINGS, WITHOUT_EFFECT } from './provider-table.ts';

/** What a scenario says about the model: everything but which one it is. */
export interface ModelSettings {
  temperature?: number;
  max_tokens?: number;
  seed?: number;
  extras?: Record<string, unknown>;
  tools?: Record<string, unknown>[];
  /** Of promptfoo's functions: the answer is parsed before assertions look at it. */
  isParsed?: boolean;
}

/** Keys that are read elsewhere. */
const ELSEWHERE = new Set([
  ...['apiKeyEnvar', 'apiHost', 'apiBaseUrl', 'baseUrl', 'base_url', 'url', 'headers', 'transform', 'responseParser'],
  ...['transformResponse', 'method', 'body', 'queryParams', 'request', 'apiVersion', 'deployment_id', 'mcp'],
]);
const MOST_EXTRAS = 10;
const MOST_BYTES = 4096;

/** The settings of `config` of a provider. Keys are never copied. */
export async function modelSettings(
  config: LocatedValue | undefined,
  { files, notes, isModel }: { files: SourceFiles; notes: MigrationNotes; isModel: boolean },
): Promise<ModelSettings> {
  const settings: ModelSettings = {};
  const extras: Record<string, unknown> = {};
  for (const [name, node] of entriesOf(config)) {
    if (ELSEWHERE.has(name)) continue;
    if (isSecretName(name)) noteSecret(name, node, notes);
    else if (!isModel) continue;
    else if (WITHOUT_EFFECT.has(name)) notes.unneeded(`config.${name}`, 'it has no effect on answers', node);
    else if (name === 'tools' || name === 'functions') settings.tools = await readTools(node, files);
    else if (name === 'passthrough' || name === 'additionalModelRequestFields') Object.assign(extras, node.value);
    else if (!readOwn(settings, name, node)) {
      const sent = OTHER_NAMES[name] ?? name;
      const value = textOf(node)?.startsWith('file://') ? files.named(textOf(node) ?? '', node.span).value : node.value;
      if (SENT_SETTINGS.has(sent)) extras[sent] = value;
      else notes.changed(`config.${name}`, 'this setting of the provider is not sent', node);
    }
  }
  if (isRecord(extras.response_format) && extras.response_format.type !== 'text') settings.isParsed = true;
  if (settings.tools) settings.isParsed = true;
  const size = Buffer.byteLength(JSON.stringify(extras));
  if (size > MOST_BYTES || Object.keys(extras).length > MOST_EXTRAS) {
    notes.changed(
      'config',
      `the settings of the provider are more than ${MOST_BYTES / 1024} KiB, and are not sent`,
      config ?? notesNode(config),
    );
  } else if (Object.keys(extras).length > 0) settings.extras = extras;
  return settings;
}

function notesNode(node: LocatedValue | undefined): LocatedValue {
  if (!node) throw new RangeError('settings have a place');
  return node;
}

function readOwn(settings: ModelSettings, name: string, node: LocatedValue): boolean {
  const number = numberOf(node);
  if (number === undefined) return false;
  if (name === 'temperature') settings.temperature = Math.min(2, Math.max(0, number));
  else if (
    [
      'max_tokens',
      'maxTokens',
      'max_completion_tokens',
      'max_output_tokens',
      'maxOutputTokens',
      'max_new_tokens',
      'num_predict',
    ].includes(name)
  ) {
    settings.max_tokens = Math.max(1, Math.trunc(number));
  } else if (name === 'seed') settings.seed = Math.trunc(number);
  else return false;
  return true;
}

/** What to do instead of a key in a file. */
function noteSecret(name: string, node: LocatedValue, notes: MigrationNotes): void {
  const text = textOf(node) ?? '';
  if (/^\s*\{\{\s*env[.[]/.test(text)) notes.unneeded(name, 'the key is read from the environment, as before', node);
  else
    notes.unneeded(
      name,
      'a key is never copied into a file: put it into the environment, or into `env_file` of salvo.yaml',
      node,
    );
}

/** The tools of OpenAI's, Anthropic's and Gemini's forms. */
async function readTools(node: LocatedValue, files: SourceFiles): Promise<Record<string, unknown>[]> {
  const name = textOf(node);
  const list = name === undefined ? node : files.named(name, node.span);
  const found: Record<string, unknown>[] = [];
  for (const item of Array.isArray(list.value) ? itemsOf(list) : [list]) {
    const file = textOf(item);
    const tool = file === undefined ? item : files.named(file, item.span);
    if (Array.isArray(tool.value)) for (const each of itemsOf(tool)) found.push(...toolsOf(each, node));
    else found.push(...toolsOf(tool, node));
  }
  return found;
}

function toolsOf(tool: LocatedValue, node: LocatedValue): Record<string, unknown>[] {
  const declarations = childOf(tool, 'functionDeclarations') ?? childOf(tool, 'function_declarations');
  if (declarations) return itemsOf(declarations).flatMap((each) => toolsOf(each, node));
  const spec = childOf(tool, 'function') ?? childOf(tool, 'toolSpec') ?? tool;
  const name = textOf(childOf(spec, 'name'));
  const schema =
    childOf(spec, 'parameters') ??
    childOf(spec, 'input_schema') ??
    childOf(spec, 'inputSchema', 'json') ??
    childOf(spec, 'inputSchema');
  if (name === undefined || (!schema && childOf(spec, 'type'))) {
    throw new MigrationGap(
      'config.tools',
      'a tool that the provider runs itself is not translated',
      tool.span.source.text === '' ? node : tool,
    );
  }
  const description = textOf(childOf(spec, 'description'));
  return [
    {
      name,
      ...(description !== undefined && { description }),
      parameters: lowerTypes(schema?.value ?? { type: 'object', properties: {} }),
      mock_response: 'ok',
    },
  ];
}

/** Gemini writes the types of JSON Schema in capitals. */
function lowerTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lowerTypes);
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [
      key,
      key === 'type' && typeof part === 'string' ? part.toLowerCase() : lowerTypes(part),
    ]),
  );
}

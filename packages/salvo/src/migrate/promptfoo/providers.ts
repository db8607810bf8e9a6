import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { isSecretName } from '../../secrets/secret-names.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { MigrationGap, type MigrationNotes } from '../notes.ts';
import { childOf, entriesOf, itemsOf, locatedMap, textOf } from '../source/located.ts';
import { isCodeFile, type SourceFiles } from '../source/source-files.ts';
import { httpProvider } from './http-provider.ts';
import { type ModelSettings, modelSettings } from './provider-settings.ts';
import { AI_SDK_PACKAGES, CHAT_WORDS, COMPATIBLE, OTHER_WORDS } from './provider-table.ts';

/** A provider of promptfoo as an adapter of Salvo. */
export interface TranslatedProvider {
  /** What promptfoo calls it: its id and its label. */
  id: string;
  label: string;
  /** The name of the adapter: a built-in one, or one under `adapters` in salvo.yaml. */
  adapter: string | undefined;
  model: string | undefined;
  /** Under `adapters` in salvo.yaml. */
  options: Record<string, unknown> | undefined;
  /** A module that is written for it: which one, and what it is given. */
  wrapper:
    | { kind: 'echo' | 'javascript' | 'python' | 'exec' | 'http'; file?: string; words: Record<string, unknown> }
    | undefined;
  settings: ModelSettings;
  /** Code that changes the answer before assertions look at it. */
  transform: LocatedValue | undefined;
  /** The labels of the prompts that it gets; undefined for all. */
  prompts: string[] | undefined;
  node: LocatedValue;
}

interface Reading {
  files: SourceFiles;
  notes: MigrationNotes;
}

/** The providers of a config. One without an adapter is noted. */
export async function readProviders(node: LocatedValue | undefined, reading: Reading): Promise<TranslatedProvider[]> {
  const found: TranslatedProvider[] = [];
  for (const item of await providerNodes(node, reading.files)) {
    try {
      found.push(await readProvider(item, reading));
    } catch (error) {
      if (!(error instanceof MigrationGap)) throw error;
      reading.notes.leftOut(error.what, error.message, error.at);
    }
  }
  return found;
}

async function providerNodes(node: LocatedValue | undefined, files: SourceFiles): Promise<LocatedValue[]> {
  if (!node) return [];
  if (!Array.isArray(node.value)) return await expandFile(node, files);
  const lists: LocatedValue[][] = [];
  for (const item of itemsOf(node)) lists.push(await expandFile(item, files));
  return lists.flat();
}

/** `file://providers.yaml` has one provider, or a list of them. */
async function expandFile(node: LocatedValue, files: SourceFiles): Promise<LocatedValue[]> {
  const name = textOf(node);
  if (name === undefined || !/^file:\/\/.*\.(?:ya?ml|json)$/.test(name)) return [node];
  const found: LocatedValue[] = [];
  for (const file of await files.matches(name, node.span)) {
    const read = files.named(file, node.span);
    found.push(...(Array.isArray(read.value) ? itemsOf(read) : [read]));
  }
  return found;
}

/** A provider as a text, as a map with `id`, or as `{ "openai:gpt-4o": { config } }`. */
async function readProvider(node: LocatedValue, { files, notes }: Reading): Promise<TranslatedProvider> {
  const [only, ...others] = entriesOf(node);
  const isKeyed = only !== undefined && others.length === 0 && only[0] !== 'id' && isRecord(only[1].value);
  const fields = isKeyed ? only[1] : isRecord(node.value) ? node : locatedMap([], node.span);
  const id = isKeyed ? only[0] : (textOf(childOf(node, 'id')) ?? textOf(node));
  if (id === undefined)
    throw new MigrationGap('providers', 'a provider that is a function of the config is not translated', node);
  const config = childOf(fields, 'config');
  const form = await adapterOf(id, config, { node, files });
  const transform = childOf(fields, 'transform') ?? childOf(config, 'transform');
  const prompts = childOf(fields, 'prompts');
  for (const [key, value] of entriesOf(fields)) {
    if (!['id', 'label', 'config', 'transform', 'prompts', 'delay', 'env'].includes(key)) {
      notes.changed(`providers.${key}`, 'this key of a provider is not translated', value);
    }
    if (key === 'env')
      notes.unneeded('providers.env', 'values of variables are not copied: set them in the environment', value);
  }
  const isModel = form.wrapper === undefined && form.options?.type !== 'http';
  return {
    ...{ id, label: textOf(childOf(fields, 'label')) ?? id, node, transform },
    ...{ adapter: form.adapter, model: form.model, options: form.options, wrapper: form.wrapper },
    settings: await modelSettings(config, { files, notes, isModel }),
    prompts: prompts && itemsOf(prompts).flatMap((each) => textOf(each) ?? []),
  };
}

type AdapterForm = Partial<Pick<TranslatedProvider, 'adapter' | 'model' | 'options' | 'wrapper'>>;

async function adapterOf(
  id: string,
  config: LocatedValue | undefined,
  { node, files }: { node: LocatedValue; files: SourceFiles },
): Promise<AdapterForm> {
  if (id === 'echo') return { wrapper: { kind: 'echo', words: {} } };
  if (/^(?:https?|http-provider)$/.test(id) || /^https?:\/\//.test(id)) return httpForm(id, config, node);
  if (id.startsWith('exec:')) return { wrapper: { kind: 'exec', words: { command: id.slice(5).trim() } } };
  const module = /^(?:file:\/\/|python:|javascript:|\.{0,2}\/)(.+)$/.exec(id)?.[1];
  if (module !== undefined || /\.(?:py|[cm]?[jt]s)$/.test(id)) return wrappedModule(id, config, { node, files });
  return modelOf(id, config, node);
}

function httpForm(id: string, config: LocatedValue | undefined, node: LocatedValue): AdapterForm {
  const { options, words } = httpProvider(id, config, node);
  return words ? { wrapper: { kind: 'http', words } } : { options };
}

/** A provider in a file of code: the file is copied, and called by a module that Salvo understands. */
function wrappedModule(
  id: string,
  config: LocatedValue | undefined,
  { node, files }: { node: LocatedValue; files: SourceFiles },
): AdapterForm {
  const name = id.replace(/^(?:file:\/\/|python:|javascript:)/, '');
  const [, path = name, exported] = /^(.*\.\w+):(\w+)$/.exec(name) ?? [];
  const isPython = path.endsWith('.py');
  if (!isPython && !isCodeFile(path)) throw noAdapter(id, node);
  const file = files.pathOf(path, node.span);
  files.text(file, node.span);
  const words = { ...(exported !== undefined && { function: exported }), config: withoutSecrets(config?.value ?? {}) };
  return { wrapper: { kind: isPython ? 'python' : 'javascript', file, words } };
}

/** Values under names of secrets are not copied. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !isSecretName(key));
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutSecrets(part)]));
}

function modelOf(id: string, config: LocatedValue | undefined, node: LocatedValue): AdapterForm {
  const [service = '', ...words] = id.split(':');
  const kind = words[0] ?? '';
  if (OTHER_WORDS.has(kind)) throw noAdapter(id, node);
  const model = (CHAT_WORDS.has(kind) && words.length > 1 ? words.slice(1) : words).join(':') || undefined;
  const url = ['apiBaseUrl', 'baseUrl', 'base_url']
    .map((key) => textOf(childOf(config, key)))
    .find((each) => each !== undefined);
  const host = textOf(childOf(config, 'apiHost'));
  const address = plainUrl(url ?? (host === undefined ? undefined : host.includes('://') ? host : `https://${host}`));
  const key = textOf(childOf(config, 'apiKeyEnvar'));
  if (service === 'openai' || service === 'anthropic') {
    const base =
      address === undefined ? {} : { base_url: service === 'openai' && url === undefined ? `${address}/v1` : address };
    if (address === undefined && key === undefined) return { adapter: service, model };
    return { model, options: { type: service, ...base, ...(key !== undefined && { api_key_env: key }) } };
  }
  if (service.startsWith('azure') && address !== undefined) {
    return {
      model,
      options: { type: 'openai', base_url: `${address}/openai/v1`, api_key_env: key ?? 'AZURE_API_KEY' },
    };
  }
  const compatible = Object.hasOwn(COMPATIBLE, service) ? COMPATIBLE[service] : undefined;
  if (compatible && model !== undefined) {
    const named = key ?? compatible.key;
    return {
      model,
      options: {
        type: 'openai',
        base_url: address ?? compatible.url,
        ...(named !== undefined && { api_key_env: named }),
      },
    };
  }
  const sdk = Object.hasOwn(AI_SDK_PACKAGES, service) ? AI_SDK_PACKAGES[service] : undefined;
  if (!sdk || model === undefined) throw noAdapter(id, node);
  const named = key ?? sdk.key;
  return {
    model,
    options: { type: 'ai-sdk', package: sdk.package, ...(named !== undefined && { api_key_env: named }) },
  };
}

/** An address without a template and without a password; a template of the environment cannot be in one. */
function plainUrl(url: string | undefined): string | undefined {
  if (url === undefined || url.includes('{{')) return undefined;
  const parsed = URL.parse(url);
  return parsed && parsed.username === '' && parsed.password === '' ? url.replace(/\/$/, '') : undefined;
}

function noAdapter(id: string, node: LocatedValue): MigrationGap {
  const why =
    'there is no adapter for it: write one as a module, or name another with `salvo import promptfoo --adapter NAME`';
  return new MigrationGap(id.slice(0, 100), why, node);
}

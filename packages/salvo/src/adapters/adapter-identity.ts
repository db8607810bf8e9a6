import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { contentHash } from '../text/json/canonical-json.ts';
import { compareNames } from '../text/words/names.ts';
import type { AdapterContext } from './adapter-factory.ts';
import { adapterOptionsOf } from './adapter-name.ts';
import type { OptionsOf } from './adapter-options-schema.ts';
import { sdkBaseUrl } from './call/api-key.ts';
import { registeredAdapters } from './registered-adapters.ts';

/**
 * What answers behind an adapter's name, in words: the server, the program, the model file, or the module with a hash of
 * its content. Two adapters with different identities may answer differently. The same identity does not mean the same
 * answers: a module may import other files, a program may be replaced, and of an adapter that is registered in code only
 * the name is known. Contains no value of the environment except the address of a server.
 */
export function adapterIdentity(name: string, context: AdapterContext): string {
  if (registeredAdapters.has(name)) return `registered ${name}`;
  const options = adapterOptionsOf(name, context);
  switch (options?.type) {
    case 'openai':
    case 'anthropic':
      return words(options.type, sdkBaseUrl(options, context.env), headersOf(options));
    case 'ai-sdk':
      return words(options.type, options.package, options.export, options.base_url, headersOf(options));
    case 'a2a':
    case 'ag-ui':
      return words(options.type, options.url, headersOf(options));
    case 'http':
      return words(options.type, options.url, headersOf(options), formOf(options));
    case 'exec': {
      const { command, cwd } = options;
      return words(options.type, typeof command === 'string' ? command : JSON.stringify(command), cwd && `in ${cwd}`);
    }
    case 'llama': {
      const { size } = statSync(resolve(context.root, options.model_path), { throwIfNoEntry: false }) ?? {};
      return words(options.type, basename(options.model_path), size === undefined ? undefined : `${size} bytes`);
    }
    case 'module':
      return words(options.type, options.path, hashOfFile(resolve(context.root, options.path)));
    case 'scripted':
      return words(options.type, options.script && contentHash(options.script).slice(0, 12));
    case undefined:
      return name;
  }
}

function words(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

/** Another request or another reading of the answer is another agent. */
function formOf({ method, request, response }: OptionsOf<'http'>): string | undefined {
  const form = [request ?? null, response ?? null, ...(method === undefined ? [] : [method])];
  return form.every((part) => part === null) ? undefined : `form ${contentHash(form).slice(0, 12)}`;
}

/** As written in salvo.yaml, without the values of `${NAME}`. */
function headersOf({ headers = {} }: { headers?: Record<string, string> | undefined }): string | undefined {
  const sorted = Object.entries(headers).sort(([a], [b]) => compareNames(a, b));
  return sorted.length === 0 ? undefined : `headers ${contentHash(sorted).slice(0, 12)}`;
}

function hashOfFile(file: string): string | undefined {
  try {
    return contentHash(readFileSync(file, 'utf8')).slice(0, 12);
  } catch {
    // A module that can't be read is reported when it is loaded.
    return undefined;
  }
}

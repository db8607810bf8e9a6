import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { compareNames } from '../text/words/names.ts';
import type { AdapterContext } from './adapter-factory.ts';
import { adapterOptionsOf } from './adapter-name.ts';
import { sdkBaseUrl } from './call/api-key.ts';
import { registeredAdapters } from './registered-adapters.ts';

/**
 * Identifies the model behind an adapter: two adapters with the same fingerprint give the same answers to a request.
 * Contains no secret. Null when there is code or a whole agent behind the name, which may change at any time.
 */
export function adapterFingerprint(name: string, context: AdapterContext): string | null {
  const options = registeredAdapters.has(name) ? undefined : adapterOptionsOf(name, context);
  const { env, root } = context;
  switch (options?.type) {
    case 'openai':
    case 'anthropic':
      return connection(options, sdkBaseUrl(options, env));
    case 'ai-sdk':
      return connection(options, options.base_url);
    case 'llama': {
      const file = resolve(root, options.model_path);
      const stats = statSync(file, { throwIfNoEntry: false });
      return JSON.stringify([options.type, file, stats?.size, stats?.mtimeMs, options.context_size, options.gpu]);
    }
    default:
      return null;
  }
}

/** Headers are taken as written in salvo.yaml, without the values of `${NAME}`: the key does not change the answers. */
function connection(
  options: {
    type: string;
    package?: string;
    export?: string | undefined;
    headers?: Record<string, string> | undefined;
  },
  baseUrl: string | undefined,
): string {
  const headers = Object.entries(options.headers ?? {}).sort(([a], [b]) => compareNames(a, b));
  return JSON.stringify([options.type, options.package, options.export, baseUrl ?? null, headers]);
}

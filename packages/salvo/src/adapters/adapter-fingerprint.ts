import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AdapterContext } from './adapter-factory.ts';
import { adapterIdentity } from './adapter-identity.ts';
import { adapterOptionsOf } from './adapter-name.ts';
import { registeredAdapters } from './registered-adapters.ts';

/**
 * Identifies the model behind an adapter: two adapters with the same fingerprint give the same answers to a request.
 * Contains no secret. Null when there is code or a whole agent behind the name, which may change at any time.
 */
export function adapterFingerprint(name: string, context: AdapterContext): string | null {
  const options = registeredAdapters.has(name) ? undefined : adapterOptionsOf(name, context);
  switch (options?.type) {
    case 'openai':
    case 'anthropic':
    case 'ai-sdk':
      return adapterIdentity(name, context);
    case 'llama': {
      const file = resolve(context.root, options.model_path);
      const stats = statSync(file, { throwIfNoEntry: false });
      return JSON.stringify([options.type, file, stats?.size, stats?.mtimeMs, options.context_size, options.gpu]);
    }
    default:
      return null;
  }
}

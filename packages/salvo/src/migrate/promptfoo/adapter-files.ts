import { dataFile } from '../../text/modules/data-file.ts';
import { withoutSecrets } from '../written-project.ts';
import type { CopiedFiles } from './copied-files.ts';
import type { TranslatedProvider } from './providers.ts';

/** A provider with the name of its adapter in salvo.yaml. */
export interface NamedProvider {
  provider: TranslatedProvider;
  adapter: string;
}

/** Each provider once, under a name that no other has. Providers with equal options share an adapter. */
export function namedProviders(providers: readonly TranslatedProvider[]): NamedProvider[] {
  const names = new Map<string, string>();
  return [...new Set(providers)].map((provider) => {
    if (provider.adapter !== undefined) return { provider, adapter: provider.adapter };
    const key = JSON.stringify([provider.options, provider.wrapper]);
    const known = names.get(key);
    if (known !== undefined) return { provider, adapter: known };
    const stem = stemOf(provider);
    const taken = new Set([...names.values(), 'openai', 'anthropic', 'scripted', 'echo-model']);
    let adapter = stem;
    for (let count = 2; taken.has(adapter); count += 1) adapter = `${stem}-${count}`;
    names.set(key, adapter);
    return { provider, adapter };
  });
}

function stemOf({ id, label, wrapper, options }: TranslatedProvider): string {
  const own =
    wrapper || options?.type === 'http'
      ? label === id
        ? id.replace(/^(?:file:\/\/|python:|javascript:|exec:|https?:\/\/)/, '')
        : label
      : (id.split(':', 1)[0] ?? id);
  const plain = own
    .toLowerCase()
    .replaceAll(/\.(?:py|[cm]?[jt]s)\b/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40);
  return plain === '' ? 'provider' : plain;
}

/** `adapters` of salvo.yaml. */
export function projectAdapters(named: readonly NamedProvider[]): Record<string, unknown> {
  return Object.fromEntries(
    named.flatMap(({ provider, adapter }) => {
      if (provider.wrapper) return [[adapter, { type: 'module', path: `agents/${adapter}.mjs` }]];
      return provider.options ? [[adapter, provider.options]] : [];
    }),
  );
}

/** A module for each provider that is code. */
export function agentFiles(named: readonly NamedProvider[], copied: CopiedFiles): [string, string][] {
  const wrapped = new Map(
    named.flatMap(({ provider, adapter }) => (provider.wrapper ? [[adapter, provider] as const] : [])),
  );
  if (wrapped.size === 0) return [];
  copied.needChecks();
  const modules = [...wrapped].map(([adapter, { wrapper, node }]): [string, string] => {
    const { kind = 'echo', words = {}, file } = wrapper ?? {};
    const given = { ...words, ...(file !== undefined && { file: copied.add(file, node) }) };
    const options = kind === 'echo' ? '' : `, ${withoutSecrets(JSON.stringify(given, null, 2))}`;
    return [
      `agents/${adapter}.mjs`,
      `import { ${kind} } from './promptfoo.mjs';\n\nexport default (task) => ${kind}(task${options});\n`,
    ];
  });
  return [...modules, ['agents/promptfoo.mjs', dataFile(import.meta.url, '../written/agents.mjs')]];
}

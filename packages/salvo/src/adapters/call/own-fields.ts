/** Fields of a request that Salvo always writes itself, whatever the provider calls them. */
const ALWAYS: readonly string[] = ['model', 'messages', 'system', 'tools', 'functions', 'stream', 'stream_options'];

/** Fields that a setting of the scenario decides, if it has one. Providers know the token limit by several names. */
const BY_SETTING = {
  temperature: ['temperature'],
  seed: ['seed'],
  maxTokens: ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens', 'maxTokens'],
} as const;

type Settings = { readonly [name in keyof typeof BY_SETTING]?: unknown };

/**
 * The fields of a request that `extras` can't change: reports, prices and budgets rely on what Salvo sent. Another
 * model would be paid at the price of the scenario's model.
 */
export function ownFields(settings: Settings): ReadonlySet<string> {
  const names = ['temperature', 'seed', 'maxTokens'] as const;
  return new Set([...ALWAYS, ...names.flatMap((name) => (settings[name] === undefined ? [] : BY_SETTING[name]))]);
}

/** What is left of `extras` for a provider. A scenario with one of these fields is refused before; code may have them. */
export function furtherFields(extras: Record<string, unknown> = {}, settings: Settings): Record<string, unknown> {
  const own = ownFields(settings);
  return Object.fromEntries(Object.entries(extras).filter(([name]) => !own.has(name)));
}

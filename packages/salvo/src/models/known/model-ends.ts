import { z } from 'zod';
import type { MadeOptions } from '../../adapters/adapter-name.ts';
import { once } from '../../text/memo.ts';
import { dataFile } from '../../text/modules/data-file.ts';

/** When a provider shuts a model down. */
export interface ModelEnd {
  model: string;
  /** The day, such as 2027-01-14. */
  on: string;
  /** The model that its provider recommends in its place. */
  instead: string;
}

const tableSchema = z.object({
  source: z.string(),
  provider: z.string(),
  ends: z.array(z.object({ on: z.iso.date(), instead: z.string(), models: z.array(z.string()) })),
});

const ends = once((): ReadonlyMap<string, ModelEnd> => {
  const table = tableSchema.parse(JSON.parse(dataFile(import.meta.url, './model-ends.json')));
  return new Map(
    table.ends.flatMap(({ on, instead, models }) => models.map((model) => [model, { model, on, instead }])),
  );
});

/** The known end of a model; null if none is known, or if the adapter calls another server than the provider's. */
export function modelEnd(model: string, adapter: MadeOptions | undefined): ModelEnd | null {
  const asksOpenAi =
    (adapter?.type === 'openai' || (adapter?.type === 'ai-sdk' && adapter.package === '@ai-sdk/openai')) &&
    adapter.base_url === undefined;
  return asksOpenAi ? (ends().get(model) ?? null) : null;
}

/** What to tell a user. `today` is a day in the same form. */
export function modelEndWords({ model, on, instead }: ModelEnd, today: string): string {
  return `OpenAI ${on <= today ? 'has shut' : 'shuts'} ${model} down on ${on}. It recommends ${instead} instead.`;
}

import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';

const schema = z.record(z.string(), z.array(z.string()));

const groups = once(() => schema.parse(JSON.parse(dataFile(import.meta.url, './optional-groups.json'))));

/** The blocks of a template that can be dropped, each with all that refers to it, without making the rest unsafe. */
export function optionalGroups(template: string): readonly string[] {
  return groups()[template] ?? [];
}

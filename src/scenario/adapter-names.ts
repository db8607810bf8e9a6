import { type AdapterNames, adapterTypeOf, BUILT_IN_NAMES } from '../adapters/adapter-name.ts';
import { suggestion } from '../did-you-mean.ts';
import type { Path } from './located-value.ts';
import type { Report } from './problem.ts';
import { some } from './value-words.ts';

const TYPES_WITH_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['ai-sdk', 'package'],
  ['llama', 'model_path'],
  ['exec', 'command'],
  ['http', 'url'],
  ['module', 'path'],
]);

export function checkAdapterName(
  report: Report,
  { name, names, path }: { name: string; names: AdapterNames; path: Path },
) {
  if (adapterTypeOf(name, names) !== undefined) return;
  const option = TYPES_WITH_OPTIONS.get(name);
  if (option) {
    report({
      code: 'unknown-adapter',
      message: `the adapter type "${name}" cannot be used without options`,
      hint: `give it a name in salvo.yaml: adapters: {my-agent: {type: ${name}, ${option}: ...}}, and use that name here`,
      path,
    });
    return;
  }
  const known = [...new Set([...BUILT_IN_NAMES, ...names.named.keys(), ...names.registered])];
  report({
    code: 'unknown-adapter',
    message: `there is no adapter "${name}"`,
    hint: suggestion(
      name,
      known,
      `known here: ${some(known)}; or the path of a module, an http(s) URL, or exec:<command>`,
    ),
    path,
  });
}

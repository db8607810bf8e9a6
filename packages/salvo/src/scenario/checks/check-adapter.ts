import { type AdapterNames, adapterTypeOf, BUILT_IN_NAMES, TYPES_WITH_OPTIONS } from '../../adapters/adapter-name.ts';
import { suggestion } from '../../text/words/did-you-mean.ts';
import { some } from '../../text/words/value-words.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import { adapterRefusal, reportCode } from './refuse-code.ts';
import { checkFileExists } from './written-path.ts';

interface AdapterReference {
  name: unknown;
  names: AdapterNames;
  /** Paths of modules are relative to this folder: that of the file that names the adapter. */
  folder: string;
  /** The folder of salvo.yaml. */
  root: string;
  /** A module must be inside this folder. */
  readRoot?: string | undefined;
  path: Path;
  /** It is not refused for being code. */
  mayBeCode?: boolean;
}

/** Reports an adapter that does not exist or must not be executed, and a path of a module that does not exist. */
export function checkAdapter(report: Report, reference: AdapterReference): void {
  const { name, names, folder, root, readRoot, path, mayBeCode = false } = reference;
  if (typeof name !== 'string' || name === '') return;
  checkAdapterName(report, { name, names, path });
  if (!mayBeCode) reportCode(report, adapterRefusal(name, names), path);
  if (adapterTypeOf(name, names) === 'module' && !names.named.has(name)) {
    checkFileExists(report, { file: name, folder, projectRoot: root, readRoot, path });
  }
}

/** Like `checkAdapter`, for a judge or a simulated user, which has no scenario whose script it could play. */
export function checkAskedAdapter(report: Report, reference: AdapterReference, asked: 'judge' | 'user'): void {
  checkAdapter(report, reference);
  const { name, names, path } = reference;
  if (name !== 'scripted' || names.named.has(name) || names.registered.has(name)) return;
  report({
    code: 'missing-script',
    message: `a ${asked} with the adapter "scripted" needs its own script`,
    hint: `give it a name in salvo.yaml: adapters: {my-${asked}: {type: scripted, script: [...]}}, and use that name here`,
    path,
  });
}

function checkAdapterName(report: Report, { name, names, path }: { name: string; names: AdapterNames; path: Path }) {
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

import { SalvoError } from '../text/errors/salvo-error.ts';
import type { AdapterContext } from './adapter-factory.ts';
import { adapterOptionsOf } from './adapter-name.ts';
import { adapterReadiness } from './availability.ts';
import { registeredAdapters } from './registered-adapters.ts';
import { adapterType, getAdapter } from './registry.ts';

const HOW_TO_CHOOSE = {
  judge: '`judge: { adapter, model }` in salvo.yaml, or `judge_adapter` and `judge_model` in the assertion',
  user: '`user: { adapter, model }` in salvo.yaml or in the scenario, or `user: { script: [...] }` without a model',
};

/**
 * Throws when an adapter is unknown, or when a key, package or file is missing without which every call would fail.
 * Call it before the first paid call. `file` is the file that names the adapter, if a file does.
 */
export function checkAdapterReady(
  name: string,
  context: AdapterContext & { file?: string | undefined; askedAs?: 'judge' | 'user' | undefined },
): void {
  // getAdapter explains what is wrong with an unknown name.
  if (adapterType(name, context) === undefined) getAdapter(name, context);
  const options = registeredAdapters.has(name) ? undefined : adapterOptionsOf(name, context);
  if (options === undefined) return;
  const { status, detail } = adapterReadiness(options, context);
  if (status === 'ready') return;
  const which = context.askedAs ? `the ${context.askedAs}'s adapter` : 'the adapter';
  const subject = context.file === undefined ? `T${which.slice(1)}` : `${context.file}: ${which}`;
  const other = context.askedAs ? ` Or choose another ${context.askedAs}: ${HOW_TO_CHOOSE[context.askedAs]}.` : '';
  throw new SalvoError(
    'ADAPTER_NOT_READY',
    `${subject} "${name}" cannot be used yet: ${detail}. \`salvo adapters\` lists what is missing.${other}`,
  );
}

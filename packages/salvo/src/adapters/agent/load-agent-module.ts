import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { isFunction, isRecord } from '../../text/json/is-record.ts';
import { importModule, ModuleLoadError } from '../../text/modules/import-module.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import type { Adapter } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import type { AgentFunction } from './agent-function.ts';

/** What a module exports. `providerName` may be missing in an adapter that is written in JavaScript. */
export type AgentModule =
  | { kind: 'adapter'; adapter: Pick<Adapter, 'sendTurn'> & Partial<Adapter> }
  | { kind: 'agent'; agent: AgentFunction };

const EXPORTS = ['default', 'adapter', 'agent'];

/** Imports a user's module, and finds the adapter or the agent function among its exports. */
export async function loadAgentModule({ path, root }: { path: string; root: string }): Promise<AgentModule> {
  const file = resolve(root, path);
  if (!existsSync(file)) {
    throw new AdapterError('missing_dependency', `The module ${path} was not found; looked for ${file}.`);
  }
  const exports = await importModule(file).catch((error: unknown) => {
    throw error instanceof ModuleLoadError ? loadError({ path, root }, error) : error;
  });
  // A CommonJS module has all it exports under `default`.
  const places = isRecord(exports.default) ? [exports, exports.default] : [exports];
  for (const place of places) {
    for (const name of EXPORTS) {
      const found = asAgentModule(place[name]);
      if (found) return found;
    }
  }
  const named = EXPORTS.find((name) => places.some((place) => isClass(place[name])));
  if (named !== undefined) throw classError(path, named);
  const names = Object.keys(exports);
  throw new AdapterError(
    'missing_dependency',
    `The module ${path} exports neither an adapter (an object with sendTurn) nor an agent (a function) as ${EXPORTS.join(', ')}; it exports ${names.length === 0 ? 'nothing' : quoteOutput(names.join(', '))}. Write: export default async function agent(task) { ... }`,
  );
}

/** Which of its methods is the agent, and what its constructor needs, only the user knows. */
function classError(path: string, name: string): AdapterError {
  const example = `const mine = new Agent(); export default (task) => mine.run(task)`;
  const advice = `Export a function that calls it, or an instance that has sendTurn: ${example}`;
  return new AdapterError('missing_dependency', `The module ${path} exports a class as ${name}. ${advice}`);
}

/** A problem of the project, said with the place, the real cause and the next step. */
function loadError({ path, root }: { path: string; root: string }, error: ModuleLoadError): AdapterError {
  const { place, nextStep } = error;
  const at = place ? ` (${relative(root, place.file)}:${place.line}:${place.column})` : '';
  const message = `The module ${path} could not be loaded${at}: ${quoteOutput(error.message)}`;
  return new AdapterError('missing_dependency', nextStep === undefined ? message : `${message}\n${nextStep}`, {
    cause: error.cause,
  });
}

function asAgentModule(value: unknown): AgentModule | undefined {
  if (hasSendTurn(value)) return { kind: 'adapter', adapter: value };
  return isFunction<AgentFunction>(value) && !isClass(value) ? { kind: 'agent', agent: value } : undefined;
}

function isClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}

function hasSendTurn(value: unknown): value is Pick<Adapter, 'sendTurn'> {
  return isRecord(value) && typeof value.sendTurn === 'function';
}

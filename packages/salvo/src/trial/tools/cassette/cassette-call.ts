import { firstDifference } from '../../../models/cassette/nearest-request.ts';
import type { Effect } from '../../../scenario/schema/tool-schema.ts';
import { formatPlural } from '../../../stats/format.ts';
import { canonicalJson } from '../../../text/json/canonical-json.ts';
import { jsonEqual } from '../../../text/json/json-equal.ts';
import type { RecordedToolCall } from './tool-cassette-document.ts';

/** A tool whose calls are on a cassette. */
export interface CassetteTool {
  name: string;
  effect: Effect | undefined;
  /** The server or the module: what one of its tools changes, others may see. */
  group: string;
  /** The arguments that identify a call; undefined: all of them. */
  key: readonly string[] | undefined;
}

/** A call as an entry of the file identifies it. */
export type IdentifiedCall = Pick<RecordedToolCall, 'arguments' | 'after' | 'occurrence'>;

/**
 * The calls of one trial. What a tool answers may depend on earlier calls of the same server or module that changed something,
 * so they belong to what identifies a call. A tool that only reads gives the same answer any number of times.
 */
export class TrialCalls {
  readonly #counts = new Map<string, number>();
  readonly #writes = new Map<string, Record<string, Record<string, unknown>>[]>();

  /** Counts the call. `args` are without secrets. */
  next(tool: CassetteTool, args: Record<string, unknown>, keyOf: KeyOf): IdentifiedCall {
    const writes = this.#writes.get(tool.group) ?? [];
    const call: IdentifiedCall = { arguments: args, ...(writes.length > 0 && { after: writes }) };
    if (tool.effect === 'write') this.#writes.set(tool.group, [...writes, { [tool.name]: args }]);
    if (tool.effect !== undefined) return call;
    const key = callKey(tool.name, call, keyOf);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count === 1 ? call : { ...call, occurrence: count };
  }
}

/** Which arguments identify the calls of a tool. */
export type KeyOf = (tool: string) => readonly string[] | undefined;

/** One text for each entry of a cassette. */
export function callKey(
  tool: string,
  { arguments: args, after = [], occurrence = 1 }: IdentifiedCall,
  keyOf: KeyOf,
): string {
  const before = after.flatMap((write) =>
    Object.entries(write).map(([name, given]) => [name, identifying(given, keyOf(name))]),
  );
  return canonicalJson([tool, identifying(args, keyOf(tool)), before, occurrence]);
}

function identifying(args: Record<string, unknown>, key: readonly string[] | undefined): Record<string, unknown> {
  if (key === undefined) return args;
  return Object.fromEntries(key.flatMap((name) => (Object.hasOwn(args, name) ? [[name, args[name]]] : [])));
}

/** A call in one line, such as `search {"q":"kettle"}`. */
export function callWords(tool: string, { arguments: args, after = [], occurrence = 1 }: IdentifiedCall): string {
  const json = JSON.stringify(args);
  const given = json.length > 120 ? `${json.slice(0, 120)}...` : json;
  const times = occurrence === 1 ? '' : `, time ${occurrence}`;
  return `${tool} ${given}${times}${after.length === 0 ? '' : `, after ${formatPlural(after.length, 'change')}`}`;
}

/** What differs between a call and the recorded one that is most like it, as a sentence. */
export function nearestCall(
  asked: IdentifiedCall,
  { tool, recorded, keyOf }: { tool: string; recorded: readonly RecordedToolCall[]; keyOf: KeyOf },
): string {
  const plain = (call: IdentifiedCall) => callKey(tool, { arguments: call.arguments }, keyOf);
  const same = recorded.filter((call) => plain(call) === plain(asked));
  const sameChanges = same.filter(({ after = [] }) => jsonEqual(after, asked.after ?? []));
  if (sameChanges.length > 0) {
    return `The same call was recorded ${formatPlural(sameChanges.length, 'time')}, and is made once more now.`;
  }
  if (same.length > 0) return 'The same call was recorded, but other calls had changed something before it.';
  const [nearest] = recorded
    .map((call) => ({ call, equal: equalArguments(call.arguments, asked.arguments) }))
    .sort((a, b) => b.equal - a.equal);
  const difference = nearest && firstDifference(nearest.call.arguments, asked.arguments);
  if (!difference) return 'No call of this tool was recorded.';
  const { path, recorded: then, now } = difference;
  return `The nearest recorded call differs in ${path}: recorded ${then}, now ${now}.`;
}

function equalArguments(a: Record<string, unknown>, b: Record<string, unknown>): number {
  return Object.keys(a).filter((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key])).length;
}

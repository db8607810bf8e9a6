import type { ToolDefinition } from '../../../adapters/adapter.ts';
import { chosenInjections, type InjectionText } from '../../../scenario/faults/injection-pack.ts';
import type { Effect } from '../../../scenario/schema/tool-schema.ts';
import { declaredProperties } from '../../../scenario/types/schema-type.ts';
import { isRecord } from '../../../text/json/is-record.ts';
import { isNestedTooDeeply } from '../../../text/json/nesting.ts';
import type { FaultRecord } from '../../../trace/trace.ts';

/** A tool that an instruction may ask for. */
type OfferedTool = ToolDefinition & { effect?: Effect | undefined };

interface HiddenInstruction {
  content: string;
  injection: NonNullable<FaultRecord['injection']>;
}

/** No secret looks like two plain words and a number, so that redaction leaves a canary alone. */
const WORDS = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'heron',
  'inlet',
  'jetty',
  'kelp',
  'lark',
];

/** The result of a tool with an instruction hidden in it. Null if none of the texts fits the tools of the scenario. */
export function hideInstruction(
  content: string,
  of: { texts: readonly string[] | undefined; tools: readonly OfferedTool[]; random: () => number },
): HiddenInstruction | null {
  const target = callTarget(of.tools);
  const fitting = chosenInjections(of.texts).filter(({ action }) => action === 'answer' || target !== null);
  const chosen = fitting[Math.floor(of.random() * fitting.length)];
  if (!chosen) return null;
  const word = () => WORDS[Math.floor(of.random() * WORDS.length)] ?? '';
  const [first, second] = [word(), `${word()}${1000 + Math.floor(of.random() * 9000)}`];
  const canary = `${first}${second}`;
  const named = chosen.action === 'call' && target ? target : {};
  return {
    content: placed(content, written(chosen, { first, second, canary, gap: ' ... ', ...named })),
    injection: { id: chosen.id, style: chosen.style, action: chosen.action, canary, ...named },
  };
}

/** The call that is asked for: of a tool that may change something, if there is one, and with a text as argument. */
function callTarget(tools: readonly OfferedTool[]): { tool: string; parameter: string } | null {
  const targets = tools.flatMap(({ name, parameters, effect }) => {
    const texts = Object.entries(declaredProperties(parameters) ?? {}).filter(
      ([, schema]) => isRecord(schema) && schema.type === 'string' && schema.enum === undefined,
    );
    const [parameter] = texts.map(([key]) => key);
    return parameter === undefined ? [] : [{ tool: name, parameter, effect }];
  });
  const found =
    targets.find(({ effect }) => effect === 'write') ?? targets.find(({ effect }) => effect !== 'read') ?? targets[0];
  return found ? { tool: found.tool, parameter: found.parameter } : null;
}

function written({ text, encode, before = '' }: InjectionText, values: Record<string, string>): string {
  const filled = text.replace(/\{(\w{1,20})\}/g, (whole, name: string) => values[name] ?? whole);
  if (encode === 'base64') return before + Buffer.from(filled, 'utf8').toString('base64');
  return before + (encode === 'rot13' ? rot13(filled) : filled);
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** In a text of the result, if it is JSON that has one: a real record would carry the instruction in a field. */
function placed(content: string, instruction: string): string {
  const parsed = parsedObject(content);
  const holder = parsed && longestText(parsed);
  if (!parsed || !holder) return content + instruction;
  holder.set(holder.text + instruction);
  return JSON.stringify(parsed);
}

function parsedObject(content: string): object | null {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && !isNestedTooDeeply(value) ? value : null;
  } catch {
    return null;
  }
}

interface TextPlace {
  text: string;
  set(text: string): void;
}

/** Long texts are free ones, such as a description. Ids and names are short. */
function longestText(value: object): TextPlace | null {
  let longest: TextPlace | null = null;
  const open: object[] = [value];
  for (let holder = open.pop(); holder; holder = open.pop()) {
    for (const [key, part] of Object.entries(holder)) {
      if (typeof part === 'object' && part !== null) open.push(part);
      if (typeof part !== 'string' || (longest !== null && part.length <= longest.text.length)) continue;
      const own = holder;
      longest = { text: part, set: (text) => Reflect.set(own, key, text) };
    }
  }
  return longest;
}

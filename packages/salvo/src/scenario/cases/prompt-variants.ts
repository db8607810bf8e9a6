import { basename, dirname, extname, resolve } from 'node:path';
import { isRecord } from '../../text/json/is-record.ts';
import { cutEnd } from '../../text/words/cut-text.ts';
import { aValue } from '../../text/words/value-words.ts';
import type { FileAt } from '../checks/written-path.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Problem } from '../diagnostics/problem.ts';
import { checkSchema } from '../diagnostics/schema-problems.ts';
import { promptsSchema } from '../schema/scenario-schema.ts';
import { loadYaml } from '../yaml/load-yaml.ts';
import { isYaml, readInsideRoot } from '../yaml/read-source.ts';

/** A scenario with one of its `prompts`, and where that is written. */
export interface PromptVariant {
  name: string;
  /** The scenario as if this prompt were its only one. */
  value: Record<string, unknown>;
  /** The path of a problem of `value` in the file. */
  written: (path: Path) => Path;
  /** The file of a prompt that is one, for paths in it. */
  file: string | null;
}

export interface PromptVariants {
  variants: PromptVariant[];
  problems: Problem[];
  diagnostics: Diagnostic[];
}

const LONGEST_NAME = 40;

/** A scenario with `prompts` as several with one prompt each. */
export function promptVariants(
  { prompts, ...scenario }: Record<string, unknown>,
  place: { fileAt: FileAt; readRoot: string },
): PromptVariants {
  const { problems } = checkSchema(promptsSchema, prompts, ['prompts']);
  const found: PromptVariants = { variants: [], problems: [...problems], diagnostics: [] };
  for (const key of ['prompt', 'messages']) {
    if (scenario[key] === undefined) continue;
    const message = `a scenario has either "prompts" or "${key}"`;
    found.problems.push({ code: 'conflicting-keys', message, path: [key], at: 'key' });
  }
  if (found.problems.length > 0 || !Array.isArray(prompts)) return found;
  const taken = new Set<string>();
  for (const [index, entry] of prompts.entries()) {
    const read = readPrompt(entry, { ...place, index });
    found.problems.push(...read.problems);
    found.diagnostics.push(...read.diagnostics);
    const { system_prompt: system } = read.fields;
    if (system !== undefined && scenario.system_prompt !== undefined) {
      const message = 'the scenario has a system prompt, and so has this prompt';
      found.problems.push({
        code: 'conflicting-keys',
        message,
        hint: 'leave one of them out',
        path: ['prompts', index],
      });
    }
    let name = read.name;
    for (let count = 2; taken.has(name); count += 1) name = `${read.name} #${count}`;
    if (name !== read.name && isRecord(entry) && entry.name !== undefined) {
      const message = `there are two prompts named "${read.name}"`;
      found.problems.push({ code: 'duplicate-name', message, path: ['prompts', index, 'name'] });
    }
    taken.add(name);
    const { written, file } = read;
    found.variants.push({ name, value: { ...scenario, ...read.fields }, written, file });
  }
  return found;
}

interface ReadPrompt extends Pick<PromptVariant, 'name' | 'written' | 'file'> {
  fields: { prompt?: string; messages?: unknown; system_prompt?: unknown };
  problems: Problem[];
  diagnostics: Diagnostic[];
}

function readPrompt(entry: unknown, place: { fileAt: FileAt; readRoot: string; index: number }): ReadPrompt {
  const at: Path = ['prompts', place.index];
  const none = { problems: [], diagnostics: [], file: null };
  if (typeof entry === 'string') {
    return { ...none, name: nameOfText(entry), fields: { prompt: entry }, written: moved({ prompt: at }) };
  }
  const { name, text, messages, file, system_prompt } = isRecord(entry) ? entry : {};
  const system = system_prompt === undefined ? {} : { system_prompt };
  const own = typeof name === 'string' ? name : null;
  if (typeof file === 'string') {
    const read = readPromptFile(file, { ...place, at: [...at, 'file'] });
    return { ...read, name: own ?? basename(file, extname(file)), fields: { ...system, ...read.fields } };
  }
  const written = moved({
    prompt: [...at, 'text'],
    messages: [...at, 'messages'],
    system_prompt: [...at, 'system_prompt'],
  });
  if (messages === undefined) {
    return { ...none, name: own ?? nameOfText(String(text)), fields: { prompt: String(text), ...system }, written };
  }
  return { ...none, name: own ?? nameOfText(firstText(messages)), fields: { ...chat(messages), ...system }, written };
}

/** A text file is a prompt. A YAML or JSON file has chat messages, or a text. */
function readPromptFile(
  name: string,
  { fileAt, readRoot, at }: { fileAt: FileAt; readRoot: string; at: Path },
): Omit<ReadPrompt, 'name'> {
  const file = resolve(dirname(fileAt(at)), name);
  const written = moved({ prompt: at, messages: at, system_prompt: at });
  const none = { fields: {}, problems: [], diagnostics: [], written, file };
  const read = readInsideRoot({ file, name, root: readRoot });
  if ('problem' in read) return { ...none, problems: [{ ...read.problem, path: at }] };
  if (!isYaml(file)) return { ...none, fields: { prompt: read.source.text.trimEnd() } };
  const { root, diagnostics } = loadYaml({ file, projectRoot: readRoot });
  if (!root || root.broken) return { ...none, diagnostics };
  if (typeof root.value === 'string') return { ...none, fields: { prompt: root.value }, diagnostics };
  if (Array.isArray(root.value)) return { ...none, fields: chat(root.value), diagnostics };
  const message = `${name} should have a text or a list of messages, but has ${aValue(root.value)}`;
  return { ...none, diagnostics, problems: [{ code: 'wrong-type', message, path: at }] };
}

/** Chat messages of other tools may begin with one of the system. */
function chat(messages: unknown): ReadPrompt['fields'] {
  const [first, ...rest]: unknown[] = Array.isArray(messages) ? messages : [];
  if (!isRecord(first) || (first.role !== 'system' && first.role !== 'developer')) return { messages };
  return { system_prompt: first.content, messages: rest };
}

function firstText(messages: unknown): string {
  const list: unknown[] = Array.isArray(messages) ? messages : [];
  const said = list.findLast((each) => isRecord(each) && each.role === 'user' && typeof each.content === 'string');
  return isRecord(said) ? String(said.content) : 'messages';
}

function nameOfText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? 'prompt' : cutEnd(line, LONGEST_NAME, '…');
}

/** Where the fields of the scenario are written that a prompt replaces. */
function moved(fields: Record<string, Path>): (path: Path) => Path {
  return (path) => {
    const [field, ...rest] = path;
    const place = fields[String(field)];
    return place ? [...place, ...rest] : path;
  };
}

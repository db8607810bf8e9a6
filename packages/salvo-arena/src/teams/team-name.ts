import { adapterTypeOf, registeredAdapters } from 'salvo/kit/adapters';
import { suggestionSentence } from 'salvo/kit/text';
import type { DetectionMode } from '../blue/blue-team.ts';
import { BlueTeamError } from '../blue/blue-team-error.ts';
import { SCANNERS, type Scanner } from '../blue/scanners/scanners.ts';
import type { Reach } from '../iac/evaluate/scope.ts';
import { RedTeamError } from '../red/red-team-error.ts';

export interface ModelName {
  kind: 'llm';
  adapter: string;
  model: string;
}

/** What a name such as `--red llm:gpt-5` means. */
export type RedName = { kind: 'mutation' } | ModelName;

type SingleBlueName =
  | { kind: 'rules'; reach?: Reach }
  | { kind: 'scanner'; scanner: Scanner }
  | { kind: 'command'; command: string }
  | ModelName;

/** What a name such as `--blue hybrid:rules+llm:gpt-5` means. */
export type BlueName = SingleBlueName | { kind: 'several'; parts: SingleBlueName[] };

export interface NameContext {
  /** The adapter of models that are named without one. */
  adapter?: string | undefined;
  /** Names that salvo.yaml gives to adapters. */
  adapters?: Iterable<string> | undefined;
}

/** `mutation`, `llm:MODEL` or `llm:ADAPTER/MODEL`. Throws a `RedTeamError` for anything else. */
export function parseRedName(name: string, context: NameContext = {}): RedName {
  const text = name.trim();
  if (text === 'mutation') return { kind: 'mutation' };
  const model = parseModelName(text, context);
  if (model) return model;
  const hint = suggestionSentence(text, ['mutation']);
  throw new RedTeamError(
    'RED_UNKNOWN',
    `There is no Red Team ${JSON.stringify(text.slice(0, 100))}.${hint} Known are mutation, llm:MODEL and llm:ADAPTER/MODEL.`,
  );
}

/**
 * `rules`, a scanner's name, `llm:MODEL` or `llm:ADAPTER/MODEL`, `command:my-scanner {dir}`, and several of these as
 * `checkov+trivy` or `hybrid:checkov+llm:gpt-5`. A hybrid of models alone also has the rules. Throws a `BlueTeamError`
 * for anything else.
 */
export function parseBlueName(name: string, context: NameContext = {}): BlueName {
  const text = name.trim();
  // A command may contain a plus.
  if (text.startsWith('command:')) return parseSingleBlue(text, context);
  const isHybrid = text.startsWith('hybrid:');
  const parts = (isHybrid ? text.slice('hybrid:'.length) : text)
    .split('+')
    .map((part) => parseSingleBlue(part.trim(), context));
  const [first, second] = parts;
  if (first && !second && !isHybrid) return first;
  const needsTool = isHybrid && parts.every(({ kind }) => kind === 'llm');
  return { kind: 'several', parts: needsTool ? [{ kind: 'rules' }, ...parts] : parts };
}

/** The teams of a name, without the distinction between one and several. */
export function singleTeams(name: BlueName): SingleBlueName[] {
  return name.kind === 'several' ? name.parts : [name];
}

/** The models that teams ask, one entry per mention. */
export function namedModels(names: readonly (RedName | BlueName)[]): ModelName[] {
  return names.flatMap((name) => (name.kind === 'several' ? name.parts : [name])).filter((name) => name.kind === 'llm');
}

/** Whether a team asks a model, by its name alone: needs no project, and accepts names that mean no team. */
export function asksModel(name: string): boolean {
  const text = name.trim();
  if (text.startsWith('command:')) return false;
  return text
    .replace(/^hybrid:/, '')
    .split('+')
    .some((part) => part.trim().startsWith('llm:'));
}

/** A Blue reduced to the teams that a mode allows. Without a tool, `hybrid` and `tools_only` use the rules. */
export function blueInMode(blue: BlueName, mode: DetectionMode): BlueName {
  const teams = singleTeams(blue);
  const models = mode === 'tools_only' ? [] : namedModels(teams);
  const tools = mode === 'llm_only' ? [] : teams.filter(({ kind }) => kind !== 'llm');
  if (mode !== 'tools_only' && models.length === 0) {
    throw new BlueTeamError('OPTIONS_INVALID', `The mode ${mode} needs a model: name one, such as llm:gpt-5.`);
  }
  const rules: SingleBlueName[] = mode !== 'llm_only' && tools.length === 0 ? [{ kind: 'rules' }] : [];
  const parts = [...rules, ...tools, ...models];
  const [first, second] = parts;
  return first && !second ? first : { kind: 'several', parts };
}

function parseSingleBlue(part: string, context: NameContext): SingleBlueName {
  if (part === 'rules') return { kind: 'rules' };
  if (part === 'rules:full') return { kind: 'rules', reach: 'full' };
  const scanner = SCANNERS.find(({ name }) => name === part);
  if (scanner) return { kind: 'scanner', scanner };
  if (part.startsWith('command:') && part.slice('command:'.length).trim() !== '') {
    return { kind: 'command', command: part.slice('command:'.length).trim() };
  }
  const model = parseModelName(part, context);
  if (model) return model;
  const names = ['rules', 'rules:full', ...SCANNERS.map(({ name }) => name)];
  const hint = suggestionSentence(part, names);
  const known = `Known are ${names.join(', ')}, llm:MODEL, llm:ADAPTER/MODEL, "command:PROGRAM {dir}", and several with a plus between them.`;
  throw new BlueTeamError(
    'BLUE_UNKNOWN',
    `There is no Blue Team ${JSON.stringify(part.slice(0, 100))}.${hint} ${known}`,
  );
}

/**
 * Names of models may contain a slash: what is before the first one is an adapter only if there is one of that name.
 */
function parseModelName(name: string, { adapter, adapters = [] }: NameContext): ModelName | null {
  if (!name.startsWith('llm:')) return null;
  const text = name.slice('llm:'.length).trim();
  const slash = text.indexOf('/');
  const prefix = text.slice(0, Math.max(0, slash));
  const named = new Map([...adapters].map((each) => [each, undefined]));
  const known = { named, registered: new Set(registeredAdapters.keys()) };
  if (slash > 0 && /^[\w-]+$/.test(prefix) && adapterTypeOf(prefix, known) !== undefined) {
    return text.length > slash + 1 ? { kind: 'llm', adapter: prefix, model: text.slice(slash + 1) } : null;
  }
  if (text === '') return null;
  return { kind: 'llm', adapter: adapter ?? (/^claude/i.test(text) ? 'anthropic' : 'openai'), model: text };
}

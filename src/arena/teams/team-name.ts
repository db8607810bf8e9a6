import { adapterTypeOf } from '../../adapters/adapter-name.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { SalvoError } from '../../text/salvo-error.ts';
import type { DetectionMode } from '../blue/blue-team.ts';
import { BlueTeamError } from '../blue/blue-team-error.ts';
import { SCANNERS } from '../blue/scanners/scanners.ts';

/** Who a name such as `--blue hybrid:rules+llm:gpt-5` means. */
export type TeamName =
  | { kind: 'rules' }
  | { kind: 'scanner'; scanner: string }
  | { kind: 'command'; command: string }
  | { kind: 'llm'; adapter: string; model: string }
  | { kind: 'several'; parts: TeamName[] };

interface NameContext {
  /** Of models that are named without one. */
  adapter?: string | undefined;
  /** Names that salvo.yaml or the code gives to adapters. */
  adapters?: Iterable<string> | undefined;
}

/**
 * `rules`, a scanner's name, `llm:MODEL` or `llm:ADAPTER/MODEL`, `command:my-scanner {dir}`, and several of these as
 * `checkov+trivy` or `hybrid:checkov+llm:gpt-5`; a hybrid of models alone has the rules as well. Throws a
 * `BlueTeamError` for anything else.
 */
export function parseTeamName(name: string, context: NameContext = {}): TeamName {
  const text = name.trim();
  // A command is free to hold a plus.
  if (text.startsWith('command:')) return partOf(text, context);
  const isHybrid = text.startsWith('hybrid:');
  const parts = (isHybrid ? text.slice('hybrid:'.length) : text).split('+').map((part) => partOf(part.trim(), context));
  const [first, second] = parts;
  if (first && !second && !isHybrid) return first;
  const needsTool = isHybrid && parts.every(({ kind }) => kind === 'llm');
  return { kind: 'several', parts: needsTool ? [{ kind: 'rules' }, ...parts] : parts };
}

function partOf(part: string, context: NameContext): TeamName {
  if (part === 'rules') return { kind: 'rules' };
  if (SCANNERS.some((scanner) => scanner.name === part)) return { kind: 'scanner', scanner: part };
  if (part.startsWith('command:') && part.slice('command:'.length).trim() !== '') {
    return { kind: 'command', command: part.slice('command:'.length).trim() };
  }
  if (part.startsWith('llm:')) {
    const named = modelOf(part.slice('llm:'.length).trim(), context);
    if (named) return named;
  }
  throw unknown(part);
}

/** What stands before the first slash is the adapter if there is one of that name: models have slashes, too. */
function modelOf(text: string, { adapter, adapters = [] }: NameContext): TeamName | null {
  const slash = text.indexOf('/');
  const before = text.slice(0, Math.max(0, slash));
  const names = { named: new Map([...adapters].map((each) => [each, undefined])), registered: new Set<string>() };
  if (slash > 0 && /^[\w-]+$/.test(before) && adapterTypeOf(before, names) !== undefined) {
    return text.length > slash + 1 ? { kind: 'llm', adapter: before, model: text.slice(slash + 1) } : null;
  }
  if (text === '') return null;
  return { kind: 'llm', adapter: adapter ?? (/^claude/i.test(text) ? 'anthropic' : 'openai'), model: text };
}

function unknown(part: string): BlueTeamError {
  const names = ['rules', ...SCANNERS.map(({ name }) => name)];
  const nearest = didYouMean(part, names);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  const known = `Known are ${names.join(', ')}, llm:MODEL, llm:ADAPTER/MODEL, "command:PROGRAM {dir}", and several with a plus between them.`;
  return new BlueTeamError(
    'UNKNOWN_BLUE',
    `There is no Blue Team ${JSON.stringify(part.slice(0, 100))}.${hint} ${known}`,
  );
}

/** The Blue that is left of a name in a mode: `hybrid` of a model has the rules as well, `llm_only` has no tools. */
export function blueWithMode(blue: string, mode: DetectionMode | undefined): string {
  if (mode === undefined) return blue;
  const isCommand = blue.trim().startsWith('command:');
  const parts = isCommand ? [blue] : blue.replace(/^\s*hybrid:/, '').split('+');
  const models = parts.filter((part) => part.trim().startsWith('llm:'));
  const tools = parts.filter((part) => !part.trim().startsWith('llm:'));
  if (mode === 'tools_only') return tools.length > 0 ? tools.join('+') : 'rules';
  if (models.length === 0) {
    throw new SalvoError('BLUE_OPTIONS', `The mode ${mode} needs a model: name one, such as --blue llm:gpt-5.`);
  }
  return mode === 'llm_only'
    ? models.join('+')
    : `hybrid:${[...(tools.length > 0 ? tools : ['rules']), ...models].join('+')}`;
}

import { createScope } from '../../packages/salvo-arena/src/iac/evaluate/scope.ts';
import type { Json } from '../../packages/salvo-arena/src/iac/evaluate/value.ts';
import { codeReader } from '../../packages/salvo-arena/src/iac/read/code-reader.ts';
import { referencesByAddress } from '../../packages/salvo-arena/src/iac/read/references.ts';
import { parseCode } from '../../packages/salvo-arena/src/iac/syntax/parse-code.ts';
import { createMutationRed } from '../../packages/salvo-arena/src/red/mutation/create-mutation-red.ts';
import type { RedRequest } from '../../packages/salvo-arena/src/red/red-team.ts';

/** A resource as a Blue without knowledge of security sees it. */
export interface SeenResource {
  game: string;
  type: string;
  name: string;
  /** Evaluated values by path. */
  values: ReadonlyMap<string, string>;
  /** The lines of its code, without indentation. */
  lines: readonly string[];
  isGuilty: boolean;
  /** It is flawed, or it takes part in something that would be a flaw in its other form. */
  isSite: boolean;
}

export interface MemoryGame {
  name: string;
  resources: readonly SeenResource[];
  /** The types of the resources and which refers to which: the same for two games that differ in names and values. */
  structure: string;
}

export async function playMemoryGame(
  request: Omit<RedRequest, 'provider' | 'strategy'>,
  fixed: boolean,
): Promise<MemoryGame> {
  const made = await createMutationRed({ fixed }).generate({ ...request, provider: 'aws', strategy: 'balanced' });
  const guilty = new Set(made.vulnerabilities.flatMap(({ resource }) => resource ?? []));
  const name = `${request.task} ${request.language} ${request.difficulty} ${request.seed}`;
  const traps = new Set((made.metadata.traps ?? []).map(({ resource }) => resource));
  return readGame(name, made.files, { guilty, traps, twin: made.metadata.twin ?? {} });
}

interface KnownOfGame {
  guilty?: ReadonlySet<string>;
  traps?: ReadonlySet<string>;
  twin?: Readonly<Record<string, string>>;
}

export async function readGame(
  name: string,
  files: Readonly<Record<string, string>>,
  { guilty = new Set(), traps = new Set(), twin = files }: KnownOfGame = {},
): Promise<MemoryGame> {
  const project = await parseCode(files);
  const scope = createScope(project);
  const reader = codeReader(scope);
  const evaluated = new Map<string, Map<string, string>>();
  for (const view of scope.instances()) {
    const values = evaluated.get(view.blockAddress) ?? new Map<string, string>();
    flatten(reader.instance(view).json, '', values);
    evaluated.set(view.blockAddress, values);
  }
  const resources = project.files.flatMap(({ blocks, text }) =>
    blocks.flatMap((block): SeenResource[] => {
      if (block.type !== 'resource') return [];
      const [type = '', label = ''] = block.labels;
      const code = text.slice(block.range.start, block.range.end);
      const lines = code.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '));
      const values = evaluated.get(block.address) ?? new Map();
      const isGuilty = guilty.has(block.address);
      const isSite = isGuilty || traps.has(block.address);
      return [{ game: name, type, name: label, values, lines, isGuilty, isSite }];
    }),
  );
  const plain = await parseCode(twin);
  const typeOf = (address: string) => address.slice(0, address.lastIndexOf('.'));
  const edges = [...referencesByAddress(plain)].map(([from, to]) => `${typeOf(from)} ${[...to].map(typeOf).sort()}`);
  return { name, resources, structure: edges.sort().join('\n') };
}

function flatten(json: Json, path: string, values: Map<string, string>): void {
  if (Array.isArray(json)) for (const item of json) flatten(item, `${path}[]`, values);
  else if (typeof json === 'object' && json !== null) {
    for (const [name, value] of Object.entries(json)) flatten(value, `${path}.${name}`, values);
  } else values.set(`${path} ${values.has(path) ? String(json) : ''}`.trim(), String(json));
}

/** `exp` of the entropy: how many structures there are if all were equally frequent. */
export function effectiveNumber(items: readonly string[]): number {
  const shares = [...Map.groupBy(items, (one) => one).values()].map((same) => same.length / items.length);
  return Math.exp(-shares.reduce((sum, share) => sum + share * Math.log(share), 0));
}

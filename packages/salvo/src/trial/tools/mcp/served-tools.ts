import { z } from 'zod';
import type { Effect } from '../../../scenario/schema/tool-schema.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { isNestedTooDeeply } from '../../../text/json/nesting.ts';
import { quoteOutput } from '../../../text/output/quote-output.ts';
import { suggestion } from '../../../text/words/did-you-mean.ts';
import { some } from '../../../text/words/value-words.ts';

/** A tool of a server, as the agent sees it. */
export interface ServedTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  effect?: Effect | undefined;
  /** The server's name of it, or which of the two tools of Salvo's own it is, which are for the server's resources. */
  asks: { tool: string } | 'list_resources' | 'read_resource';
}

const toolSchema = z.looseObject({
  name: z.string().min(1).max(1000),
  description: z.string().optional().catch(undefined),
  inputSchema: z.record(z.string(), z.unknown()).optional().catch(undefined),
  annotations: z
    .looseObject({
      readOnlyHint: z.boolean().optional().catch(undefined),
      destructiveHint: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** One page of `tools/list`. */
export const toolListSchema = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().optional().catch(undefined),
});

/** What the entry of the scenario says about all tools of a server. */
export interface ServedToolsOptions {
  label: string;
  only?: readonly string[] | undefined;
  prefix?: string | undefined;
  /** Of every tool, instead of what the server says. */
  effect?: Effect | undefined;
  resources: boolean;
}

/** Providers refuse requests with more. */
const MOST_TOOLS = 200;
const MOST_SCHEMA_CHARACTERS = 200_000;

/** The tools that the agent gets of a server's list. Throws if one that `only` names is missing, or if there are too many. */
export function servedTools(listed: readonly unknown[], options: ServedToolsOptions): ServedTool[] {
  const { label, only } = options;
  const all = listed.flatMap((each) => toolSchema.safeParse(each).data ?? []);
  const unknown = only?.find((name) => !all.some((tool) => tool.name === name));
  if (unknown !== undefined) {
    const names = all.map(({ name }) => name);
    const hint = suggestion(unknown, names, `it has ${some(names.map((name) => quoteOutput(name, { length: 64 })))}`);
    throw failed(label, `has no tool "${unknown}", which "only" names (${hint})`);
  }
  const chosen = only ? all.filter(({ name }) => only.includes(name)) : all;
  if (chosen.length > MOST_TOOLS) {
    throw failed(
      label,
      `has ${chosen.length} tools, and a model can be given ${MOST_TOOLS}: name those that the agent needs, only: [...]`,
    );
  }
  const nameOf = namesFor(options.prefix ?? '');
  const tools = chosen.map((tool): ServedTool => {
    const effect = options.effect ?? effectOf(tool.annotations);
    return {
      name: nameOf(tool.name),
      description: tool.description ?? '',
      parameters: parametersOf(tool, label),
      ...(effect && { effect }),
      asks: { tool: tool.name },
    };
  });
  return [...tools, ...(options.resources ? resourceTools(nameOf) : [])];
}

function effectOf({
  readOnlyHint,
  destructiveHint,
}: z.infer<typeof toolSchema>['annotations'] = {}): Effect | undefined {
  if (readOnlyHint) return 'read';
  return readOnlyHint === false || destructiveHint ? 'write' : undefined;
}

function parametersOf({ name, inputSchema }: z.infer<typeof toolSchema>, label: string): ServedTool['parameters'] {
  const schema = inputSchema ?? { type: 'object', properties: {} };
  if (isNestedTooDeeply(schema) || JSON.stringify(schema).length > MOST_SCHEMA_CHARACTERS) {
    const tool = quoteOutput(name, { length: 64 });
    throw failed(
      label,
      `describes the arguments of its tool "${tool}" in more than ${MOST_SCHEMA_CHARACTERS} characters, or nested too deeply: leave the tool out with only: [...]`,
    );
  }
  return schema;
}

/** Names that every provider accepts, each once. */
function namesFor(prefix: string): (name: string) => string {
  const given = new Set<string>();
  return (name) => {
    const plain = `${prefix}${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`.slice(0, 64);
    let unique = plain;
    for (let count = 2; given.has(unique); count += 1) unique = `${plain.slice(0, 60)}_${count}`;
    given.add(unique);
    return unique;
  };
}

function resourceTools(nameOf: (name: string) => string): ServedTool[] {
  const uri = { type: 'string', description: 'The address of the resource.' };
  return [
    {
      name: nameOf('list_resources'),
      description: 'Lists the resources that can be read.',
      parameters: { type: 'object', properties: {} },
      effect: 'read',
      asks: 'list_resources',
    },
    {
      name: nameOf('read_resource'),
      description: 'Reads a resource.',
      parameters: { type: 'object', properties: { uri }, required: ['uri'] },
      effect: 'read',
      asks: 'read_resource',
    },
  ];
}

function failed(label: string, problem: string): SalvoError {
  return new SalvoError('MCP_TOOLS_INVALID', `The MCP server "${label}" ${problem}.`);
}

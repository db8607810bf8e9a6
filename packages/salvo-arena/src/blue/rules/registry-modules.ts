import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';
import { equalsSetting, type Json } from '../../iac/evaluate/value.ts';
import { type CodeNode, firstChild, jsonNode, withChildren } from '../../iac/read/code-node.ts';
import type { Block } from '../../iac/syntax/source-file.ts';
import { securityGroupNode } from './security-group-module.ts';

/**
 * What a module of the registry creates. Its code is not at hand, but what its inputs do is known: `modules.json` says
 * which attribute of which resource each of them sets.
 */
type AttributeSource =
  | {
      input: string;
      /** The module's own value, null if it sets none. Without it, versions differ, and nothing is known. */
      default?: Json | undefined;
      /** An input with the statements of a policy, as a list or map, from which the module writes this attribute. */
      statements?: string | undefined;
      /** The value that the versions before this one had, for a call that names such a version. */
      before?: { version: string; default: Json } | undefined;
      /** What the module adds to a map that is given and not empty: an entry that is not in it has this value. */
      within?: { [name: string]: Json } | undefined;
    }
  | { block: { [name: string]: AttributeSource } };

const attributeSchema: z.ZodType<AttributeSource> = z.lazy(() =>
  z.union([
    z.strictObject({
      input: z.string(),
      default: z.json().optional(),
      statements: z.string().optional(),
      before: z.strictObject({ version: z.string(), default: z.json() }).optional(),
      within: z.record(z.string(), z.json()).optional(),
    }),
    z.strictObject({ block: z.record(z.string(), attributeSchema) }),
  ]),
);

const resourceSchema = z.strictObject({
  type: z.string(),
  attributes: z.record(z.string(), attributeSchema),
  /** Inputs that are lists or maps: the module creates a resource for each of their elements, with its attributes. */
  each: z.array(z.string()).optional(),
  /** Whether the module also creates resources of these types for it: never, or if an input is true. */
  companions: z
    .record(z.string(), z.union([z.literal(false), z.strictObject({ input: z.string(), default: z.boolean() })]))
    .default({}),
});

const readModules = once(() =>
  z.record(z.string(), z.array(resourceSchema)).parse(JSON.parse(dataFile(import.meta.url, './modules.json'))),
);

/** A resource that a call of a module creates, as far as the call determines it. */
export interface ModuleResource {
  type: string;
  node: CodeNode;
  /** Whether the module creates a resource of one of these types for this one. */
  hasCompanion(types: readonly string[]): 'there' | 'none' | 'unknown';
}

/** The resources that a `module` block creates; none if its source is no module that we know. */
export function moduleResources({ type }: Block, call: CodeNode): ModuleResource[] {
  const name = type === 'module' ? moduleName(call) : null;
  if (name === null || firstChild(call, 'count')?.json === 0) return [];
  const [family] = name.split('//');
  if (family === 'security-group') {
    return [{ type: 'aws_security_group', node: securityGroupNode(name, call), hasCompanion: () => 'unknown' }];
  }
  const resources = (readModules()[name] ?? []).flatMap(({ each, ...resource }) => {
    const from = each ? each.flatMap((input) => call.children(input)).flatMap(elementsOf) : [call];
    return from.map((node) => ({ ...resource, node }));
  });
  return resources.map(({ type: created, attributes, companions, node }) => ({
    type: created,
    node: createdNode(attributes, node),
    hasCompanion: (types) => {
      const answers = types.map((one) => {
        const companion = companions[one];
        if (companion === undefined) return 'unknown';
        if (companion === false) return 'none';
        const [given] = call.children(companion.input);
        if (given && !given.known) return 'unknown';
        return equalsSetting(given?.json ?? companion.default, true) ? 'there' : 'none';
      });
      if (answers.includes('there')) return 'there';
      return answers.some((answer) => answer === 'none') ? 'none' : 'unknown';
    },
  }));
}

/** The elements of a list, or the values of a map. */
function elementsOf(input: CodeNode): CodeNode[] {
  if (!input.known) return [];
  return Array.isArray(input.json) ? input.items() : input.names().flatMap((name) => input.children(name));
}

/** `s3-bucket`, `iam//iam-policy`: from a source in the registry, or in the repository that it comes from. */
function moduleName(call: CodeNode): string | null {
  const source = firstChild(call, 'source');
  if (!source?.known || typeof source.json !== 'string' || source.json.length > 300) return null;
  const [, name, inner] =
    /\bterraform-aws-modules\/(?:terraform-aws-)?([a-z0-9-]+)(?:\/aws|\.git)?(?:\/\/modules\/([a-z0-9-]+))?(?:\?.*)?$/.exec(
      source.json,
    ) ?? [];
  if (name === undefined) return null;
  return inner === undefined ? name : `${name}//${inner}`;
}

function createdNode(attributes: { [name: string]: AttributeSource }, call: CodeNode): CodeNode {
  return withChildren(call, {
    names: () => Object.keys(attributes),
    children: (name) => {
      const from = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
      if (from && 'block' in from) return [createdNode(from.block, call)];
      const given = from ? call.children(from.input) : [];
      if (given.length > 0) return given.map((node) => withEntries(node, from?.within ?? {}));
      const statements = from?.statements === undefined ? [] : call.children(from.statements);
      if (statements.length > 0) return statements.map(policyNode);
      const value = from?.before && isBefore(call, from.before.version) ? from.before.default : from?.default;
      if (value === undefined) return [jsonNode(`\${${name}}`, call.spot, false)];
      return value === null ? [] : [jsonNode(value, call.spot, true)];
    },
  });
}

function withEntries(input: CodeNode, entries: { [name: string]: Json }): CodeNode {
  if (!input.known || input.names().length === 0 || Object.keys(entries).length === 0) return input;
  return withChildren(input, {
    names: () => [...new Set([...input.names(), ...Object.keys(entries)])],
    children: (name) => {
      const given = input.children(name);
      const added = Object.hasOwn(entries, name) ? entries[name] : undefined;
      return given.length > 0 || added === undefined ? given : [jsonNode(added, input.spot, true)];
    },
  });
}

/** A policy document as a `data "aws_iam_policy_document"` writes it, whose blocks are lists of maps in an input. */
function policyNode(input: CodeNode): CodeNode {
  if (!input.known) return input;
  const statements = elementsOf(input).filter(({ known }) => known);
  return withChildren(input, {
    names: () => ['statement'],
    children: (name) => (name === 'statement' ? statements.map(statementNode) : []),
  });
}

function statementNode(statement: CodeNode): CodeNode {
  return withChildren(statement, {
    names: () => statement.names(),
    children: (name) => {
      const names = name === 'condition' ? ['condition', 'conditions'] : [name];
      const found = names.flatMap((one) => statement.children(one));
      return BLOCKS.has(name) ? found.flatMap((one) => one.items()) : found;
    },
  });
}

const BLOCKS = new Set(['principals', 'not_principals', 'condition']);

/**
 * Whether the call asks for older versions only: `2.1.0`, `~> 2.1.0` (patches of it), `~> 2.1` (any later 2.x), or a tag
 * as in `?ref=v2.1.0`.
 */
function isBefore(call: CodeNode, version: string): boolean {
  const [asked, source] = ['version', 'source'].map((name) => textOf(firstChild(call, name)).trim());
  const [, pessimistic, first, second, third] =
    /^(=|~>)? {0,3}v?(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}))?$/.exec(asked ?? '') ??
    /(\?)ref=v?(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?![\w.])/.exec(source ?? '') ??
    [];
  if (first === undefined || second === undefined) return false;
  const [major, minor, patch] = [Number(first), Number(second), Number(third ?? 0)];
  const after =
    pessimistic !== '~>' ? [major, minor, patch + 1] : third === undefined ? [major + 1] : [major, minor + 1];
  return versionNumber(after) <= versionNumber(version.split('.').map(Number));
}

/** Parts of a version are below a thousand. */
function versionNumber([major = 0, minor = 0, patch = 0]: readonly number[]): number {
  return (major * 1000 + minor) * 1000 + patch;
}

function textOf(node: CodeNode | undefined): string {
  return node?.known ? String(node.json) : '';
}

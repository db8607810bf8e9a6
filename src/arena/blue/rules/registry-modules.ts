import { z } from 'zod';
import { equalsSetting, type Json } from '../../../iac/evaluate/value.ts';
import { type CodeNode, firstChild, jsonNode, knownNode } from '../../../iac/read/code-node.ts';
import type { Block } from '../../../iac/syntax/source-file.ts';
import { once } from '../../../text/memo.ts';
import { dataFile } from '../../../text/modules/data-file.ts';
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
      /** The value that older versions had. */
      before?: { major: number; default: Json } | undefined;
    }
  | { block: { [name: string]: AttributeSource } };

const attributeSchema: z.ZodType<AttributeSource> = z.lazy(() =>
  z.union([
    z.strictObject({
      input: z.string(),
      default: z.json().optional(),
      before: z.strictObject({ major: z.int(), default: z.json() }).optional(),
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
    node: createdNode(attributes, node, majorVersion(call)),
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

/** Of `6.3.0`, `v6.3.0` or `~> 6.0`; null if the call does not say one, or also allows later ones. */
function majorVersion(call: CodeNode): number | null {
  const [version, source] = [firstChild(call, 'version'), firstChild(call, 'source')];
  const [, pinned] = /^(?:=|~>)? {0,3}v?(\d{1,4})\.\d[\w.-]*$/.exec(textOf(version).trim()) ?? [];
  const [, tag] = /\?ref=v?(\d{1,4})\./.exec(textOf(source)) ?? [];
  const major = pinned ?? tag;
  return major === undefined ? null : Number(major);
}

function textOf(node: CodeNode | undefined): string {
  return node?.known ? String(node.json) : '';
}

function createdNode(
  attributes: { [name: string]: AttributeSource },
  call: CodeNode,
  version: number | null,
): CodeNode {
  return knownNode({
    spot: call.spot,
    place: call.place,
    json: () => call.json,
    names: () => Object.keys(attributes),
    children: (name) => {
      const from = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
      if (from && 'block' in from) return [createdNode(from.block, call, version)];
      const given = from ? call.children(from.input) : [];
      if (given.length > 0) return given;
      const { before, default: latest } = from ?? {};
      const value = before && version !== null && version < before.major ? before.default : latest;
      if (value === undefined) return [jsonNode(`\${${name}}`, call.spot, false)];
      return value === null ? [] : [jsonNode(value, call.spot, true)];
    },
  });
}

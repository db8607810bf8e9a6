import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { isRecord } from '../../packages/salvo/src/text/json/is-record.ts';

const PACKAGES = resolve(import.meta.dirname, '../../packages');

/** The public entries: what a user imports, and the file that says what is in it. */
export const ENTRIES = {
  salvo: 'salvo/src/index.ts',
  'salvo/judge': 'salvo/src/judge.ts',
  'salvo/vitest': 'salvo/src/vitest.ts',
  'salvo/node-test': 'salvo/src/node-test.ts',
  'salvo/ai-sdk': 'salvo/src/ai-sdk.ts',
  'salvo/openai-agents': 'salvo/src/openai-agents.ts',
  'salvo/claude-agent': 'salvo/src/claude-agent.ts',
  'salvo/langchain': 'salvo/src/langchain.ts',
  'salvo/mastra': 'salvo/src/mastra.ts',
  'salvo-arena': 'salvo-arena/src/index.ts',
  'salvo-arena/match': 'salvo-arena/src/match.ts',
} as const;

export interface Export {
  /** The name that users see. */
  name: string;
  isType: boolean;
  declaration: Declaration;
}

/** A type, a function, a class or a constant at the top level of a source. */
export interface Declaration {
  name: string;
  file: string;
  node: Node;
}

type Node = Record<string, unknown> & { type: string };

interface Module {
  exports: { name: string; local: string; isType: boolean; source: string }[];
  imports: Map<string, { name: string; source: string }>;
  declarations: Map<string, Node>;
}

/** What an entry exports, in the order of the file. An entry holds nothing but exports of other files. */
export function exportsOf(entry: keyof typeof ENTRIES): Export[] {
  const file = join(PACKAGES, ENTRIES[entry]);
  return readModule(file).exports.map(({ name, local, isType, source }) => {
    const declaration = findDeclaration(sourceFile(file, source), local);
    if (!declaration) throw new Error(`${entry} exports ${local} of ${source}, which has no such declaration.`);
    return { name, isType, declaration };
  });
}

/** The declarations that a signature or a type mentions directly. What is inside of functions is no part of it. */
export function mentioned({ file, node }: Declaration): Declaration[] {
  const names = new Set<string>();
  visit(node, (each) => {
    const named = each.type === 'TSTypeReference' ? each.typeName : each.type === 'TSTypeQuery' ? each.exprName : null;
    const base = each.type === 'TSInterfaceHeritage' || each.type === 'ClassDeclaration' ? each : null;
    for (const name of [named, base?.expression, base?.superClass]) {
      if (isNode(name)) names.add(leftmostName(name));
    }
    // The schema of a document refers to other schemas by their names.
    if (each.type === 'Identifier' && /Schema$/.test(String(each.name))) names.add(String(each.name));
  });
  return [...names].flatMap((name) => findDeclaration(file, name) ?? []).filter((found) => found.node !== node);
}

/** Everything that can be reached from these declarations. */
export function reachable(start: readonly Declaration[]): Declaration[] {
  const found = new Map<Node, Declaration>();
  const open = [...start];
  for (let next = open.pop(); next; next = open.pop()) {
    if (found.has(next.node)) continue;
    found.set(next.node, next);
    open.push(...mentioned(next));
  }
  return [...found.values()];
}

/** The names of the data fields of every object type in a declaration: inherited ones included, functions aside. */
export function objectTypes({ file, node, name }: Declaration): { name: string; fields: string[] }[] {
  const found = [fieldsOf(node, file)];
  visit(node, (each) => {
    if (['TSTypeLiteral', 'TSIntersectionType', 'ObjectExpression'].includes(each.type))
      found.push(fieldsOf(each, file));
  });
  return found.map((fields) => ({ name, fields: [...new Set(fields)] }));
}

function fieldsOf(node: unknown, file: string): string[] {
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'TSInterfaceDeclaration':
      return [...fieldsOf(node.body, file), ...nodes(node.extends).flatMap((base) => fieldsOf(base, file))];
    case 'TSInterfaceBody':
      return nodes(node.body).flatMap(fieldName);
    case 'TSTypeLiteral':
      return nodes(node.members).flatMap(fieldName);
    case 'ObjectExpression':
      return nodes(node.properties).flatMap((property) => (isNode(property.key) ? [keyText(property.key)] : []));
    case 'TSTypeAliasDeclaration':
    case 'TSParenthesizedType':
      return fieldsOf(node.typeAnnotation, file);
    case 'TSIntersectionType':
      return nodes(node.types).flatMap((part) => fieldsOf(part, file));
    case 'VariableDeclarator':
      return fieldsOf(node.init, file);
    case 'CallExpression':
      return nodes(node.arguments).flatMap((argument) => fieldsOf(argument, file));
    case 'TSTypeReference':
    case 'TSInterfaceHeritage':
      return fieldsOfReference(node, file);
    default:
      return [];
  }
}

function fieldsOfReference(node: Node, file: string): string[] {
  const target = node.typeName ?? node.expression;
  const name = isNode(target) ? leftmostName(target) : '';
  const [first, second] = nodes(isRecord(node.typeArguments) ? node.typeArguments.params : []);
  const literals = second ? stringsIn(second) : [];
  if (name === 'Pick' && literals.length > 0) return literals;
  if (name === 'Omit') return fieldsOf(first, file).filter((field) => !literals.includes(field));
  if (['Partial', 'Required', 'Readonly', 'Pick', 'z'].includes(name)) {
    const schema = isNode(first) && first.type === 'TSTypeQuery' && isNode(first.exprName) ? first.exprName : null;
    const declared = schema && findDeclaration(file, leftmostName(schema));
    return declared ? fieldsOf(declared.node, declared.file) : fieldsOf(first, file);
  }
  const declared = findDeclaration(file, name);
  return declared ? fieldsOf(declared.node, declared.file) : [];
}

/** Functions and signals are no data, whatever they are called. */
function fieldName(member: Node): string[] {
  if (member.type !== 'TSPropertySignature' || !isNode(member.key) || member.computed === true) return [];
  let isData = true;
  if (isRecord(member.typeAnnotation)) {
    const { typeAnnotation: annotation } = member.typeAnnotation;
    const parts = isNode(annotation) && annotation.type === 'TSUnionType' ? nodes(annotation.types) : [annotation];
    isData = !parts.some(
      (part) =>
        isNode(part) &&
        (part.type === 'TSFunctionType' ||
          (part.type === 'TSParenthesizedType' &&
            isNode(part.typeAnnotation) &&
            part.typeAnnotation.type === 'TSFunctionType') ||
          (part.type === 'TSTypeReference' && isNode(part.typeName) && leftmostName(part.typeName) === 'AbortSignal')),
    );
  }
  return isData ? [keyText(member.key)] : [];
}

const IS_OURS = /^(?:\.|salvo\/kit\/)/;
const modules = new Map<string, Module>();

function readModule(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const { program, errors } = parseSync(file, readFileSync(file, 'utf8'));
  if (errors.length > 0) throw new Error(`${file} cannot be parsed.`);
  const module: Module = { exports: [], imports: new Map(), declarations: new Map() };
  for (const statement of nodes(program.body)) {
    const source = isRecord(statement.source) ? String(statement.source.value) : null;
    if (statement.type === 'ImportDeclaration' && source !== null && IS_OURS.test(source)) {
      for (const { local, imported } of nodes(statement.specifiers)) {
        if (isNode(local) && isNode(imported)) module.imports.set(keyText(local), { name: keyText(imported), source });
      }
    }
    if (statement.type === 'ExportNamedDeclaration' && source !== null) {
      for (const { local, exported, exportKind } of nodes(statement.specifiers)) {
        if (!isNode(local) || !isNode(exported)) continue;
        const isType = statement.exportKind === 'type' || exportKind === 'type';
        module.exports.push({ name: keyText(exported), local: keyText(local), isType, source });
      }
    }
    const declared = isNode(statement.declaration) ? statement.declaration : statement;
    const all = declared.type === 'VariableDeclaration' ? nodes(declared.declarations) : [declared];
    for (const one of all) if (isNode(one.id)) module.declarations.set(keyText(one.id), one);
  }
  modules.set(file, module);
  return module;
}

function findDeclaration(file: string, name: string): Declaration | null {
  if (!existsSync(file)) return null;
  const { declarations, imports, exports } = readModule(file);
  const node = declarations.get(name);
  if (node) return { name, file, node };
  const again = exports.find((each) => each.name === name);
  const imported = imports.get(name) ?? (again && { name: again.local, source: again.source });
  return imported ? findDeclaration(sourceFile(file, imported.source), imported.name) : null;
}

/** The file that an import names: one of the same package, or what a kit of Salvo exports. */
function sourceFile(file: string, source: string): string {
  return source.startsWith('.') ? join(dirname(file), source) : join(PACKAGES, `${source.replace('/', '/src/')}.ts`);
}

function visit(node: unknown, look: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, look);
  if (!isNode(node)) return;
  look(node);
  const isPrivate = isNode(node.key) && node.key.type === 'PrivateIdentifier';
  if (isPrivate) return;
  const hasBody = /Function|^MethodDefinition$/.test(node.type) && node.type !== 'TSFunctionType';
  for (const [key, value] of Object.entries(node)) if (!(hasBody && key === 'body')) visit(value, look);
}

function stringsIn(node: Node): string[] {
  const found: string[] = [];
  visit(node, (each) => {
    if (each.type === 'Literal' && typeof each.value === 'string') found.push(each.value);
  });
  return found;
}

function leftmostName(node: Node): string {
  return isNode(node.left) ? leftmostName(node.left) : keyText(node);
}

function keyText(node: Node): string {
  return String(node.name ?? node.value ?? '');
}

function nodes(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function isNode(value: unknown): value is Node {
  return isRecord(value) && typeof value.type === 'string';
}

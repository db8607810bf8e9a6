/** Ways to write a module in TypeScript, as projects have them. Each exports a function that returns "hi". */
interface TypeScriptForm {
  name: string;
  file: string;
  code: string;
  /** Where Node alone fails, and what its message says to do; undefined if it loads the module. */
  fails?: { at: string; says: string };
}

const INSTALL = 'nstall a loader, which Salvo then uses: npm install --save-dev tsx';
const WRITE = (what: string) => `write '${what}'. Or i${INSTALL}`;

export const TYPESCRIPT_FORMS: readonly TypeScriptForm[] = [
  // Node loads these itself.
  { name: 'a type annotation', file: 'plain.ts', code: 'export default (): string => "hi";' },
  {
    name: 'an import with .ts',
    file: 'ts-import.ts',
    code: "import { hi } from './lib/hi.ts';\nexport default () => hi;",
  },
  {
    name: 'import type',
    file: 'type-import.ts',
    code: "import type { Greeting } from './lib/hi.ts';\nexport default (): Greeting['text'] => 'hi';",
  },
  { name: 'a named export', file: 'named.ts', code: "export const agent = (): string => 'hi';" },
  {
    name: 'an arrow function',
    file: 'arrow.mts',
    code: "const agent = async (): Promise<string> => 'hi';\nexport default agent;",
  },
  {
    name: 'top-level await',
    file: 'await.ts',
    code: "const hi: string = await Promise.resolve('hi');\nexport default () => hi;",
  },
  {
    name: 'satisfies and as',
    file: 'satisfies.ts',
    code: "const a = { x: 'hi' } satisfies object as { x: string };\nexport default () => a.x;",
  },
  { name: 'generics', file: 'generic.ts', code: "const same = <T,>(x: T): T => x;\nexport default () => same('hi');" },
  { name: 'CommonJS', file: 'old.cts', code: "module.exports = (): string => 'hi';" },
  { name: 'CommonJS with names', file: 'old-named.cts', code: "exports.agent = (): string => 'hi';" },
  { name: 'CommonJS in JavaScript', file: 'old.cjs', code: "module.exports = { default: () => 'hi' };" },
  {
    name: 'a package of the workspace in plain TypeScript',
    file: 'workspace-plain.ts',
    code: "import { hi } from 'greetings';\nexport default () => hi;",
  },
  // These need a loader.
  {
    name: './x.js for x.ts',
    file: 'js.ts',
    code: "import { hi } from './lib/hi.js';\nexport default () => hi;",
    fails: { at: '1:20', says: WRITE('./lib/hi.ts') },
  },
  {
    name: 'no extension',
    file: 'no-extension.ts',
    code: "import { hi } from './lib/hi';\nexport default () => hi;",
    fails: { at: '1:20', says: WRITE('./lib/hi.ts') },
  },
  {
    name: 'paths of tsconfig.json',
    file: 'paths.ts',
    code: "import { hi } from '@lib/hi';\nexport default () => hi;",
    fails: { at: '1:20', says: `"paths" of tsconfig.json, which has @lib/hi. I${INSTALL}` },
  },
  {
    name: 'an enum',
    file: 'enum.ts',
    code: "enum Word { Hi = 'hi' }\nexport default () => Word.Hi;",
    fails: { at: '1:1', says: `without enums, namespaces and parameter properties. Or i${INSTALL}` },
  },
  {
    name: 'a parameter property',
    file: 'parameter-property.ts',
    code: "class A {\n  constructor(readonly x: string) {}\n}\nexport default () => new A('hi').x;",
    fails: { at: '2:24', says: `Or i${INSTALL}` },
  },
  {
    name: 'a namespace',
    file: 'namespace.ts',
    code: "namespace A {\n  export const x = 'hi';\n}\nexport default () => A.x;",
    fails: { at: '1:1', says: `Or i${INSTALL}` },
  },
  {
    name: 'a decorator',
    file: 'decorator.ts',
    code: "const log = (_: unknown, __: string, all: PropertyDescriptor) => all;\nclass A {\n  @log hi() { return 'hi'; }\n}\nexport default () => new A().hi();",
    fails: { at: '3:3', says: `Node does not know decorators. I${INSTALL}` },
  },
  {
    name: 'JSON',
    file: 'json.ts',
    code: "import words from './lib/words.json';\nexport default () => words.hi;",
    fails: { at: '1:19', says: `with { type: 'json' }. Or i${INSTALL}` },
  },
  {
    name: 'JSX',
    file: 'view.tsx',
    code: 'const h = (_: string, __: unknown, text: string) => text;\nexport default () => <p>hi</p>;',
    fails: { at: '', says: `Node loads no JSX. I${INSTALL}` },
  },
  {
    name: 'a type imported without `type`',
    file: 'untyped.ts',
    code: "import { Greeting, hi } from './lib/hi.ts';\nconst greeting: Greeting = { text: hi };\nexport default () => greeting.text;",
    fails: { at: '1:10', says: `import it with \`import type\`. Or i${INSTALL}` },
  },
  {
    name: 'a package of the workspace with an enum',
    file: 'workspace.ts',
    code: "import { Word } from 'shop';\nexport default () => Word.Hi;",
    fails: { at: '1:8', says: `Or i${INSTALL}` },
  },
];

/** What the modules import. */
export const TYPESCRIPT_FILES: Record<string, string> = {
  'package.json': '{ "type": "module", "private": true, "workspaces": ["packages/*"] }',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ target: 'es2022', module: 'nodenext', experimentalDecorators: true, paths: { '@lib/*': ['./lib/*'] } },
      ...{ jsx: 'react', jsxFactory: 'h' },
    },
  }),
  'lib/hi.ts': "export const hi: string = 'hi';\nexport interface Greeting { text: string }",
  'lib/words.json': '{ "hi": "hi" }',
  'packages/shop/package.json': '{ "name": "shop", "type": "module", "exports": "./index.ts" }',
  'packages/shop/index.ts': "export enum Word { Hi = 'hi' }",
  'packages/greetings/package.json': '{ "name": "greetings", "type": "module", "exports": "./index.ts" }',
  'packages/greetings/index.ts': "export const hi: string = 'hi';",
};

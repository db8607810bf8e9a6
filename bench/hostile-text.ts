import { createFence } from '../packages/salvo/src/models/ask/fence.ts';
import { maskSourceLine } from '../packages/salvo/src/secrets/mask-secrets.ts';
import { createRedactor } from '../packages/salvo/src/secrets/redactor.ts';
import { secretInScript, secretShapeIn } from '../packages/salvo/src/secrets/secret-in-code.ts';
import { readJsonStream } from '../packages/salvo/src/text/json/json-in-stream.ts';
import { bracketsFrom } from '../packages/salvo/src/text/json/nesting.ts';
import { runRules } from '../packages/salvo-arena/src/blue/rules/run-rules.ts';
import { checkManifest } from '../packages/salvo-arena/src/gate/check-manifest.ts';
import { assignmentsIn, quotesIn } from '../packages/salvo-arena/src/gate/quoted-code.ts';
import { createScope } from '../packages/salvo-arena/src/iac/evaluate/scope.ts';
import { codeReader } from '../packages/salvo-arena/src/iac/read/code-reader.ts';
import { statementsBelow } from '../packages/salvo-arena/src/iac/read/policy-statements.ts';
import { parseCode } from '../packages/salvo-arena/src/iac/syntax/parse-code.ts';
import { loadLexicon } from '../packages/salvo-arena/src/match/evidence/lexicon/lexicon.ts';
import { blameIn } from '../packages/salvo-arena/src/match/evidence/reading/blame-in.ts';
import { readText } from '../packages/salvo-arena/src/match/evidence/reading/read-text.ts';
import { resourceInText } from '../packages/salvo-arena/src/match/importers/block-path.ts';
import { textLooksLike } from '../packages/salvo-arena/src/match/importers/text-looks-like.ts';
import { findTasks } from '../packages/salvo-arena/src/tasks/tasks.ts';
import { SECRET_BEGINNINGS } from '../test/secret-beginnings.ts';

const CHARACTERS = 1_000_000;
const RESOURCES = 2_500;
const ROUNDS = 3;
/** Below this, a ratio is noise. */
const SHORTEST_MS = 20;

const fence = createFence('0123456789abcdef');
// A redactor remembers short texts only, so each round searches again.
const redactor = createRedactor({ customPatterns: [], secrets: [] });
const lexicon = loadLexicon();

/** Functions that read untrusted text, and texts that would be slow for a careless expression. */
const texts: { name: string; read: (text: string) => unknown; units: readonly string[] }[] = [
  {
    name: 'fence',
    read: (text) => fence.wrap('response', text),
    units: ['<', '-', ' ', '<<< ', '< END', '<<<\u200b', '《'],
  },
  { name: 'redact', read: redactor.text, units: SECRET_BEGINNINGS },
  { name: 'mask a line', read: maskSourceLine, units: SECRET_BEGINNINGS },
  { name: 'find in code', read: secretShapeIn, units: SECRET_BEGINNINGS },
  { name: 'find in a script', read: secretInScript, units: ['a', 'https://a:', 'password=', '-----BEGIN '] },
  { name: 'brackets', read: (text) => bracketsFrom(`["${text}`, 0), units: ['\\\\', '\\"'] },
  { name: 'a stream of JSON', read: readJsonStream, units: ['{\n', '[\n"', '['] },
  { name: 'quoted code', read: quotesIn, units: ['a = ', '"', '`', ' ', '[a:'] },
  // A claim has some thousand characters; a megabyte would take minutes.
  {
    name: 'assignments',
    read: (text) => assignmentsIn(text.slice(0, text.length / 25)),
    units: ['a = ', '"', '`', ' ', '[a:'],
  },
  { name: 'tasks', read: findTasks, units: ['database '] },
  { name: 'a resource in a text', read: (text) => resourceInText(`resource '${text}`), units: ['a.', "resource 'a["] },
  {
    name: 'the kind of a text',
    read: textLooksLike,
    units: ['a,', 'a: ', '<a', '\u001b[', '\n', 'Status = ', '(((', 'x.'],
  },
  { name: 'blame', read: (text) => blameIn(lexicon, text), units: ['although a '] },
  {
    name: 'claims',
    read: (text) => readText(lexicon, text),
    units: ['aws_', 'a:', '*"', '0.0.0.0', 'http://', '(((('],
  },
];

interface CodeCase {
  name: string;
  code: (resources: number) => string;
  /** What is done before the clock starts. Returns what is measured. */
  prepare: (code: string) => Promise<() => unknown>;
}

const numbered = (count: number, piece: (index: number) => string) => Array.from({ length: count }, (_, i) => piece(i));
const buckets = (count: number) =>
  numbered(
    count,
    (i) =>
      `resource "aws_s3_bucket" "b${i}" {\n  acl = "public-read"\n}\nresource "aws_s3_bucket_versioning" "v${i}" {\n  bucket = aws_s3_bucket.b${i}.id\n}\n`,
  ).join('');
const claims = numbered(40, (i) => `aws_s3_bucket.b${i}`).map((resource) => ({
  id: resource,
  resource,
  attribute: 'versioning',
  description: 'Versioning is disabled.',
}));

const codes: CodeCase[] = [
  {
    name: 'rules',
    code: buckets,
    prepare: async (code) => {
      const project = await parseCode({ 'main.tf': code });
      return () => runRules(project);
    },
  },
  {
    name: 'gate',
    code: buckets,
    prepare: async (code) => () => checkManifest({ files: { 'main.tf': code }, vulnerabilities: claims }),
  },
  {
    name: 'gate with one long word',
    code: (resources) => `resource "aws_s3_bucket" "b0" {\n  bucket = "${'A'.repeat(400 * resources)}"\n}\n`,
    prepare: async (code) => () => checkManifest({ files: { 'main.tf': code }, vulnerabilities: claims }),
  },
  {
    name: 'policy statements in a map',
    code: (resources) =>
      `resource "p" "a" {\n  tags = {\n${numbered(20 * resources, (i) => `k${i} = ${i}`).join('\n')}\n  }\n}\n`,
    prepare: searchForStatements,
  },
  {
    name: 'policy statements in a block',
    code: (resources) => `resource "p" "a" {\n${numbered(20 * resources, (i) => `k${i} = ${i}`).join('\n')}\n}\n`,
    prepare: searchForStatements,
  },
];

async function searchForStatements(code: string): Promise<() => unknown> {
  const scope = createScope(await parseCode({ 'main.tf': code }));
  return () => scope.instances().map((view) => statementsBelow(codeReader(scope).instance(view)));
}

/** How the time grows when a hostile text or code gets twice as long: about 2 for linear time, 4 for quadratic. */
export async function benchHostileText(): Promise<string[]> {
  const lines: string[] = [];
  for (const { name, read, units } of texts) {
    const ratios: Ratio[] = [];
    for (const unit of units) {
      const [once, twice] = [hostile(unit, CHARACTERS), hostile(unit, 2 * CHARACTERS)];
      ratios.push(ratio(unit, await fastest(() => read(once)), await fastest(() => read(twice))));
    }
    lines.push(`${name}: 2 MB ${describe(ratios.reduce((a, b) => (b.growth > a.growth ? b : a)))}`);
  }
  for (const { name, code, prepare } of codes) {
    const [once, twice] = [await prepare(code(RESOURCES)), await prepare(code(2 * RESOURCES))];
    lines.push(`${name}: twice the code ${describe(ratio(null, await fastest(once), await fastest(twice)))}`);
  }
  return lines;
}

interface Ratio {
  unit: string | null;
  once: number;
  growth: number;
}

function ratio(unit: string | null, once: number, twice: number): Ratio {
  return { unit, once, growth: once < SHORTEST_MS && twice < 2 * SHORTEST_MS ? 0 : twice / once };
}

function describe({ unit, once, growth }: Ratio): string {
  if (growth === 0) return `takes less than ${2 * SHORTEST_MS} ms, too little to compare`;
  const what = unit === null ? '' : `${JSON.stringify(unit)}, `;
  return `takes at most ${growth.toFixed(1)} times as long (${what}${once.toFixed(0)} ms; aim: at most 3)`;
}

function hostile(unit: string, characters: number): string {
  return `${unit.repeat(Math.ceil(characters / unit.length))}(`;
}

/** The fastest of a few rounds, in milliseconds: other work of the machine can only make one slower. */
async function fastest(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    await work();
    least = Math.min(least, performance.now() - started);
  }
  return least;
}

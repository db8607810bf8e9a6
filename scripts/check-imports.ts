import { globSync, readFileSync } from 'node:fs';
import { importProblems, unusedKitNames } from './import-rules.ts';
import { ROOMS } from './rooms.ts';

const files = globSync('packages/*/{src,web/src}/**/*.{ts,tsx}').filter((file) => !file.endsWith('.test.ts'));
const texts = new Map(files.map((file) => [file.replaceAll('\\', '/'), readFileSync(file, 'utf8')]));
const docs = ['docs/extending.md', 'docs/api.md'].map((file) => readFileSync(file, 'utf8')).join('\n');
const problems = [...importProblems(texts, ROOMS), ...unusedKitNames(texts, docs)];
for (const line of problems) console.error(line);
console.log(
  problems.length === 0
    ? 'imports point downwards, in one package, without cycles; every name of a kit is used'
    : `${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

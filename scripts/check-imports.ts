import { globSync, readFileSync } from 'node:fs';
import { importProblems } from './import-rules.ts';
import { ROOMS } from './rooms.ts';

const files = globSync('packages/*/{src,web/src}/**/*.{ts,tsx}').filter((file) => !file.endsWith('.test.ts'));
const texts = new Map(files.map((file) => [file.replaceAll('\\', '/'), readFileSync(file, 'utf8')]));
const problems = importProblems(texts, ROOMS);
for (const line of problems) console.error(line);
console.log(
  problems.length === 0 ? 'imports point downwards, in one package, without cycles' : `${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

import { globSync, readFileSync } from 'node:fs';
import { HOUSE } from './house.ts';
import { importProblems } from './import-rules.ts';

const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
const texts = new Map(
  files.map((file) => [file.replaceAll('\\', '/').slice('src/'.length), readFileSync(file, 'utf8')]),
);
const problems = importProblems(texts, HOUSE);
for (const line of problems) console.error(line);
console.log(
  problems.length === 0 ? 'imports point downwards, through faces, without cycles' : `${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

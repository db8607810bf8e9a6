// `npm run readme`: runs the commands of each README in a copy of this folder, and puts what they print now into the
// blocks that quote it, and into the picture of the demo.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { missingQuote, refreshedQuote } from './quoted-output.ts';
import { readmeCommand, readmePages, readmeSteps } from './readme-commands.ts';
import { startReadmeSession } from './readme-session.ts';
import { pictureText, terminalPicture } from './terminal-picture.ts';

const root = resolve('.');
// One copy for all pages: the first command of the README builds it.
using session = startReadmeSession(root);
for (const page of readmePages(root)) await refreshPage(resolve(page));

const { printed: demo } = await session.run('cd "$CLONE" && FORCE_COLOR=1 npm run demo --silent');
const picture = resolve('docs/demo.svg');
// Where only times differ, it stays as it is.
if (!existsSync(picture) || missingQuote(pictureText(readFileSync(picture, 'utf8')), stripVTControlCharacters(demo))) {
  writeFileSync(picture, terminalPicture(runOfDemo(demo), 'The report of a run'));
  process.stdout.write('docs/demo.svg was refreshed\n');
}

async function refreshPage(file: string): Promise<void> {
  let readme = readFileSync(file, 'utf8');
  const steps = readmeSteps(readme);
  if (steps.length === 0) return;
  let moved = 0;
  await session.run('cd "$CLONE"');
  for (const { commands, quotation } of steps) {
    let printed = '';
    for (const command of commands) {
      const { line, codes } = readmeCommand(command);
      if (line === null) continue;
      const result = await session.run(line);
      printed += result.printed;
      process.stdout.write(`${command}\n`);
      if (codes.includes(result.code ?? -1)) continue;
      process.exitCode = 1;
      process.stdout.write(`  exit code ${result.code} instead of ${codes.join(' or ')}:\n${result.printed}\n`);
    }
    if (quotation === null || missingQuote(quotation.text, printed) === null) continue;
    const refreshed = refreshedQuote(quotation.text, printed);
    if (refreshed === null) {
      process.exitCode = 1;
      process.stdout.write(`  The output below it has changed too much: edit it by hand. It is now:\n${printed}\n`);
      continue;
    }
    readme = readme.slice(0, quotation.start + moved) + refreshed + readme.slice(quotation.end + moved);
    moved += refreshed.length - quotation.text.length;
    process.stdout.write('  the output below it was refreshed\n');
  }
  writeFileSync(file, readme);
}

/** From the command line of the first run to its verdict. */
function runOfDemo(printed: string): string {
  const lines = printed.split('\n');
  const first = lines.findIndex((line) => stripVTControlCharacters(line).startsWith('$ salvo run'));
  const length = lines.slice(first).findIndex((line) => stripVTControlCharacters(line).startsWith('(exit code'));
  return lines.slice(first, first + length).join('\n');
}

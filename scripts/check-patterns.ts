import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { check, type VulnerableDiagnostics } from 'recheck';
import { PATTERN_EXCEPTIONS } from './pattern-exceptions.ts';
import { builtPatterns, patternsOf, type SourcePattern } from './patterns-in-source.ts';

// Fails on a regular expression whose time can grow faster than the length of its text: text of agents, models, scanners
// and files reaches almost all of them. What the analyser suspects is tried with the text that it found.

/** They start the command line when they are loaded. */
const STARTERS = new Set(['packages/salvo/src/cli/main.ts', 'packages/salvo/src/cli/start.ts']);
const AT_ONCE = 4;
const ATTACK_CHARACTERS = 100_000;
/** A pattern in linear time needs about a millisecond of the processor, one in quadratic time many seconds. */
const SLOW_MS = 1000;
/** On a busy machine, the clock runs much faster than the time that this process gets. */
const GIVEN_UP_MS = 20 * SLOW_MS;
/** Patterns that were found to be safe before. */
const CACHE = 'node_modules/.cache/salvo/linear-patterns.json';

const files = globSync('packages/*/src/**/*.ts')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.test.ts'));
const patterns = [...patternsOf(files), ...(await builtPatterns(files.filter((file) => !STARTERS.has(file))))];
const byText = Map.groupBy(patterns, ({ source, flags }) => `/${source}/${flags}`);
const unusedExceptions = new Set(PATTERN_EXCEPTIONS);
const knownSafe = new Set(cachedPatterns());
const problems: string[] = [];

const waiting = [...byText];
await Promise.all(Array.from({ length: AT_ONCE }, work));
for (const { file, begins } of unusedExceptions) {
  problems.push(`scripts/pattern-exceptions.ts: ${file} has no pattern that begins with ${begins}`);
}
mkdirSync(CACHE.slice(0, CACHE.lastIndexOf('/')), { recursive: true });
writeFileSync(CACHE, JSON.stringify([...knownSafe].filter((text) => byText.has(text))));

for (const line of problems) console.error(line);
console.log(
  problems.length === 0 ? `${byText.size} regular expressions take linear time` : `${problems.length} problems`,
);
// The analyser keeps a process of its own.
process.exit(problems.length === 0 ? 0 : 1);

async function work(): Promise<void> {
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [text, places] = next;
    const suspects = places.filter((pattern) => !isException(pattern));
    const [pattern] = suspects;
    if (pattern === undefined || knownSafe.has(text)) continue;
    const result = await check(pattern.source, pattern.flags, { timeout: 5000, randomSeed: 1 });
    if (result.status === 'vulnerable' && isSlow(pattern, result)) {
      problems.push(`${suspects.map(({ place }) => place).join(', ')}: ${text}: ${result.complexity.summary}`);
    } else {
      knownSafe.add(text);
    }
  }
}

/** Whether the pattern is slow on the text that the analyser found, made long. */
function isSlow({ source, flags }: SourcePattern, { attack }: VulnerableDiagnostics): boolean {
  const share = ATTACK_CHARACTERS / Math.max(1, attack.pumps.length);
  const pumped = attack.pumps.map(({ prefix, pump }) => prefix + pump.repeat(Math.ceil(share / pump.length)));
  const context = createContext({ source, flags, text: pumped.join('') + attack.suffix });
  const before = process.cpuUsage();
  try {
    new Script("text.match(new RegExp(source, flags.replace('g', '') + 'g'))").runInContext(context, {
      timeout: GIVEN_UP_MS,
    });
    return process.cpuUsage(before).user / 1000 > SLOW_MS;
  } catch {
    return true;
  }
}

function isException({ place, source }: SourcePattern): boolean {
  const exception = PATTERN_EXCEPTIONS.find(
    ({ file, begins }) => place.startsWith(`packages/${file}:`) && source.startsWith(begins),
  );
  if (exception) unusedExceptions.delete(exception);
  return exception !== undefined;
}

function cachedPatterns(): string[] {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8'));
  } catch {
    return [];
  }
}

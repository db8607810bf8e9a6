import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flagOf } from '../../packages/salvo/src/cli/terminal/error-text.ts';
import { runCli } from './cli-fixture.ts';

const packages = join(import.meta.dirname, '../../packages');
/** The command line may name its flags. Reports are what it prints, and say which command shows more. */
const NAMES_FLAGS = /^[\w-]+\/src\/(?:cli|report)\//;
const files = globSync('*/src/**/*.ts', { cwd: packages }).filter(
  (file) => !file.endsWith('.test.ts') && !NAMES_FLAGS.test(file),
);

/** Why a file has flags that are no options of its functions. */
const ALLOWED: Record<string, string> = {
  'salvo/src/app/judges/chosen-judge.ts': 'the end of a whole command',
  'salvo/src/app/runs/cassettes.ts': 'the end of a whole command',
  'salvo/src/app/runs/git-state.ts': 'options of git',
  'salvo/src/app/runs/tool-cassettes.ts': 'the end of a whole command',
  'salvo/src/app/view/resume-work.ts': 'arguments of a process that is started',
  'salvo/src/extension/load-extension.ts': 'flags that a package adds, and options of npm',
  'salvo/src/scenario/load-plugins.ts': 'options of npm',
  'salvo/src/scenario/load-project.ts': 'options of npm',
  'salvo/src/scenario/schema/project-schema.ts': 'the description of a setting in an editor',
  'salvo/src/scenario/schema/scenario-schema.ts': 'the description of a field in an editor',
  'salvo/src/text/errors/error-place.ts': 'options of Node',
  'salvo/src/text/modules/module-load-error.ts': 'options of npm',
  'salvo/src/trial/tools/mcp/mcp-client.ts': 'options of npm',
  'salvo-arena/src/blue/scanners/scanners.ts': 'options of scanners',
  'salvo-arena/src/code/git-source.ts': 'options of git',
  'salvo-arena/src/match/importers/json-looks-like.ts': 'options of scanners',
  'salvo-arena/src/match/importers/text-looks-like.ts': 'options of scanners',
  'salvo-postgres/src/bundle/project-files.ts': 'options of git',
  'salvo-postgres/src/postgres/postgres.ts': 'a whole command of PostgreSQL',
  'salvo-postgres/src/work/why-no-worker.ts': 'the end of a whole command',
  'salvo-postgres/src/work/worker-process.ts': 'arguments of a process that is started',
};

const COMMENT = /^\s*(?:\/\/|\/?\*)/;
/** A command to copy, such as `salvo attach ID --quiet`, is right for every reader. */
const WHOLE_COMMAND = /(?:\bsalvo|\$\{salvoCommand\(\)\})[` ].*?(?:`|[^.]\.[ `'")]|$)/g;

function linesOf(file: string): string[] {
  const lines = readFileSync(join(packages, file), 'utf8').split('\n');
  return lines.filter((line) => !COMMENT.test(line));
}

function linesWithFlags(file: string): string[] {
  const lines = linesOf(file);
  return lines.filter((line) => /(?:^|[\s'"`(])--[a-z$][\w-]*\b(?! =)/.test(line.replace(WHOLE_COMMAND, '')));
}

test('messages below the command line name options, not flags', () => {
  const found = files
    .filter((file) => !(file in ALLOWED))
    .flatMap((file) => linesWithFlags(file).map((line) => `${file}: ${line.trim()}`));
  expect(found).toEqual([]);
});

test('no file is allowed flags that has none', () => {
  expect(Object.keys(ALLOWED).filter((file) => linesWithFlags(file).length === 0)).toEqual([]);
});

/** Options whose names are put into messages. */
const INSERTED = `earlyStop recordOnly undecided maxDrop against model models adapter adapters shard trials seed rubric
  scenario judge k threshold workers.detach workers.local workers.labels`;

test('every option that a message names is a flag of the command line', async () => {
  const texts = files.flatMap(linesOf);
  const named = new Set(
    texts.flatMap((text) => [...text.matchAll(/\{option:([\w.]+)\}/g)].map(([, name = '']) => name)),
  );
  const { stdout } = await runCli(['completion', 'bash'], { cwd: packages });
  const flags = new Set(stdout.match(/--[a-z-]+/g));
  expect(named.size).toBeGreaterThan(10);
  expect([...named, ...INSERTED.split(/\s+/)].map(flagOf).filter((flag) => !flags.has(flag))).toEqual([]);
});

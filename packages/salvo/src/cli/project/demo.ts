import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { copyExample } from '../../app/project/project-files.ts';
import { openDoors } from '../../extension/load-extension.ts';
import { createStyle } from '../../report/terminal/look.ts';
import { wrap } from '../../report/terminal/wrap.ts';
import { exampleFolder } from '../../text/modules/example-folder.ts';
import type { Commands } from '../program/command-options.ts';
import type { DemoPart, DemoStep } from '../program/commands-door.ts';
import { createProgram } from '../program/program.ts';
import { excerpt } from '../terminal/excerpt.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The commands that would show failures as they come. */
const TAKE_LONG: ReadonlySet<string> = new Set(['run', 'reeval', 'game']);

const STEPS: DemoStep[] = [
  {
    words: 'A support agent for a web shop, four scenarios with mocked tools. First: are the files right?',
    argv: ['validate'],
    lines: 5,
    summary: 'every problem of a file, before a run costs anything',
  },
  {
    words:
      'Each scenario twenty times. The agent is scripted, with realistic flaws; costs are its tokens at list price.',
    argv: ['run', '-n', '20', '--seed', '42'],
    lines: 18,
    summary: 'a verdict, the pass rates with intervals, and why trials failed',
  },
  {
    words: 'One trial obeyed an instruction hidden in an order. This was the conversation:',
    argv: ['replay', 'latest'],
    lines: 60,
    summary: 'the conversation behind a failure',
  },
  {
    words:
      'A rule changed. The traces are stored, so new assertions are tried on them without calling the agent again.',
    argv: ['reeval', 'latest', '--scenario', 'stricter/refund.yaml'],
    lines: 12,
    summary: 'new assertions on stored conversations, for free',
  },
  {
    words:
      'What no pattern can check, a judge scores against a rubric: five votes, the median of each criterion, and the ' +
      "majority's verdict. The cost of judges is counted separately. (This judge is scripted, too.)",
    argv: ['run', 'judged/tone.yaml', '-n', '10', '--seed', '42'],
    lines: 30,
    summary: 'a rubric, scored by the votes of a judge',
  },
  {
    words: 'Every run is stored and can be compared.',
    argv: ['report', '--history'],
    lines: 5,
    summary: 'all runs, and how pass rates changed',
  },
];

/** `salvo demo`: runs real commands on copies of examples. */
export async function demoCommand(
  options: { keep?: string | undefined; full: boolean },
  terminal: Terminal,
  commands: Commands,
): Promise<number> {
  const { stdout } = terminal;
  const style = createStyle(stdout.color);
  const dir =
    options.keep === undefined ? await mkdtemp(join(tmpdir(), 'salvo-demo-')) : resolve(terminal.cwd, options.keep);
  try {
    const parts = await demoParts();
    for (const { name, example } of parts) await copyExample(example, join(dir, name));
    const steps = parts.flatMap((part) => part.steps.map((step) => ({ ...step, name: part.name })));
    for (const [index, { words, argv, lines, name }] of steps.entries()) {
      if (terminal.stop.aborted) return 0;
      const title = wrap(`${index + 1}. ${words}`, Math.min(stdout.columns, 100)).map((line) => style.dim(line));
      stdout.write(`${title.join('\n')}\n${style.bold(`$ salvo ${argv.join(' ')}`)}\n\n`);
      let exitCode = 0;
      let printed = '';
      const program = await createProgram({
        commands,
        words: argv,
        terminal: {
          ...terminal,
          cwd: join(dir, name),
          stdout: {
            ...stdout,
            write: (text) => {
              printed += text;
            },
          },
        },
        version: '',
        exit: (code) => {
          exitCode = code;
        },
      });
      // Its failures are part of the story, which the report tells.
      await program.parseAsync(TAKE_LONG.has(argv[0] ?? '') ? [...argv, '--quiet'] : argv, { from: 'user' });
      stdout.write(options.full ? printed : excerpt(printed, lines));
      stdout.write(`${style.dim(`(exit code ${exitCode})`)}\n\n`);
    }
    stdout.write(`${style.bold('What you have seen:')}\n${steps.map(summaryLine).join('')}\n`);
    stdout.write(options.keep === undefined ? NEXT : keptProjects(options.keep));
    return 0;
  } finally {
    if (options.keep === undefined) await rm(dir, { recursive: true, force: true });
  }
}

async function demoParts(): Promise<DemoPart[]> {
  const own = { name: 'support', example: exampleFolder('support-agent', import.meta.url), steps: STEPS };
  const doors = await openDoors('commands');
  return [own, ...(await Promise.all(doors.flatMap(({ demo }) => demo?.() ?? [])))];
}

function summaryLine({ argv: [command = ''], summary }: DemoStep, index: number): string {
  return `  ${index + 1}. ${`salvo ${command}`.padEnd(16)} ${summary}\n`;
}

function keptProjects(dir: string): string {
  return `The projects are in ${dir}. Look at the results in a browser:\n  (cd ${join(dir, 'support')} && npx salvo view)\n`;
}

const NEXT = `Your turn:
  npx salvo demo --full --keep demo        every line of it, and its projects
  (cd demo/support && npx salvo view)      then look at their results in a browser
  npx salvo init my-agent                  a project of your own, ready to run
`;

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { copyExample } from '../app/project-files.ts';
import { createStyle } from '../report/terminal/style.ts';
import type { Commands } from './program/command-options.ts';
import { createProgram } from './program/program.ts';
import type { Terminal } from './terminal/terminal.ts';

const EXAMPLES = { support: 'support-agent', judge: 'judge-agent' } as const;

interface Step {
  words: string;
  /** The example whose folder it works in: the support agent's if not given. */
  example?: keyof typeof EXAMPLES;
  argv: string[];
}

const STEPS: Step[] = [
  {
    words: 'A support agent for a web shop, four scenarios with mocked tools. First: are the files right?',
    argv: ['validate'],
  },
  {
    words:
      'Each scenario twenty times. The agent is scripted, with realistic flaws; costs are its tokens at list price.',
    argv: ['run', '-n', '20', '--seed', '42'],
  },
  {
    words: 'One trial obeyed an instruction hidden in an order. This was the conversation:',
    argv: ['replay', 'latest'],
  },
  {
    words:
      'A rule changed. The traces are stored, so new assertions are tried on them without calling the agent again.',
    argv: ['reeval', 'latest', '--scenario', 'stricter/refund.yaml'],
  },
  {
    words:
      'What no pattern can check, a judge scores against a rubric: five votes, the median of each criterion, and the ' +
      "majority's verdict. The cost of judges is counted separately. (This judge is scripted, too.)",
    argv: ['run', 'judged/tone.yaml', '-n', '10', '--seed', '42'],
  },
  { words: 'Every run is stored and can be compared.', argv: ['report', '--history'] },
  {
    words:
      'Against the truth instead of a rubric: five flaws were planted in a Terraform file. Which of them do the reports of ' +
      'two scanners hold?',
    example: 'judge',
    argv: ['score', '--red', 'manifest.json', '--blue', 'checkov.json', 'trivy.json', '--matcher', 'evidence'],
  },
  {
    words:
      'Flaws need not be planted by hand. Red hides some in secure code, so that the truth is known, Blue (here: the ' +
      'built-in rules) looks for them, and the Judge decides:',
    example: 'judge',
    argv: ['game', '--seed', '6', '--difficulty', 'hard'],
  },
];

/** `salvo demo`: runs real commands on copies of two examples. */
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
    for (const [name, example] of Object.entries(EXAMPLES)) await copyExample(example, join(dir, name));
    for (const [index, { words, argv, example = 'support' }] of STEPS.entries()) {
      if (terminal.stop.aborted) break;
      stdout.write(`${style.dim(`${index + 1}. ${words}`)}\n${style.bold(`$ salvo ${argv.join(' ')}`)}\n\n`);
      let exitCode = 0;
      const program = createProgram({
        commands,
        terminal: { ...terminal, cwd: join(dir, example) },
        version: '',
        exit: (code) => {
          exitCode = code;
        },
      });
      await program.parseAsync(argv, { from: 'user' });
      stdout.write(`${style.dim(`(exit code ${exitCode})`)}\n\n`);
    }
    stdout.write(options.keep === undefined ? NEXT : `The projects are in ${options.keep}.\n`);
    return 0;
  } finally {
    if (options.keep === undefined) await rm(dir, { recursive: true, force: true });
  }
}

const NEXT = `Your turn:
  npx salvo init my-agent && cd my-agent     a project of your own, that runs at once
  npx salvo demo --keep demo                 the same as above, to look around in
`;

import { globSync } from 'node:fs';
import { codeBlocks } from './code-blocks.ts';

/** The commands of one block of a page, and the output that it quotes below them. */
export interface ReadmeStep {
  commands: string[];
  quotation: { text: string; start: number; end: number } | null;
}

/** How a command is run where its own way needs the network, a key or another program. */
export interface ReadmeCommand {
  /** What is run; null if the command is left out. */
  line: string | null;
  /** Exit codes that are right. */
  codes: number[];
  /** What it must print. */
  prints?: RegExp;
}

/** The pages whose commands are run, each from its first line in the folder of the clone. */
export function readmePages(root: string): string[] {
  return ['README.md', ...globSync('packages/*/README.md', { cwd: root }).sort()];
}

/** The blocks marked `sh`, in their order. A block marked `text` quotes the output of the `sh` block before it. */
export function readmeSteps(readme: string): ReadmeStep[] {
  const steps: ReadmeStep[] = [];
  for (const { language, text, start, end } of codeBlocks(readme)) {
    const step = steps.at(-1);
    if (language === 'sh') steps.push({ commands: text.trimEnd().split('\n'), quotation: null });
    if (language === 'text' && step) step.quotation = { text, start, end };
  }
  return steps;
}

interface Exception {
  command: RegExp;
  why: string;
  run: Partial<ReadmeCommand>;
}

const EXCEPTIONS: Exception[] = [
  {
    command: /^npm install && npm run demo$/,
    why: 'the packages are linked; the rest is the build, which tests bring along',
    run: { line: '{ test -d packages/salvo/dist || npm run build; } && npm run demo' },
  },
  {
    command: /^npm pack --workspaces$/,
    why: 'it was built a moment ago',
    run: { line: 'npm pack --workspaces --ignore-scripts' },
  },
  { command: /^npm install && npm test$/, why: 'it is what runs this', run: { line: null } },
  {
    command: /^npm install --save-dev \S+\.tgz$/,
    why: 'npm would ask the network for the dependencies, which are linked',
    run: {
      line: 'mkdir -p node_modules/salvo && tar -xzf ../salvo/salvo-[0-9]*.tgz --strip-components 1 -C node_modules/salvo && ln -s "$PACKAGES" node_modules/salvo/node_modules',
    },
  },
  { command: /^export OPENAI_API_KEY=/, why: 'there is no key', run: { line: null } },
  { command: /--adapter openai/, why: 'there is no key', run: { codes: [4], prints: /OPENAI_API_KEY/ } },
  { command: /--blue checkov$/, why: 'the scanner may not be there', run: { codes: [0, 3], prints: /checkov/i } },
  {
    command: /^npx salvo bench-scanner rules$/,
    why: 'all tasks take long',
    run: { line: 'npx salvo bench-scanner rules --tasks 2' },
  },
  { command: /^source /, why: 'for a shell of its own, and tested there', run: { line: null } },
  { command: /--max-false-success/, why: 'the agent lies', run: { codes: [1] } },
  { command: /^npx salvo (?:run|reeval)\b/, why: 'the agents have flaws', run: { codes: [0, 1, 2] } },
  { command: /^npx salvo (?:calibrate|judge-check)\b/, why: 'the judge of the example is weak', run: { codes: [1] } },
];

export function readmeCommand(command: string): ReadmeCommand {
  const line = command.replace(/\s+#.*/, '').trim();
  const exception = EXCEPTIONS.find((candidate) => candidate.command.test(line));
  return { line, codes: [0], ...exception?.run };
}

/** The exceptions that no command of these pages needs. */
export function unusedExceptions(pages: readonly string[]): string[] {
  const commands = pages
    .flatMap(readmeSteps)
    .flatMap((step) => step.commands.map((line) => line.replace(/\s+#.*/, '').trim()));
  return EXCEPTIONS.filter(({ command }) => !commands.some((line) => command.test(line))).map(({ why }) => why);
}

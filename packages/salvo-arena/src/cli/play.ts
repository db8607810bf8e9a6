import { createInterface } from 'node:readline/promises';
import type { Terminal } from 'salvo/kit/cli';
import { SalvoError } from 'salvo/kit/text';
import { checkTools } from '../blue/scanners/check-tools.ts';
import { DIFFICULTIES, LANGUAGES, STRATEGIES } from '../tasks/game-settings.ts';
import { findTasks } from '../tasks/tasks.ts';
import { gameCommand } from './game.ts';
import type { GameCommandOptions } from './program/command-options.ts';

/** Asks the user a question, and returns the trimmed answer. */
type Ask = (question: string) => Promise<string>;

const MOST_TASKS = 8;

/** `salvo play`: `salvo game` with a question for every option that the command line does not give. */
export async function playCommand(
  options: GameCommandOptions,
  terminal: Terminal,
  play: typeof gameCommand = gameCommand,
): Promise<number> {
  if (!terminal.stderr.isTTY || !process.stdin.isTTY) {
    throw new SalvoError(
      'TERMINAL_MISSING',
      '`salvo play` asks questions, so it needs a terminal. `salvo game` does the same without questions.',
    );
  }
  const answers = await withTerminal((ask) => askForGame(options, { ask, terminal }));
  return play(answers, terminal);
}

/** Asks for missing options. An empty answer takes the default in brackets. */
export async function askForGame(
  options: GameCommandOptions,
  { ask, terminal }: { ask: Ask; terminal: Pick<Terminal, 'stderr' | 'env' | 'cwd'> },
): Promise<GameCommandOptions> {
  const say = (text: string) => terminal.stderr.write(`${text}\n`);
  const chosen = async <T extends string>(what: string, known: readonly T[], byDefault: T): Promise<T> => {
    for (;;) {
      const answer = await ask(`${what} (${known.join(', ')}) [${byDefault}]: `);
      if (answer === '') return byDefault;
      const fits = known.filter((each) => each.startsWith(answer.toLowerCase()));
      const [only] = fits;
      if (only !== undefined && (fits.length === 1 || only === answer.toLowerCase())) return only;
      say(`Please answer one of: ${known.join(', ')}.`);
    }
  };
  const task = options.task ?? (await askForTask(ask, say));
  const language = options.language ?? (await chosen('Language', LANGUAGES, 'terraform'));
  const red = options.red ?? ((await ask('Red: mutation, or llm:MODEL [mutation]: ')) || 'mutation');
  const blue = options.blueCommand === undefined ? (options.blue ?? (await askForBlue(ask, terminal))) : options.blue;
  const difficulty = options.difficulty ?? (await chosen('Difficulty', DIFFICULTIES, 'medium'));
  const strategies = STRATEGIES.filter((strategy) => strategy !== 'targeted');
  const strategy =
    options.strategy ?? (options.category === undefined ? await chosen('Strategy', strategies, 'balanced') : undefined);
  const seed = options.seed ?? (await askForSeed(ask, say));
  const out = options.out ?? ((await ask('Keep the game in a folder? Its name [no]: ')) || undefined);
  return { ...options, task, language, red, blue, difficulty, strategy, seed, out };
}

async function askForTask(ask: Ask, say: (text: string) => void): Promise<string | undefined> {
  const words = await ask('What is the infrastructure for? A few words, or nothing for any task: ');
  if (words === '') return undefined;
  const tasks = findTasks(words).slice(0, MOST_TASKS);
  if (tasks.length === 0) return words;
  for (const [index, { title, domain }] of tasks.entries()) say(`  ${index + 1}  ${title} (${domain})`);
  for (;;) {
    const answer = await ask(`Which of these? A number, or 0 for your own words [1]: `);
    if (answer === '0') return words;
    const task = tasks[answer === '' ? 0 : Number(answer) - 1];
    if (task) return task.id;
    say(`Please answer a number from 0 to ${tasks.length}.`);
  }
}

async function askForBlue(ask: Ask, { env, cwd }: Pick<Terminal, 'env' | 'cwd'>): Promise<string> {
  const scanners = (await checkTools({ env, root: cwd })).filter(({ available }) => available).map(({ name }) => name);
  const known = ['rules', ...scanners, 'llm:MODEL'];
  return (await ask(`Blue: ${known.join(', ')} [rules]: `)) || 'rules';
}

async function askForSeed(ask: Ask, say: (text: string) => void): Promise<number | undefined> {
  for (;;) {
    const answer = await ask('Seed, to repeat a game [any]: ');
    if (answer === '') return undefined;
    if (/^-?\d{1,15}$/.test(answer)) return Number(answer);
    say('Please answer a whole number, or nothing.');
  }
}

/** Questions go to stderr, so that stdout has only the scoreboard. Ctrl-C and Ctrl-D exit without a game. */
async function withTerminal<T>(use: (ask: Ask) => Promise<T>): Promise<T> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const left = Promise.withResolvers<never>();
  // No question may be open when the input is closed.
  left.promise.catch(() => {});
  lines.on('SIGINT', () => lines.close());
  lines.on('close', () => left.reject(new SalvoError('PLAY_STOPPED', '\nNo game was played.')));
  try {
    return await use(async (question) => (await Promise.race([lines.question(question), left.promise])).trim());
  } finally {
    lines.close();
  }
}

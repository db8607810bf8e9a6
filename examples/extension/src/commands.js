import { greeting } from './greeting.js';

/** @type {import('salvo/kit/cli').CommandsDoor} */
export const commandsDoor = {
  help: {
    hello: {
      group: 'salvo-hello:',
      examples: [['salvo hello Ada', 'greet somebody']],
      exitCodes: { 0: 'greeted' },
    },
  },
  schemas: ['hello'],
  add(program, { terminal, exit }) {
    program
      .command('hello')
      .description('greet somebody')
      .argument('[name]', 'who is greeted', 'world')
      .option('--json', 'print one JSON document', false)
      .action((name, { json }) => {
        const text = `${greeting.word}, ${name}!`;
        terminal.stdout.write(
          json ? `${JSON.stringify({ version: 1, kind: 'hello', greeting: text })}\n` : `${text}\n`,
        );
        exit(0);
      });

    // An option of a command that is not its own: what it means is up to this package.
    const run = program.commands.find((command) => command.name() === 'run');
    run?.optionsGroup('salvo-hello:').option('--greeting <word>', 'what the adapter hello says');
    run?.hook('preAction', (_, command) => {
      greeting.word = command.getOptionValue('greeting') ?? greeting.word;
    });
  },
};

import { type Command, InvalidArgumentError, Option } from 'commander';
import { LABEL } from '../../scenario/schema/shared-fields.ts';
import { OUTAGE_SECONDS, PATIENCE_SECONDS } from '../../store/start-patience.ts';
import { decimalNumber, listed, wholeNumber } from './option-values.ts';

/** What a run or an experiment asks of workers. */
export function withWorkerOptions(command: Command): Command {
  return command
    .option('--local-workers <n>', 'start so many workers here, for this alone', wholeNumber(1, 1000))
    .option('--labels <names>', 'what a worker must have, such as gpu,eu', labels)
    .addOption(waitOption())
    .addOption(
      new Option('--detach', 'leave it to the workers at once; salvo attach follows it')
        .default(false)
        .conflicts(['localWorkers', 'watch', 'junit', 'markdown', 'csv', 'jsonl', 'latex', 'estimate', 'show']),
    );
}

export function waitOption(): Option {
  return new Option(
    '--wait <seconds>',
    `how long to wait for a database that cannot be reached (default: ${PATIENCE_SECONDS} at the start, ${OUTAGE_SECONDS} later)`,
  ).argParser(decimalNumber(0, 86_400));
}

/** `gpu,eu` */
export function labels(text: string, before: string[] | undefined): string[] {
  const names = listed(text, before);
  if (names.every((name) => LABEL.test(name))) return names;
  throw new InvalidArgumentError(
    'A label has 1 to 63 letters, digits, ., _ or -, and begins with a letter or a digit.',
  );
}

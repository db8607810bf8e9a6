import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Shard } from '../../run/record/run-record.ts';
import { readShard } from '../../run/record/shard.ts';
import { howToWriteShare, readShare } from '../../text/share.ts';

export const FULL = 'report pass^k, pass@k, intervals over scenarios, flaky cases and advice, too';
/** The description of `--quiet`, which all commands that take long have. */
export const QUIET = 'show no progress: only warnings, errors and the result';

/** The description of `--no-code`, on which `createProgram` acts. */
export const NO_CODE = 'refuse programs, modules, plugins and hooks: for files that you do not trust';

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new InvalidArgumentError(`Give a whole number${range(min, max)}.`);
    return value;
  };
}

export function decimalNumber(min: number, max = Number.POSITIVE_INFINITY): (text: string) => number {
  return (text) => {
    const value = /^(?:\d+|\d*\.\d+)$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new InvalidArgumentError(`Give a number${range(min, max)}.`);
    return value;
  };
}

/** A share, as 0.9 or as 90%. */
export function share(text: string): number {
  const value = readShare(/^(?:\d+|\d*\.\d+)$/.test(text) ? Number(text) : text);
  if (value === null) throw new InvalidArgumentError(`Not a share from 0 to 1: ${howToWriteShare(text)}.`);
  return value;
}

/** Shares with commas between them. */
export function shares(text: string): number[] {
  return text.split(',').map((part) => share(part.trim()));
}

const MS_OF = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `90d` in milliseconds. */
export function duration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (unit === 'm' || unit === 'h' || unit === 'd' || unit === 'w') return Number(count) * MS_OF[unit];
  throw new InvalidArgumentError('Give a number and m, h, d or w, such as 90d.');
}

/** Reports and comparisons are those of all parts, which `merge` makes. */
export function shardOption(): Option {
  return new Option('--shard <i/n>', 'run this part of the trials, such as 2/4; auto: as the CI system says')
    .argParser((text): Shard | 'auto' => {
      const shard = text === 'auto' ? text : readShard(text);
      if (shard === null) throw new InvalidArgumentError('Give a part such as 2/4, or auto.');
      return shard;
    })
    .conflicts([
      ...['estimate', 'earlyStop', 'against', 'maxDrop', 'undecided', 'json', 'junit', 'markdown', 'csv'],
      ...['localWorkers', 'labels', 'detach', 'gate', 'until', 'maxTrials', 'evidence'],
    ]);
}

/** For scenarios that `--against` neither shows to be worse nor to be no worse. */
export function undecidedOption(): Option {
  return new Option(
    '--undecided <rule>',
    'with --against: judge what no test decides by what was observed (default), or fail with exit code 3',
  ).choices(['observed', 'fail'] as const);
}

/** Which *worse* fails a run with `--against`. */
export function gateOption(): Option {
  return new Option(
    '--gate <which>',
    'with --against: fail if all scenarios together are worse (overall), one of them (each), or either (default)',
  ).choices(['overall', 'each', 'either'] as const);
}

/** `3`, or `3-4`. */
export function turnRange(text: string): { first: number; last: number } {
  const [, from = '', to = from] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  const range = { first: Number(from), last: Number(to) };
  if (range.first >= 1 && range.last >= range.first) return range;
  throw new InvalidArgumentError('Give a turn or a range of turns, such as 3 or 1-4.');
}

export function repeated(text: string, before: string[]): string[] {
  return [...before, text];
}

/** `a,b`, and the option may be given several times. */
export function listed(text: string, before: string[] | undefined): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('Give names with commas between them, such as a,b.');
  return [...(before ?? []), ...names];
}

function range(min: number, max: number): string {
  if (min === Number.MIN_SAFE_INTEGER) return '';
  return max >= Number.MAX_SAFE_INTEGER ? ` of at least ${min}` : ` from ${min} to ${max}`;
}

/** The forms in which a run is reported. */
export function withReportOptions(command: Command): Command {
  return command
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .option('--full', FULL, false)
    .option('--junit <file>', 'write a JUnit report; - is standard output')
    .option('--markdown <file>', 'write a Markdown summary; - is standard output')
    .option('--csv <file>', 'write one line per trial; - is standard output');
}

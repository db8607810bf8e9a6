import { dataFile } from 'salvo/kit/text';
import { z } from 'zod';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import { LANGUAGES, SCANNER_NAMES } from '../../tasks/game-settings.ts';

const languageSchema = z.enum(LANGUAGES);

/** A scanner of another vendor, and how it is called. */
const scannerSchema = z.strictObject({
  /** As in `--blue checkov`; the name of the program on the PATH, and of the format of its report. */
  name: z.enum(SCANNER_NAMES),
  /** The languages that it reads. */
  languages: z.array(languageSchema).default([...LANGUAGES]),
  /** What it calls a language, where that is another name. */
  language_names: z.partialRecord(languageSchema, z.string()).default({}),
  /** How to install it. */
  install: z.string(),
  version_args: z.array(z.string()).default(['--version']),
  /** Where its rules come from; null when it has its own. */
  rules: z
    .strictObject({
      variable: z.string(),
      by_default: z.partialRecord(languageSchema, z.string()).default({}),
      required: z.boolean(),
    })
    .nullable()
    .default(null),
  /** What it downloads when it is first used, although its rules are its own; null for nothing. */
  downloads: z.string().nullable().default(null),
  /** Variables of the environment that it may see in addition to the basics: its own settings. */
  grants: z.array(z.string()).default([]),
  /** The report in its folder for output; null when it goes to stdout. */
  report_file: z.string().nullable().default(null),
  /** With `{dir}` and so on, see `ScanPlace`. What has `{rules}` is left out when the scanner has its own. */
  args: z.array(z.string()),
});

export type Scanner = z.infer<typeof scannerSchema>;

/** In the order of `SCANNER_NAMES`. All write JSON, and telemetry is turned off where there is a switch. */
export const SCANNERS: readonly Scanner[] = z
  .array(scannerSchema)
  .parse(JSON.parse(dataFile(import.meta.url, './scanners.json')));

/** The variable with the path of the program, if it is not on the PATH: `CFN_GUARD_PATH`. */
export function pathVariable({ name }: Scanner): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_PATH`;
}

/** Where a scanner works. */
interface ScanPlace {
  /** The folder with the code. */
  dir: string;
  /** An empty folder for its output. */
  out: string;
  language: CodeLanguage;
  /** A path, or the name of a set of rules; null for its own. */
  rules: string | null;
}

export function scannerArgs({ args, language_names }: Scanner, { dir, out, language, rules }: ScanPlace): string[] {
  const values: Record<string, string | null> = { dir, out, rules, language: language_names[language] ?? language };
  return args.flatMap((arg) => {
    const words = arg.split(' ').map((word) => (/^\{\w+\}$/.test(word) ? (values[word.slice(1, -1)] ?? null) : word));
    return words.every((word) => word !== null) ? words : [];
  });
}

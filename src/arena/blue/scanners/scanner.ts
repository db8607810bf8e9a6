import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import type { FindingsFormat } from '../../../match/importers/findings-format.ts';

/** A scanner that somebody else makes, and how it is called. */
export interface Scanner {
  /** As in `--blue checkov`, and as the program is called on the PATH. */
  name: string;
  /** The variable that says where the program is, when it is not on the PATH. */
  pathVariable: string;
  format: FindingsFormat;
  /** What it can read. */
  languages: readonly CodeLanguage[];
  /** How to get it. */
  install: string;
  versionArgs: readonly string[];
  /** Where its rules come from, when it does not bring them along. */
  rules: { variable: string; byDefault: Partial<Record<CodeLanguage, string>>; required: boolean } | null;
  /** What it may see of the environment beside the basics: its own settings. */
  grants: readonly string[];
  /** Below `ScanPlace.out`, when it does not write its report to stdout. */
  reportFile: string | null;
  args(place: ScanPlace): string[];
}

/** Where a scanner works. */
interface ScanPlace {
  /** The folder with the code. */
  dir: string;
  /** An empty folder, for what it writes. */
  out: string;
  language: CodeLanguage;
  /** A path, or the name of a set of rules; null for those that it brings along. */
  rules: string | null;
}

import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { FindingsFormat } from '../../match/importers/findings-format.ts';
import type { SCANNER_NAMES } from '../../tasks/game-settings.ts';

/** A scanner of another vendor, and how it is called. */
export interface Scanner {
  /** As in `--blue checkov`, and the name of the program on the PATH. */
  name: (typeof SCANNER_NAMES)[number];
  /** The variable with the path of the program, if it is not on the PATH. */
  pathVariable: string;
  format: FindingsFormat;
  /** The languages that it reads. */
  languages: readonly CodeLanguage[];
  /** How to install it. */
  install: string;
  versionArgs: readonly string[];
  /** Where its rules come from; null when it has its own. */
  rules: { variable: string; byDefault: Partial<Record<CodeLanguage, string>>; required: boolean } | null;
  /** What it downloads when it is first used, although its rules are its own; null for nothing. */
  downloads: string | null;
  /** Variables of the environment that it may see in addition to the basics: its own settings. */
  grants: readonly string[];
  /** The report below `ScanPlace.out`; null when it goes to stdout. */
  reportFile: string | null;
  args(place: ScanPlace): string[];
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

const BOTH: readonly CodeLanguage[] = ['terraform', 'cloudformation'];

/** In the order of `SCANNER_NAMES`. All write JSON, and telemetry is turned off where there is a switch. */
export const SCANNERS: readonly Scanner[] = [
  {
    name: 'checkov',
    pathVariable: 'CHECKOV_PATH',
    format: 'checkov',
    languages: BOTH,
    install: 'pip install checkov',
    versionArgs: ['--version'],
    rules: null,
    downloads: null,
    grants: ['CKV_IGNORED_DIRECTORIES', 'CHECKOV_RENDER_MAX_LEN'],
    reportFile: null,
    args: ({ dir }) => ['--directory', dir, '--output', 'json', '--quiet', '--skip-download'],
  },
  {
    name: 'trivy',
    pathVariable: 'TRIVY_PATH',
    format: 'trivy',
    languages: BOTH,
    install: 'brew install trivy, or see https://trivy.dev',
    versionArgs: ['--version'],
    rules: null,
    downloads: 'its checks, and uses those inside it when it cannot',
    grants: [
      'TRIVY_CACHE_DIR',
      'TRIVY_CHECKS_BUNDLE_REPOSITORY',
      'TRIVY_SKIP_CHECK_UPDATE',
      'TRIVY_SKIP_POLICY_UPDATE',
      'TRIVY_OFFLINE_SCAN',
    ],
    reportFile: null,
    args: ({ dir }) => ['config', '--format', 'json', '--quiet', dir],
  },
  {
    name: 'kics',
    pathVariable: 'KICS_PATH',
    format: 'kics',
    languages: BOTH,
    install: 'see https://docs.kics.io, and set KICS_QUERIES_PATH to its assets/queries',
    versionArgs: ['version'],
    rules: { variable: 'KICS_QUERIES_PATH', byDefault: {}, required: false },
    downloads: null,
    grants: ['KICS_LIBRARIES_PATH'],
    reportFile: 'results.json',
    args: ({ dir, out, rules }) => [
      'scan',
      '--path',
      dir,
      '--output-path',
      out,
      '--report-formats',
      'json',
      '--no-progress',
      '--ignore-on-exit',
      'results',
      ...(rules === null ? [] : ['--queries-path', rules]),
    ],
  },
  {
    name: 'tfsec',
    pathVariable: 'TFSEC_PATH',
    format: 'tfsec',
    languages: ['terraform'],
    install: 'brew install tfsec',
    versionArgs: ['--version'],
    rules: null,
    downloads: null,
    grants: [],
    reportFile: null,
    args: ({ dir }) => [dir, '--format', 'json', '--no-colour', '--soft-fail'],
  },
  {
    name: 'semgrep',
    pathVariable: 'SEMGREP_PATH',
    format: 'semgrep',
    languages: BOTH,
    install: 'pip install semgrep',
    versionArgs: ['--version'],
    rules: { variable: 'SEMGREP_RULES', byDefault: { terraform: 'p/terraform' }, required: true },
    downloads: null,
    grants: ['SEMGREP_URL', 'SEMGREP_APP_TOKEN', 'SEMGREP_SETTINGS_FILE'],
    reportFile: null,
    args: ({ dir, rules }) => [
      'scan',
      '--json',
      '--quiet',
      '--metrics=off',
      '--disable-version-check',
      '--no-git-ignore',
      ...(rules === null ? [] : ['--config', rules]),
      dir,
    ],
  },
  {
    name: 'terrascan',
    pathVariable: 'TERRASCAN_PATH',
    format: 'terrascan',
    languages: BOTH,
    install: 'brew install terrascan',
    versionArgs: ['version'],
    rules: null,
    downloads: 'its policies, once',
    grants: ['TERRASCAN_CONFIG'],
    reportFile: null,
    args: ({ dir, language }) => [
      'scan',
      '--iac-dir',
      dir,
      '--iac-type',
      language === 'terraform' ? 'terraform' : 'cft',
      '--output',
      'json',
    ],
  },
  {
    name: 'cfn-guard',
    pathVariable: 'CFN_GUARD_PATH',
    format: 'cfn-guard',
    languages: ['cloudformation'],
    install: 'brew install cloudformation-guard, or npm install @cdklabs/cdk-validator-cfnguard, which includes rules',
    versionArgs: ['--version'],
    rules: { variable: 'CFN_GUARD_RULES', byDefault: {}, required: true },
    downloads: null,
    grants: [],
    reportFile: null,
    args: ({ dir, rules }) => [
      'validate',
      '--data',
      dir,
      ...(rules === null ? [] : ['--rules', rules]),
      '--output-format',
      'json',
      '--structured',
      '--show-summary',
      'none',
    ],
  },
];

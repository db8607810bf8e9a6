import type { AdapterNames } from '../../adapters/adapter-name.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Problem, Report } from '../diagnostics/problem.ts';
import type { Assertion } from '../schema/assertion-schema.ts';
import type { Scenario } from '../schema/scenario-schema.ts';
import type { AssertionSurroundings } from './check-assertion-fields.ts';
import type { FileAt } from './written-path.ts';

export interface ScenarioChecks {
  file: string;
  /** Default: everything is written in `file`. */
  fileAt?: FileAt | undefined;
  projectRoot: string;
  /** Nothing outside this folder is read. */
  readRoot: string;
  /** For scenarios without their own. */
  defaults: Record<string, unknown>;
  defaultAdapter: string;
  adapterNames: AdapterNames;
  /** Whether the scenario is code, so that assertions may be functions. */
  isCode?: boolean | undefined;
  /** Assertions of all scenarios, and the file that they are written in. */
  shared?: { assertions: readonly unknown[]; file: string } | undefined;
  /** Assertions besides those of the value: shared ones, and those of rows without equal ones. */
  others?: readonly Assertion[] | undefined;
  /** Looks at files of messages and mocks, and at the folder of the workspace. Missing if there are none. */
  files?: FileChecks | undefined;
  /** Looks at MCP servers and cassettes of tools. Missing if there are none. */
  servers?: Pick<typeof import('./check-mcp.ts'), 'checkServers' | 'withRebasedServers'> | undefined;
  /** Looks at lengths, similarities, transforms and code of assertions. Missing if there are none. */
  texts?: AssertionSurroundings['texts'];
  /** Looks at the faults of tools. Missing if there are none. */
  faults?: typeof import('../faults/check-faults.ts')['checkToolFaults'] | undefined;
  /** Reads columns `__expected` of a CSV file. Missing if the rows are not of one. */
  expected?: typeof import('../expected/expected-columns.ts')['withExpectedColumns'] | undefined;
}

/** Looks at the files and folders that a scenario names, each once. */
export interface FileChecks {
  /** `scenario` is one without templates: that of a row, if it has data. */
  check(report: Report, scenario: Record<string, unknown>): void;
  /** What was found so far, by the path as it is written; empty if there was nothing at all. */
  found(): Pick<Scenario, 'attached' | 'folders'>;
}

export interface CheckedScenario {
  /** Null when a field is wrong; wrong assertions are left out. The name may be missing. */
  data: (Omit<Scenario, 'name'> & { name?: string | undefined }) | null;
  problems: Problem[];
  /** Problems of the rubric files that the scenario names. */
  diagnostics: Diagnostic[];
}

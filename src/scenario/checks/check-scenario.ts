import { dirname } from 'node:path';
import { type AdapterNames, adapterTypeOf } from '../../adapters/adapter-name.ts';
import { isRecord } from '../../text/is-record.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { withoutFollowUps } from '../diagnostics/follow-up-problems.ts';
import type { Problem, Report } from '../diagnostics/problem.ts';
import { checkSchema } from '../diagnostics/schema-problems.ts';
import { type InspectedRubric, inspectRubric } from '../load-rubric.ts';
import type { Assertion } from '../schema/assertion-schema.ts';
import { scenarioFieldsSchema } from '../schema/scenario-schema.ts';
import { checkAdapterName } from './adapter-names.ts';
import { checkAssertions } from './check-assertions.ts';
import { checkConversation } from './check-conversation.ts';
import { checkExtras } from './check-extras.ts';
import { checkFileExists } from './check-file-exists.ts';
import { checkTools } from './check-tools.ts';

export interface ScenarioChecks {
  file: string;
  /** Paths of adapters are relative to this folder. */
  projectRoot: string;
  defaultAdapter: string;
  adapterNames: AdapterNames;
}

export interface CheckedScenario {
  fields: ReturnType<typeof scenarioFieldsSchema.parse> | null;
  assertions: Assertion[];
  problems: Problem[];
  /** Of the rubric files it names. */
  rubricDiagnostics: Diagnostic[];
}

/** Everything that can be wrong with a scenario, all at once. The value is whatever the file holds. */
export function checkScenario(value: unknown, checks: ScenarioChecks): CheckedScenario {
  const { data, problems: schemaProblems } = checkSchema(scenarioFieldsSchema, value);
  const problems: Problem[] = [...schemaProblems];
  const report: Report = (problem) => problems.push(problem);
  if (!isRecord(value)) return { fields: null, assertions: [], problems, rubricDiagnostics: [] };

  checkConversation(report, value);
  checkTools(report, value.tools);
  checkExtras(report, value.extras);
  const adapter = typeof value.adapter === 'string' ? value.adapter : checks.defaultAdapter;
  checkAdapter(report, { value, adapter, checks });
  const type = adapterTypeOf(adapter, checks.adapterNames);
  const rubrics = rubricFiles(checks.projectRoot);
  const assertions = checkAssertions(report, value.assertions, {
    tools: value.tools,
    mayHaveOwnTools: type === undefined || ['exec', 'http', 'module', 'registered'].includes(type),
    folder: dirname(checks.file),
    projectRoot: checks.projectRoot,
    adapterNames: checks.adapterNames,
    rubricOf: rubrics.inspect,
  });
  if (value.assertions === undefined || (Array.isArray(value.assertions) && value.assertions.length === 0)) {
    report({
      severity: 'warning',
      code: 'no-assertions',
      message: 'the scenario has no assertions: nothing is checked, and its trials have no score',
      path: value.assertions === undefined ? [] : ['assertions'],
      at: 'key',
    });
  }
  return { fields: data, assertions, problems: withoutFollowUps(problems), rubricDiagnostics: rubrics.diagnostics() };
}

/** A rubric that several assertions name is read once, and its problems are told once. */
function rubricFiles(projectRoot: string) {
  const known = new Map<string, InspectedRubric>();
  return {
    inspect(file: string): InspectedRubric {
      const rubric = known.get(file) ?? inspectRubric({ file, projectRoot });
      known.set(file, rubric);
      return rubric;
    },
    diagnostics: () => [...known.values()].flatMap(({ diagnostics }) => diagnostics),
  };
}

interface ScenarioAdapter {
  value: Record<string, unknown>;
  adapter: string;
  checks: ScenarioChecks;
}

function checkAdapter(report: Report, { value, adapter, checks }: ScenarioAdapter): void {
  const names = checks.adapterNames;
  if (typeof value.adapter === 'string' && value.adapter !== '') {
    checkAdapterName(report, { name: adapter, names, path: ['adapter'] });
  }
  const type = adapterTypeOf(adapter, names);
  const isNamed = names.named.has(adapter);
  if (type === 'module' && !isNamed && value.adapter !== undefined) {
    checkFileExists(report, { file: adapter, folder: checks.projectRoot, path: ['adapter'] });
  }
  if (type === 'scripted' && !isNamed && value.script === undefined) {
    report({
      code: 'missing-script',
      message: 'the adapter "scripted" says what "script" tells it to, and there is none',
      hint: 'add script: [{content: "..."}]',
      path: value.adapter === undefined ? [] : ['adapter'],
    });
  }
  if (value.script !== undefined && type !== undefined && type !== 'scripted' && type !== 'registered') {
    report({
      severity: 'warning',
      code: 'unused-value',
      message: `"script" is for the scripted adapter, and this scenario uses "${adapter}"`,
      path: ['script'],
      at: 'key',
    });
  }
}

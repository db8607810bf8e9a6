import { adapterOptionsOf, readModelName } from '../../adapters/adapter-name.ts';
import { registeredAdapters } from '../../adapters/registered-adapters.ts';
import { scenarioJudges } from '../../judge/scenario-judges.ts';
import { type ModelEnd, modelEnd, modelEndWords } from '../../models/known/model-ends.ts';
import type { Diagnostic } from '../../scenario/diagnostics/diagnostic.ts';
import type { Path } from '../../scenario/diagnostics/located-value.ts';
import { diagnosticAt } from '../../scenario/diagnostics/problem.ts';
import { fieldPlace } from '../../scenario/field-place.ts';
import { type Project, readRoot } from '../../scenario/schema/project-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { modelsOfUser, withUserModel } from '../../trial/user/resolve-user.ts';

/** A model that is called, and where a scenario or salvo.yaml names it. */
interface NamedModel {
  adapter: string;
  model: string | undefined;
  /** In the scenario; null if salvo.yaml or nobody names it. */
  path: Path | null;
  /** In salvo.yaml. */
  projectPath: Path;
  /** In the scenario, what asks for the model. */
  asks: Path;
}

/** The models that a project uses unless a scenario says otherwise, as far as their end is known. */
export function endingModels({ config }: Project): ModelEnd[] {
  const { default_adapter, default_model, judge, user, matrix = [] } = config;
  const named = [
    { adapter: default_adapter, model: default_model },
    { adapter: judge.adapter, model: judge.model },
    ...(user ? [user] : []),
    ...matrix.map((entry) => {
      const { adapter = default_adapter, model = default_model } =
        typeof entry === 'string' ? readModelName(entry) : entry;
      return { adapter, model };
    }),
  ];
  const ends = named.flatMap(({ adapter, model }) => endOf(adapter, model, config) ?? []);
  return [...new Map(ends.map((end) => [end.model, end])).values()];
}

/** A warning for each model of a scenario that its provider shuts down, where it is named. */
export function endingModelWarnings(
  { scenario, file, project }: { scenario: Scenario; file: string; project: Project },
  today = new Date().toISOString().slice(0, 10),
): Diagnostic[] {
  return modelsOf(scenario, project).flatMap(({ adapter, model, path, projectPath, asks }) => {
    const end = endOf(adapter, model, project.config);
    if (!end) return [];
    const root = readRoot(project);
    const inProject = path === null && project.file !== null ? fieldPlace(project.file, projectPath, { root }) : null;
    // Without a model of its own there, the default is meant.
    const isNamed = inProject !== null && inProject.end > inProject.start;
    const span = isNamed ? inProject : fieldPlace(file, path ?? asks, { root });
    return [diagnosticAt(span, { severity: 'warning', code: 'model-ends', message: modelEndWords(end, today) })];
  });
}

function endOf(adapter: string, model: string | undefined, config: Project['config']): ModelEnd | null {
  if (model === undefined || registeredAdapters.has(adapter)) return null;
  return modelEnd(model, adapterOptionsOf(adapter, config));
}

function modelsOf(scenario: Scenario, { config }: Project): NamedModel[] {
  const { adapter = config.default_adapter, model } = scenario;
  const judges = scenarioJudges(scenario, config.judge).flatMap(({ assertion, index, judges: asked, isCascade }) =>
    asked.map((judge, member): NamedModel => {
      const asks = ['assertions', index];
      const list = assertion.cascade ? 'cascade' : assertion.judges ? 'judges' : null;
      const inPanel = list && [...asks, list, member, 'model'];
      const path = inPanel ?? (assertion.judge_model === undefined ? null : [...asks, 'judge_model']);
      return {
        adapter: judge.adapter,
        model: judge.model,
        path,
        projectPath: isCascade ? ['judge', 'cascade', member, 'model'] : ['judge', 'model'],
        asks,
      };
    }),
  );
  const agent = {
    ...{ adapter, model: model ?? config.default_model, path: model === undefined ? null : ['model'] },
    ...{ projectPath: ['default_model'], asks: [] },
  };
  const path = scenario.user?.model === undefined ? null : ['user', 'model'];
  const played = modelsOfUser(withUserModel(scenario, config)).map((user) => ({
    ...user,
    ...{ path, projectPath: ['user', 'model'], asks: ['user'] },
  }));
  return [agent, ...judges, ...played];
}

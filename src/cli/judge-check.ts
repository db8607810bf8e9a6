import { resolve } from 'node:path';
import { CANARY_RUBRIC, loadCanaries } from '../judge/canaries/canaries.ts';
import { runCanaries } from '../judge/canaries/run-canaries.ts';
import { chosenJudge, readyJudges } from '../judge/chosen-judge.ts';
import { resolveJudgeConfig } from '../judge/judge-config.ts';
import { openJudging } from '../models/model-services.ts';
import { renderCanaries } from '../report/judge/canary-report.ts';
import { loadProject } from '../scenario/load-project.ts';
import { loadRubric } from '../scenario/load-rubric.ts';
import type { JudgeCheckCommandOptions } from './program/commands.ts';
import { createJudgeProgress } from './terminal/judge-progress.ts';
import { printResult } from './terminal/print-result.ts';
import type { Terminal } from './terminal/terminal.ts';

/** `salvo judge-check` */
export async function judgeCheckCommand(options: JudgeCheckCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env } = terminal;
  const project = await loadProject(cwd);
  const criteria =
    options.rubric === undefined
      ? CANARY_RUBRIC
      : await loadRubric({ file: resolve(cwd, options.rubric), projectRoot: project.root });
  const assertion = chosenJudge(criteria, options);
  const { models, voteCache } = await openJudging({ project, env, cache: options.judgeCache });
  await using _ = { [Symbol.asyncDispose]: () => models.close() };
  const config = resolveJudgeConfig(assertion, project.config.judge);
  const judges = readyJudges({ assertion, project, env });
  const progress = createJudgeProgress({ total: loadCanaries().length, terminal });
  const report = await runCanaries({
    judges,
    criteria,
    k: config.k,
    threshold: config.threshold,
    temperature: config.temperature,
    maxTokens: config.max_tokens,
    models,
    cache: voteCache,
    concurrency: project.config.concurrency,
    stop: terminal.stop,
    abort: terminal.abort,
    onEvent: progress.onEvent,
  }).finally(progress.finish);
  printResult({ json: options.json, document: report, text: (look) => renderCanaries(report, look) }, terminal);
  return report.exit_code;
}

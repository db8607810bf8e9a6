import { type BlueTeam, toolMetadata } from '../packages/salvo-arena/src/blue/blue-team.ts';
import type { Check } from '../packages/salvo-arena/src/blue/rules/check.ts';
import { allRules } from '../packages/salvo-arena/src/blue/rules/rules.ts';
import { runRules } from '../packages/salvo-arena/src/blue/rules/run-rules.ts';
import { playGame } from '../packages/salvo-arena/src/game/play-game.ts';
import { createScope } from '../packages/salvo-arena/src/iac/evaluate/scope.ts';
import { readPath } from '../packages/salvo-arena/src/iac/read/attribute-path.ts';
import { codeReader } from '../packages/salvo-arena/src/iac/read/code-reader.ts';
import { type CodeProject, parseCode } from '../packages/salvo-arena/src/iac/syntax/parse-code.ts';
import type { Finding } from '../packages/salvo-arena/src/match/claims/finding.ts';
import { JudgeAgent } from '../packages/salvo-arena/src/match/judge-agent.ts';
import { weaknessById } from '../packages/salvo-arena/src/match/weaknesses/weaknesses.ts';
import { createMutationRed } from '../packages/salvo-arena/src/red/mutation/create-mutation-red.ts';
import { allTasks } from '../packages/salvo-arena/src/tasks/tasks.ts';

const LANGUAGES = ['terraform', 'cloudformation'] as const;
const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;
const GAMES = 8;
const FIRST_SEED = 900;

/**
 * The embedded rules, which are silent about a value that they cannot evaluate, against the same rules that report it:
 * precision by the twin, and with the unresolved findings left out.
 */
export async function benchUnresolved(): Promise<string[]> {
  const lines: string[] = [];
  for (const language of LANGUAGES) {
    for (const difficulty of DIFFICULTIES) {
      const [silent, closed] = [await played(rulesBlue(false)), await played(rulesBlue(true))];
      lines.push(`${language} ${difficulty}: silent ${text(silent)}; fails closed ${text(closed)}`);

      async function played(blue: BlueTeam) {
        const sums = { found: 0, alarms: 0, unresolved: 0 };
        for (let game = 0; game < GAMES; game += 1) {
          const { scores, error } = await scoresOf(blue, language, difficulty, game);
          if (!scores) throw new Error(error ?? 'the game failed');
          sums.found += scores.true_positives;
          sums.alarms += scores.false_alarms_by_twin ?? 0;
          sums.unresolved += scores.unresolved ?? 0;
        }
        return sums;
      }
    }
  }
  return lines;
}

async function scoresOf(
  blue: BlueTeam,
  language: (typeof LANGUAGES)[number],
  difficulty: (typeof DIFFICULTIES)[number],
  game: number,
) {
  const tasks = allTasks();
  const { game: document } = await playGame({
    ...{ red: createMutationRed(), blue, judge: new JudgeAgent({ matcher: 'evidence' }) },
    gate: () => Promise.reject(new Error('Red proves its own flaws')),
    task: tasks[(game * 13) % tasks.length]?.id ?? '',
    ...{ difficulty, language, strategy: 'balanced', seed: FIRST_SEED + game },
  });
  return document;
}

function text({ found, alarms, unresolved }: { found: number; alarms: number; unresolved: number }): string {
  const percent = (wrong: number) => `${Math.round((100 * found) / Math.max(1, found + wrong))}%`;
  return `${percent(alarms)} by the twin (${found} found, ${alarms} false alarms), ${percent(alarms - unresolved)} without ${unresolved} unresolved`;
}

function rulesBlue(failsClosed: boolean): BlueTeam {
  const name = failsClosed ? 'fails closed' : 'silent';
  return {
    name,
    async analyze({ files }) {
      const project = await parseCode(files);
      const findings = [...runRules(project), ...(failsClosed ? unknownValues(project) : [])];
      return { findings, metadata: toolMetadata(name) };
    },
  };
}

/** A finding for each rule that reads a value which it cannot know, under the id that Checkov has for the weakness. */
function unknownValues(project: CodeProject): Finding[] {
  const scope = createScope(project, { reach: 'plain' });
  const reader = codeReader(scope);
  return allRules().flatMap((rule) => {
    const [rule_id] = weaknessById(rule.weakness)?.rules.checkov ?? [];
    if (rule_id === undefined) return [];
    return LANGUAGES.flatMap((language) => rule[language]).flatMap((look) =>
      scope.instances().flatMap((view): Finding[] => {
        if (view.kind !== 'resource' || !look.types.includes(view.type)) return [];
        const node = reader.instance(view);
        const isUnknown = pathsOf(look.check).some((path) =>
          readPath(node, path).some(
            ({ state, node: at }) => state === 'unknown' && CHOSEN.test(JSON.stringify(at.json)),
          ),
        );
        const { blockAddress: resource, file, line, end_line } = view;
        return isUnknown ? [{ rule_id, resource, title: rule.title, source: 'checkov', file, line, end_line }] : [];
      }),
    );
  });
}

/** Code that chooses a value. A reference to another resource is not known either, and no scanner reports it. */
const CHOSEN = /\?|FindInMap|\bfor\b|Fn::If|!If|\bone\(|module\./;

function pathsOf(check: Check): string[] {
  if ('any' in check) return check.any.flatMap(pathsOf);
  if ('all' in check) return check.all.flatMap(pathsOf);
  return 'at' in check && check.at !== undefined && !('present' in check) ? [check.at] : [];
}

import { runRules } from '../packages/salvo-arena/src/blue/rules/run-rules.ts';
import { checkManifest } from '../packages/salvo-arena/src/gate/check-manifest.ts';
import { createScope } from '../packages/salvo-arena/src/iac/evaluate/scope.ts';
import { RELATIONS, relationalFlaws } from '../packages/salvo-arena/src/iac/relations/relations.ts';
import { type CodeProject, parseCode } from '../packages/salvo-arena/src/iac/syntax/parse-code.ts';
import type { Finding } from '../packages/salvo-arena/src/match/claims/finding.ts';
import { JudgeAgent } from '../packages/salvo-arena/src/match/judge-agent.ts';
import { weaknessById } from '../packages/salvo-arena/src/match/weaknesses/weaknesses.ts';
import { createMutationRed } from '../packages/salvo-arena/src/red/mutation/create-mutation-red.ts';
import type { RedOutcome } from '../packages/salvo-arena/src/red/red-team.ts';
import { arrangementsFor } from '../packages/salvo-arena/src/red/relations/arrangements.ts';
import { DIFFICULTIES, type Difficulty } from '../packages/salvo-arena/src/tasks/game-settings.ts';
import { allTemplates, type Template } from '../packages/salvo-arena/src/templates/templates.ts';

/** Of each template. With `--quick` only hard games are so many: fewer do not show what is harmless in 5% of them. */
const SEEDS = 4;
const isQuick = process.argv.includes('--quick');
/** Other games than those of the tests. */
const FIRST_SEED = 7001;
const LANGUAGES = ['terraform', 'cloudformation'] as const;

/** What finds the flaws of each difficulty: rules of one resource, with and without evaluation, or relations. */
export async function benchDifficulty(): Promise<string[]> {
  const lines: string[] = [];
  for (const language of LANGUAGES) {
    for (const difficulty of DIFFICULTIES) {
      const games = await playGames(language, difficulty);
      lines.push(
        `${language} ${difficulty}: ${games.length} games, ${sizeText(games)}`,
        `  ${await recallText(games)}`,
      );
      if (difficulty !== 'hard') continue;
      lines.push(`  ${await gateText(games)}`, ...innocenceLines(language, games).map((line) => `  ${line}`));
    }
  }
  return lines;
}

async function playGames(language: Template['language'], difficulty: Difficulty): Promise<RedOutcome[]> {
  const red = createMutationRed();
  const games: RedOutcome[] = [];
  const seeds = isQuick && difficulty !== 'hard' ? 1 : SEEDS;
  for (const { id: task } of allTemplates().filter((one) => one.language === language)) {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed += 1) {
      games.push(await red.generate({ task, language, difficulty, seed, provider: 'aws', strategy: 'balanced' }));
    }
  }
  return games;
}

function sizeText(games: readonly RedOutcome[]): string {
  const flaws = games.reduce((sum, { vulnerabilities }) => sum + vulnerabilities.length, 0);
  const lists = games.filter(({ files }) => Object.values(files).some((text) => text.includes('one([for')));
  return `${flaws} flaws, ${lists.length} games with an expression that picks from a list`;
}

const BLUES: Readonly<Record<string, (project: CodeProject) => Finding[]>> = {
  'rules of one resource, plain': (project) => runRules(project, { reach: 'plain' }),
  'rules of one resource, evaluated': (project) => runRules(project, { reach: 'full' }),
  'relations, evaluated': relationFindings,
};

function relationFindings(project: CodeProject): Finding[] {
  return relationalFlaws(createScope(project)).map(({ weakness, resources, facts }) => {
    const { category, title, severity } = weaknessById(weakness) ?? { category: '', title: weakness, severity: '' };
    const [first] = facts;
    const place = { file: first?.file ?? null, line: first?.line ?? null };
    return { type: category, title, severity, resource: resources, rule_id: weakness, ...place };
  });
}

async function recallText(games: readonly RedOutcome[]): Promise<string> {
  const judge = new JudgeAgent({ matcher: 'evidence' });
  const found: Record<string, number> = {};
  let flaws = 0;
  for (const { files, vulnerabilities } of games) {
    const project = await parseCode(files);
    flaws += vulnerabilities.length;
    for (const [name, findingsOf] of Object.entries(BLUES)) {
      const { matches } = judge.score({ vulnerabilities }, findingsOf(project));
      found[name] = (found[name] ?? 0) + matches.length;
    }
  }
  return `recall: ${Object.entries(found)
    .map(([name, count]) => `${name} ${share(count, flaws)}`)
    .join('; ')}`;
}

/** Claims of the manifest in the code, where they are true, and in the twin, where they are not. */
async function gateText(games: readonly RedOutcome[]): Promise<string> {
  let [claims, confirmed, refuted] = [0, 0, 0];
  for (const { files, vulnerabilities, metadata } of games) {
    const inCode = await checkManifest({ files, vulnerabilities });
    const inTwin = await checkManifest({ files: metadata.twin ?? {}, vulnerabilities });
    claims += vulnerabilities.length;
    confirmed += inCode.entries.filter(({ status }) => status === 'confirmed').length;
    refuted += inTwin.entries.filter(({ status }) => status === 'phantom').length;
  }
  return `gate: ${share(confirmed, claims)} confirmed in the code, ${share(refuted, claims)} refuted in the twin`;
}

/** How often each weakness is planted, and how often the same resources are there without harm. */
function innocenceLines(language: Template['language'], games: readonly RedOutcome[]): string[] {
  const rows = arrangementsFor(language).map(({ weakness }) => ({
    weakness,
    family: RELATIONS.find((one) => one.weakness === weakness)?.family ?? '',
    planted: games.filter(({ vulnerabilities }) => vulnerabilities.some((one) => one.weakness === weakness)).length,
    harmless: games.filter(({ metadata }) => metadata.traps?.some((one) => one.weakness === weakness)).length,
  }));
  const least = rows.reduce((a, b) => (b.harmless < a.harmless ? b : a));
  const families = [...Map.groupBy(rows, ({ family }) => family)];
  return [
    `${rows.length} weaknesses of ${families.length} families; harmless in ${share(least.harmless, games.length)} of games or more (${least.weakness})`,
    ...families.map(([family, own]) => {
      const parts = own.map(({ weakness, planted, harmless }) => `${weakness} ${planted}:${harmless}`);
      return `${family}: planted:harmless ${parts.join(', ')}`;
    }),
  ];
}

function share(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)}%`;
}

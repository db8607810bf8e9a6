import { createRulesBlue } from '../packages/salvo-arena/src/blue/rules/rules-blue.ts';
import type { Finding } from '../packages/salvo-arena/src/match/claims/finding.ts';
import { JudgeAgent } from '../packages/salvo-arena/src/match/judge-agent.ts';
import { createMutationRed } from '../packages/salvo-arena/src/red/mutation/create-mutation-red.ts';
import { generatedTemplate } from '../packages/salvo-arena/src/red/mutation/generated-template.ts';
import { DIFFICULTIES, type Difficulty } from '../packages/salvo-arena/src/tasks/game-settings.ts';
import { allTemplates, type Template } from '../packages/salvo-arena/src/templates/templates.ts';
import {
  areaBySamePlace,
  areaInterval,
  areaUnderCurve,
  DETECTORS,
  type Detector,
  learnDetector,
  type ScoredUnit,
} from './handwriting/form-detector.ts';
import { type ConstructCount, type FormScan, scanForms } from './handwriting/form-scanner.ts';
import {
  changedShapes,
  type FormGame,
  type FormUnits,
  formUnits,
  noUnits,
  UNIT_KINDS,
} from './handwriting/form-units.ts';
import { literalFindings } from './handwriting/literal-rules.ts';

const SEEDS = 16;
export const LANGUAGES = ['terraform', 'cloudformation'] as const;

/** Whether the form of the code says where the flaws are; and how much better they are hidden from easy to hard. */
export async function benchHandwriting(): Promise<string[]> {
  const lines: string[] = [];
  for (const language of LANGUAGES) {
    for (const difficulty of DIFFICULTIES) {
      const styles = difficulty === 'easy' ? [true] : [true, false];
      for (const houseStyle of styles) {
        const games = await playForms({ language, difficulty, houseStyle, seeds: SEEDS });
        const title = `${language} ${difficulty}${houseStyle ? '' : ' without the house style'}`;
        const forms = await readForms(games);
        for (const detector of DETECTORS) lines.push(`${title}, ${detector}: ${areasOf(forms, detector)}`);
        if (difficulty !== 'easy') lines.push(`  ${scanSummary(await Promise.all(games.map(scanForms)))}`);
        if (houseStyle) {
          lines.push(
            `  ${percent(await shareOfChangedShapes(games))} of the flawed resources look otherwise in the twin`,
          );
          lines.push(`  ${await recallSummary(games)}`);
        }
      }
    }
  }
  return lines;
}

interface FormOptions {
  language: Template['language'];
  difficulty: Difficulty;
  houseStyle: boolean;
  seeds: number;
  /** How many templates; all by default. */
  templates?: number;
}

/** Games on all templates of a language, the seeds in order. */
export async function playForms(options: FormOptions): Promise<FormGame[]> {
  const { language, difficulty, houseStyle, seeds, templates } = options;
  const red = createMutationRed({ houseStyle });
  const games: FormGame[] = [];
  const ofLanguage = allTemplates().filter((one) => one.language === language);
  for (const template of ofLanguage.slice(0, templates)) {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const secure = await generatedTemplate(template, {
        isHard: difficulty === 'hard',
        seedParts: [seed, template.id, language, ''],
      });
      const request = { task: template.id, language, difficulty, seed, provider: 'aws', strategy: 'balanced' } as const;
      const { files, vulnerabilities, metadata } = await red.generate(request);
      const related = difficulty === 'hard' ? new Set((metadata.traps ?? []).map(({ resource }) => resource)) : null;
      games.push({
        name: `${template.id} ${seed}`,
        secure,
        files,
        vulnerabilities,
        related,
        twin: metadata.twin ?? {},
      });
    }
  }
  return games;
}

/** The units of all games: those of even seeds to learn from, and the others. */
export async function readForms(games: readonly FormGame[]): Promise<{ learned: FormUnits; others: FormUnits }> {
  const [learned, others]: [FormUnits, FormUnits] = [noUnits(), noUnits()];
  for (const game of games) {
    const units = await formUnits(game);
    const half = Number(game.name.split(' ').at(-1)) % 2 === 0 ? learned : others;
    for (const kind of UNIT_KINDS) half[kind].push(...units[kind]);
  }
  return { learned, others };
}

export type ReadForms = Awaited<ReturnType<typeof readForms>>;

/** Learned on the games with even seeds; the scores of the units of all other games. */
export function detectForms(forms: ReadForms, kind: keyof FormUnits, detector: Detector): ScoredUnit[] {
  const detect = learnDetector(forms.learned[kind], detector);
  return forms.others[kind].map((unit) => {
    const { game, place, isGuilty } = unit;
    return { game, place, isGuilty, score: detect(unit) };
  });
}

/** What no detector can miss: code whose lines have another shape with the flaw than without it. */
export async function shareOfChangedShapes(games: readonly FormGame[]): Promise<number> {
  let [changed, flawed] = [0, 0];
  for (const game of games) {
    const [some, all] = await changedShapes(game);
    changed += some;
    flawed += all;
  }
  return changed / flawed;
}

function areasOf(forms: ReadForms, detector: Detector): string {
  const parts: string[] = [];
  for (const kind of UNIT_KINDS) {
    const scored = detectForms(forms, kind, detector);
    const area = (name: string, of: (units: readonly ScoredUnit[]) => number | null) => {
      const value = of(scored);
      if (value === null) return `${name} none`;
      const [low, high] = areaInterval(scored, of);
      return `${name} ${value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
    };
    if (!scored.some(({ isGuilty }) => isGuilty)) continue;
    parts.push(`${kind} AUC ${area('all', areaUnderCurve)}, ${area('same place', areaBySamePlace)}`);
  }
  return parts.join('; ');
}

function scanSummary(scans: readonly FormScan[]): string {
  const totals: Record<string, ConstructCount> = {};
  for (const { counts } of scans) {
    for (const [name, { guilty, innocent }] of Object.entries(counts)) {
      const { guilty: before, innocent: others } = totals[name] ?? { guilty: 0, innocent: 0 };
      totals[name] = { guilty: before + guilty, innocent: others + innocent };
    }
  }
  const sum = (of: (scan: FormScan) => number) => scans.reduce((total, scan) => total + of(scan), 0);
  const all = Object.values(totals);
  const guilty = all.reduce((total, one) => total + one.guilty, 0);
  const hits = all.reduce((total, one) => total + one.guilty + one.innocent, 0);
  const ratios = Object.entries(totals).map(([name, one]) => `${name} ${one.guilty}:${one.innocent}`);
  const recall = percent(sum(({ found }) => found) / sum(({ flaws }) => flaws));
  return `a scanner of constructs: precision ${percent(guilty / hits)}, recall ${recall}; guilty:innocent ${ratios.join(', ')}`;
}

async function recallSummary(games: readonly FormGame[]): Promise<string> {
  const judge = new JudgeAgent({ matcher: 'evidence' });
  const rules = createRulesBlue();
  const blues: Record<string, (game: FormGame) => Promise<Finding[]>> = {
    'our rules': async ({ files }) => (await rules.analyze({ files })).findings,
    'literal values only': ({ files }) => literalFindings(files),
  };
  const parts: string[] = [];
  for (const [name, findingsOf] of Object.entries(blues)) {
    let [found, flaws] = [0, 0];
    for (const game of games) {
      const { matches } = judge.score({ vulnerabilities: game.vulnerabilities }, await findingsOf(game));
      found += matches.length;
      flaws += game.vulnerabilities.length;
    }
    parts.push(`${name} ${percent(found / flaws)}`);
  }
  return `recall: ${parts.join(', ')}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)}%`;
}

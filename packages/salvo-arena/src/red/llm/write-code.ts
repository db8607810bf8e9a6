import { seededRandom } from 'salvo/kit/stats';
import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { Weakness } from '../../match/weaknesses/weakness.ts';
import { allWeaknesses } from '../../match/weaknesses/weaknesses.ts';
import { STRATEGIES } from '../../tasks/game-settings.ts';
import { taskById } from '../../tasks/tasks.ts';
import type { RedRequest } from '../red-team.ts';
import { askEngineer, type Engineer, prompt, RedModelError } from './ask-engineer.ts';
import { CODE_TOOL, type HandedInCode, readHandedInCode } from './handed-in-code.ts';
import { CHOICE_TOOL, PLAN_TOOL, readChoice, readPlan } from './plan.ts';

/** Where the flaws come from. */
export type FlawSource = 'catalogue' | 'novel' | 'mixed';

export interface WrittenCode {
  code: HandedInCode;
  /** Why the reviewer's work was not used; null when it was, or when there is no reviewer. */
  unreviewed: string | null;
}

/** One question, one answer: the code and its manifest. */
export async function writeAlone(engineer: Engineer, request: RedRequest, source: FlawSource): Promise<WrittenCode> {
  const text = prompt('code', wordsFor(request, source));
  const code = await askEngineer(engineer, { text, tool: CODE_TOOL, read: readHandedInCode });
  return { code, unreviewed: null };
}

/** An architect plans, a selector chooses the flaws, a writer writes the code, and a reviewer corrects it. */
export async function writeInSteps(engineer: Engineer, request: RedRequest, source: FlawSource): Promise<WrittenCode> {
  const words = wordsFor(request, source);
  const plan = await askEngineer(engineer, {
    text: prompt('architect', { ...words, tool: PLAN_TOOL.name }),
    tool: PLAN_TOOL,
    read: readPlan,
  });
  const choice = await askEngineer(engineer, {
    text: prompt('selector', { ...words, plan: jsonBlock(plan), tool: CHOICE_TOOL.name }),
    tool: CHOICE_TOOL,
    read: readChoice,
  });
  // The selector has chosen. With the catalogue, the writer might choose again.
  const task = prompt('code', { ...words, count: String(choice.flaws.length), source: '', catalogue: '' });
  const written = await askEngineer(engineer, {
    text: prompt('writer', { code: task, plan: jsonBlock(plan), flaws: jsonBlock(choice) }),
    tool: CODE_TOOL,
    read: readHandedInCode,
  });
  try {
    const flaws = jsonBlock({ vulnerabilities: written.vulnerabilities });
    const text = prompt('reviewer', { ...words, code: jsonBlock({ files: written.files }), flaws });
    const reviewed = await askEngineer(engineer, { text, tool: CODE_TOOL, read: readHandedInCode });
    return { code: reviewed, unreviewed: null };
  } catch (error) {
    // What the writer wrote is paid for and complete: use it.
    if (!(error instanceof RedModelError)) throw error;
    return { code: written, unreviewed: error.message };
  }
}

const ADDRESS_EXAMPLES: Record<CodeLanguage, string> = {
  terraform: '`aws_s3_bucket.records`, `module.queue.aws_sqs_queue.jobs`',
  cloudformation: '`AWS::S3::Bucket.Records`',
};

const phrasesSchema = z.strictObject({
  difficulty: z.record(z.enum(['easy', 'medium', 'hard']), z.string()),
  strategy: z.record(z.enum(STRATEGIES), z.strictObject({ count: z.int().positive(), text: z.string() })),
  source: z.record(z.enum(['catalogue', 'novel', 'mixed']), z.string()),
  language: z.record(z.enum(['terraform', 'cloudformation']), z.string()),
});

/** How prompts describe a difficulty, a strategy, a source of flaws and a language. */
const phrases = once(() => phrasesSchema.parse(JSON.parse(dataFile(import.meta.url, './prompts/phrases.json'))));

function wordsFor(request: RedRequest, source: FlawSource): Record<string, string> {
  const { task: asked, difficulty, language, provider, strategy, category, count, seed } = request;
  const known = phrases();
  const task = taskById(asked);
  const { text, count: usual } = known.strategy[strategy];
  const excerpt = source === 'novel' ? '' : catalogueExcerpt({ language, category: category ?? undefined, seed });
  return {
    scenario: task ? `${task.title}. ${task.description}` : asked,
    provider: provider.toUpperCase(),
    language: known.language[language],
    count: String(count ?? usual),
    strategy: text.replaceAll('{category}', () => category ?? 'access control'),
    difficulty: known.difficulty[difficulty],
    source: known.source[source],
    catalogue: excerpt,
    address_example: ADDRESS_EXAMPLES[language],
    tool: CODE_TOOL.name,
  };
}

function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 1)}\n\`\`\``;
}

/** Enough to choose from, but not so many that a model stops reading. */
const MOST = 60;

/** Weaknesses of AWS for the prompt, of one category or of all, chosen by the seed. */
function catalogueExcerpt(request: { language: CodeLanguage; category: string | undefined; seed: number }): string {
  const { language, category, seed } = request;
  const random = seededRandom('red-catalogue', seed, language, category ?? '');
  const fitting = allWeaknesses().filter((weakness) => isOfAws(weakness, language));
  const wanted = category === undefined ? fitting : fitting.filter((weakness) => weakness.category === category);
  const drawn = (wanted.length > 0 ? wanted : fitting)
    .map((weakness) => ({ weakness, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, MOST);
  return drawn.map(({ weakness }) => line(weakness, language)).join('\n');
}

function isOfAws(weakness: Weakness, language: CodeLanguage): boolean {
  return weakness[language]?.types.some((type) => /^(?:aws_|AWS::)/.test(type)) ?? false;
}

function line({ id, title, severity, ...weakness }: Weakness, language: CodeLanguage): string {
  const types = weakness[language]?.types.slice(0, 4).join(', ') ?? '';
  return `- ${id} (${severity}; ${types}): ${title}`;
}

import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import { taskById } from '../../tasks/tasks.ts';
import type { RedRequest } from '../red-team.ts';
import { askEngineer, type Engineer } from './ask-engineer.ts';
import { catalogueExcerpt } from './catalogue-excerpt.ts';
import { CODE_TOOL, type HandedInCode, readHandedInCode } from './handed-in-code.ts';
import { CHOICE_TOOL, PLAN_TOOL, readChoice, readPlan } from './plan.ts';
import { loadPhrases, prompt } from './prompts.ts';
import { RedModelError } from './red-model-error.ts';

/** Where the flaws come from. */
export type FlawSource = 'catalogue' | 'novel' | 'mixed';

export interface WrittenCode {
  code: HandedInCode;
  /** Why the last reviewer's work was not taken; null when it was, or when there is no reviewer. */
  unreviewed: string | null;
}

/** One question, one answer: the code and its manifest. */
export async function writeAlone(engineer: Engineer, request: RedRequest, source: FlawSource): Promise<WrittenCode> {
  const text = prompt('code', wordsFor(request, source));
  const code = await askEngineer(engineer, { text, tool: CODE_TOOL, read: readHandedInCode });
  return { code, unreviewed: null };
}

/** An architect plans, a selector chooses the flaws, a writer writes, and a reviewer checks the list and hides better. */
export async function writeInSteps(engineer: Engineer, request: RedRequest, source: FlawSource): Promise<WrittenCode> {
  const words = wordsFor(request, source);
  const plan = await askEngineer(engineer, {
    text: prompt('architect', { ...words, tool: PLAN_TOOL.name }),
    tool: PLAN_TOOL,
    read: readPlan,
  });
  const choice = await askEngineer(engineer, {
    text: prompt('selector', { ...words, plan: shown(plan), tool: CHOICE_TOOL.name }),
    tool: CHOICE_TOOL,
    read: readChoice,
  });
  // The selector has chosen; the catalogue would only tempt the writer to choose again.
  const task = prompt('code', { ...words, count: String(choice.flaws.length), source: '', catalogue: '' });
  const written = await askEngineer(engineer, {
    text: prompt('writer', { code: task, plan: shown(plan), flaws: shown(choice) }),
    tool: CODE_TOOL,
    read: readHandedInCode,
  });
  try {
    const flaws = shown({ vulnerabilities: written.vulnerabilities });
    const text = prompt('reviewer', { ...words, code: shown({ files: written.files }), flaws });
    const reviewed = await askEngineer(engineer, { text, tool: CODE_TOOL, read: readHandedInCode });
    return { code: reviewed, unreviewed: null };
  } catch (error) {
    // What the writer wrote is paid for, and complete.
    if (!(error instanceof RedModelError)) throw error;
    return { code: written, unreviewed: error.message };
  }
}

const ADDRESS_EXAMPLES: Record<CodeLanguage, string> = {
  terraform: '`aws_s3_bucket.records`, `module.queue.aws_sqs_queue.jobs`',
  cloudformation: '`AWS::S3::Bucket.Records`',
};

function wordsFor(request: RedRequest, source: FlawSource): Record<string, string> {
  const { task: asked, difficulty, language, provider, strategy, category, count, seed } = request;
  const phrases = loadPhrases();
  const task = taskById(asked);
  const { text, count: usual } = phrases.strategy[strategy];
  const excerpt = source === 'novel' ? '' : catalogueExcerpt({ language, category: category ?? undefined, seed });
  return {
    scenario: task ? `${task.title}. ${task.description}` : asked,
    provider: provider.toUpperCase(),
    language: phrases.language[language],
    count: String(count ?? usual),
    strategy: text.replaceAll('{category}', () => category ?? 'access control'),
    difficulty: phrases.difficulty[difficulty],
    source: phrases.source[source],
    catalogue: excerpt,
    address_example: ADDRESS_EXAMPLES[language],
    tool: CODE_TOOL.name,
  };
}

function shown(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 1)}\n\`\`\``;
}

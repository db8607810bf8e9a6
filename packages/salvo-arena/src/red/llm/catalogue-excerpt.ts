import { seededRandom } from 'salvo/kit/stats';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { Weakness } from '../../match/weaknesses/weakness.ts';
import { allWeaknesses } from '../../match/weaknesses/weaknesses.ts';

/** Enough to choose from, but not so many that a model stops reading. */
const MOST = 60;

/** Weaknesses of AWS for the prompt, of one category or of all, chosen by the seed. */
export function catalogueExcerpt(request: {
  language: CodeLanguage;
  category: string | undefined;
  seed: number;
}): string {
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

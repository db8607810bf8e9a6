import type { RedOutcome, RedRequest, RedTeam } from '../red-team.ts';
import { RedTeamError } from '../red-team-error.ts';
import { chooseTemplates } from './choose-templates.ts';
import { cleanResources } from './clean-resources.ts';
import { textsOf } from './code-change.ts';
import { isIn, usualCount } from './flaw-order.ts';
import { manifestEntries } from './manifest-entries.ts';
import { mutateTemplate } from './mutate-template.ts';
import type { Mutated } from './mutated-code.ts';
import { type SecureTemplate, secureTemplate } from './secure-template.ts';
import { createDraw } from './seeded-choice.ts';

/** Red without a model: secure templates with flaws planted in them, each of which is proven to be there. */
export function createMutationRed(): RedTeam {
  return { name: 'mutation', generate };
}

async function generate(request: RedRequest): Promise<RedOutcome> {
  const { task, difficulty, language, strategy, category, seed } = request;
  const draw = createDraw('mutation', seed, task, difficulty, language, strategy, category ?? '');
  const count = checkedCount(request) ?? usualCount(strategy, draw);
  const templates = chooseTemplates(task, language, draw);
  const secures: SecureTemplate[] = [];
  let best: { secure: SecureTemplate; mutated: Mutated } | null = null;
  for (const template of templates) {
    request.signal?.throwIfAborted();
    const secure = await secureTemplate(template);
    secures.push(secure);
    const mutated = await mutateTemplate(secure, request, count, draw);
    if (!best || mutated.planted.length > best.mutated.planted.length) best = { secure, mutated };
    if (mutated.planted.length >= count) break;
  }
  const planted = best?.mutated.planted.length ?? 0;
  if (!best || planted === 0 || (request.count !== undefined && planted < count))
    throw nothingFits(request, secures, planted);
  return outcome(request, best.secure, best.mutated);
}

function outcome(request: RedRequest, { template, project: twin }: SecureTemplate, mutated: Mutated): RedOutcome {
  const { difficulty, language, provider, seed, strategy } = request;
  return {
    files: textsOf(mutated.project),
    vulnerabilities: manifestEntries(mutated, difficulty),
    metadata: {
      red: 'mutation',
      seed,
      strategy,
      difficulty,
      language,
      provider,
      template: template.id,
      twin: textsOf(twin),
      clean_resources: cleanResources(twin, mutated.project, mutated.planted),
      proven: true,
      model_calls: 0,
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: 0,
    },
  };
}

function checkedCount({ count, strategy, category }: RedRequest): number | undefined {
  if (strategy === 'targeted' && category === undefined) {
    throw new RedTeamError(
      'RED_NO_CATEGORY',
      'The strategy "targeted" needs a category, such as "encryption" or "iam".',
    );
  }
  if (count !== undefined && (!Number.isInteger(count) || count < 1)) {
    throw new RedTeamError('RED_BAD_COUNT', `A game needs one flaw or more, and ${count} were asked for.`);
  }
  return count;
}

function nothingFits(request: RedRequest, secures: readonly SecureTemplate[], planted: number): RedTeamError {
  const { task, difficulty, strategy, category, count } = request;
  const weaknesses = secures.flatMap(({ openings }) => openings.map(({ weakness }) => weakness));
  const categories = [...new Set(weaknesses.map((weakness) => weakness.category))].sort();
  const names = secures.map(({ template }) => template.id).join(', ') || 'none';
  if (strategy === 'targeted' && !categories.some((one) => isIn(one, category))) {
    const message = `The code for "${task}" (${names}) has no place for a flaw of the category "${category}".`;
    return new RedTeamError('RED_NOTHING_FITS', `${message} It has for: ${categories.join(', ')}.`);
  }
  const wanted = count === undefined ? 'a flaw' : `${count} flaws`;
  const message = `The code for "${task}" (${names}) has no place for ${wanted} at the difficulty "${difficulty}" with the strategy "${strategy}"`;
  const advice = planted > 0 ? `at most ${planted} fit; ask for fewer` : 'take another task or difficulty';
  return new RedTeamError('RED_NOTHING_FITS', `${message}: ${advice}.`);
}

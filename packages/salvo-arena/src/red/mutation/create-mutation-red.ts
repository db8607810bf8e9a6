import { isDeepStrictEqual } from 'node:util';
import { contentHash } from 'salvo/kit/text';
import { referencesByAddress } from '../../iac/read/references.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import { concernedResources } from '../../match/source/concerned-resources.ts';
import { findTasks, taskById } from '../../tasks/tasks.ts';
import { createSeededChoice, type SeededChoice } from '../../templates/seeded-choice.ts';
import { allTemplates, type Template } from '../../templates/templates.ts';
import type { RedOutcome, RedRequest, RedTeam } from '../red-team.ts';
import { RedTeamError } from '../red-team-error.ts';
import { textsOf } from './code-change.ts';
import { isInCategory, usualCount } from './flaw-order.ts';
import { generatedTemplate } from './generated-template.ts';
import { manifestEntries } from './manifest-entries.ts';
import { mutateTemplate } from './mutate-template.ts';
import type { MutatedCode, PlantedFlaw } from './mutated-code.ts';
import { withOwnLineEnds } from './own/line-ends.ts';
import { ownCodeUse } from './own/own-code-use.ts';
import { presentIn, secureOwnCode } from './own/secure-own-code.ts';
import { type SecureTemplate, secureTemplate } from './secure-template.ts';

/**
 * Red without a model: plants flaws in secure templates, and proves each of them. Without the house style, only flaws
 * use the constructs that hide them, so that their form gives them away: a baseline for benchmarks.
 */
export function createMutationRed({ houseStyle = true, fixed = false, secret = '' }: MutationRedOptions = {}): RedTeam {
  return { name: 'mutation', generate: (request) => generate(request, { houseStyle, fixed, secret }) };
}

interface MutationRedOptions {
  houseStyle?: boolean;
  /** Takes a template of this package as it is, which Blue may know. A baseline for benchmarks. */
  fixed?: boolean;
  /** Games of the same seed are others for everyone who does not know it. */
  secret?: string;
}

async function generate(request: RedRequest, options: Required<MutationRedOptions>): Promise<RedOutcome> {
  const { task, difficulty, language, strategy, category, seed } = request;
  const { houseStyle, secret } = options;
  const choice = createSeededChoice('mutation', seed, task, difficulty, language, strategy, category ?? '', secret);
  const wanted = checkedCount(request);
  const secures: SecureTemplate[] = [];
  let best: { secure: SecureTemplate; mutated: MutatedCode } | null = null;
  for await (const secure of secureCodeFor(request, options, choice)) {
    request.signal?.throwIfAborted();
    secures.push(secure);
    const count = wanted ?? usualCount(request, secure, choice);
    const mutated = await mutateTemplate(secure, { ...request, houseStyle }, count, choice);
    if (!best || mutated.planted.length > best.mutated.planted.length) best = { secure, mutated };
    // The other parts of the user's code are as good, and as slow.
    const isEnough = request.template !== undefined && wanted === undefined && mutated.planted.length > 0;
    if (isEnough || mutated.planted.length >= count) break;
  }
  const planted = best?.mutated.planted.length ?? 0;
  if (!best || planted === 0 || (wanted !== undefined && planted < wanted))
    throw noFittingSite(request, secures, planted);
  return outcome(request, best.secure, best.mutated);
}

function outcome(request: RedRequest, secure: SecureTemplate, mutated: MutatedCode): RedOutcome {
  const { difficulty, language, provider, seed, strategy, template: own } = request;
  const filesOf = (project: CodeProject) => (own ? withOwnLineEnds(textsOf(project), own.files) : textsOf(project));
  return {
    files: filesOf(mutated.project),
    vulnerabilities: manifestEntries(mutated, difficulty),
    metadata: {
      red: 'mutation',
      seed,
      strategy,
      difficulty,
      language,
      provider,
      template: secure.id,
      // Below hard, difficulties of the same seed differ in their style only.
      ...(secure.pieces && { structure: structureOf(secure, difficulty === 'hard' ? mutated.twin : secure.project) }),
      ...(own && { own_code: ownCodeUse(own, secure, difficulty) }),
      twin: filesOf(mutated.twin),
      clean_resources: cleanResources(mutated.twin, mutated.project, mutated.planted),
      // What Red adds to code of the user for relations is not perfect either.
      present_before: own && difficulty === 'hard' ? presentIn(mutated.twin, language) : [...secure.present],
      traps: [...mutated.traps],
      proven: true,
      model_calls: 0,
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: 0,
    },
  };
}

/** The same for codes of the same pieces with the same types of resources, whatever they are called. */
function structureOf({ id, pieces = [] }: SecureTemplate, { files }: CodeProject): string {
  const types = files.flatMap(({ blocks }) =>
    blocks.flatMap(({ type, labels }) => (type === 'resource' ? [labels[0] ?? ''] : [])),
  );
  return `${id}-${contentHash([...pieces, ...types.sort()]).slice(0, 12)}`;
}

/** The code of the user with one part of it in focus after the other, or code that is generated for the task. */
async function* secureCodeFor(
  { task, language, template: own, seed, size, difficulty }: RedRequest,
  { fixed, secret }: Required<MutationRedOptions>,
  choice: SeededChoice,
): AsyncGenerator<SecureTemplate> {
  if (own) {
    const code = await secureOwnCode(own, language);
    for (const index of choice.shuffled([...code.parts.keys()])) yield await code.part(index);
    return;
  }
  const isHard = difficulty === 'hard';
  for (const template of chooseTemplates(task, language, choice)) {
    yield fixed
      ? await secureTemplate(template)
      : await generatedTemplate(template, { size, isHard, seedParts: [seed, task, language, secret] });
  }
}

function checkedCount({ count, strategy, category }: RedRequest): number | undefined {
  if (strategy === 'targeted' && category === undefined) {
    throw new RedTeamError(
      'OPTIONS_INVALID',
      'The strategy "targeted" needs a category, such as "encryption" or "iam".',
    );
  }
  if (count !== undefined && (!Number.isInteger(count) || count < 1)) {
    throw new RedTeamError('OPTIONS_INVALID', `A game needs one flaw or more, but the count is ${count}.`);
  }
  return count;
}

function noFittingSite(request: RedRequest, secures: readonly SecureTemplate[], planted: number): RedTeamError {
  const { task, difficulty, strategy, category, count, template: own } = request;
  const weaknesses = secures.flatMap(({ sites }) => sites.map(({ weakness }) => weakness));
  const categories = [...new Set(weaknesses.map((weakness) => weakness.category))].sort();
  const names = secures.map(({ id }) => id).join(', ') || 'none';
  if (strategy === 'targeted' && !categories.some((one) => isInCategory(one, category))) {
    const message = `The code for "${task}" (${names}) has no place for a flaw of the category "${category}".`;
    return new RedTeamError('RED_NOTHING_FITS', `${message} It has places for: ${categories.join(', ')}.`);
  }
  const wanted = count === undefined ? 'a flaw' : `${count} flaws`;
  const message = `The code for "${task}" (${names}) has no place for ${wanted} at the difficulty "${difficulty}" with the strategy "${strategy}"`;
  const another = own ? 'choose another difficulty or strategy' : 'choose another task or difficulty';
  const advice = planted > 0 ? `at most ${planted} fit; ask for fewer` : another;
  return new RedTeamError('RED_NOTHING_FITS', `${message}: ${advice}.`);
}

/** The templates for a task, which is an id or free words; the best one first. */
function chooseTemplates(nameOrWords: string, language: CodeLanguage, choice: SeededChoice): Template[] {
  const ofLanguage = allTemplates().filter((template) => template.language === language);
  const named = ofLanguage.filter(({ id }) => id === nameOrWords);
  if (named.length > 0) return named;
  const task = taskById(nameOrWords) ?? findTasks(nameOrWords)[0];
  const fitting = ofLanguage.filter(({ id }) => task?.templates.includes(id));
  return choice.shuffled(fitting.length > 0 ? fitting : ofLanguage);
}

/** A flaw of these categories also affects the resources that use the flawed one: an open group, a wide role. */
const SPREADING: ReadonlySet<string> = new Set(['network', 'public_access', 'access_control', 'iam']);

/**
 * The resources that are unchanged and that no correct finding would name. Left out are the flawed resources, what
 * belongs to them (the versioning of a flawed bucket), and what uses them if the flaw spreads to its users.
 */
function cleanResources(twin: CodeProject, project: CodeProject, planted: readonly PlantedFlaw[]): string[] {
  const before = codeByAddress(twin);
  const after = codeByAddress(project);
  const references = referencesByAddress(project);
  const tainted = new Set<string>();
  for (const { target, site } of planted) {
    const named = [target.address, site.target.address];
    const concerned = concernedResources(references, target.address);
    for (const address of [...named, ...target.related, ...concerned]) tainted.add(address);
    for (const [other, names] of references) {
      const isUser = named.some((address) => names.has(address));
      const isUsed = named.some((address) => references.get(address)?.has(other) === true);
      const isOfService = named.some((address) => serviceOf(address) === serviceOf(other));
      if ((isUser || isUsed) && (isOfService || (isUser && SPREADING.has(site.weakness.category)))) tainted.add(other);
    }
  }
  return [...before]
    .filter(
      ([address, code]) => code.length === 1 && isDeepStrictEqual(after.get(address), code) && !tainted.has(address),
    )
    .map(([address]) => address);
}

/** An address has several pieces of code if an override file changes it. */
function codeByAddress({ files }: CodeProject): Map<string, string[]> {
  const pieces = files.flatMap(({ blocks, text }) =>
    blocks.flatMap(({ type, address, range }) =>
      type === 'resource' ? [{ address, code: text.slice(range.start, range.end) }] : [],
    ),
  );
  const byAddress = Map.groupBy(pieces, ({ address }) => address);
  return new Map([...byAddress].map(([address, all]) => [address, all.map(({ code }) => code)]));
}

/** `aws_s3` of `aws_s3_bucket.a`, `AWS::S3` of `AWS::S3::Bucket.A`. */
function serviceOf(address: string): string {
  return /^(?:AWS::\w+|(?:data\.)?aws_[a-z0-9]+)/.exec(address)?.[0].replace('data.', '') ?? address;
}

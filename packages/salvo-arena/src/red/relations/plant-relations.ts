import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';
import { createScope, type Scope } from '../../iac/evaluate/scope.ts';
import type { RelationalFlaw } from '../../iac/relations/relation.ts';
import { relationalFlaws } from '../../iac/relations/relations.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import type { Weakness } from '../../match/weaknesses/weakness.ts';
import { weaknessById } from '../../match/weaknesses/weaknesses.ts';
import { createSeededChoice, type SeededChoice } from '../../templates/seeded-choice.ts';
import { isInCategory } from '../mutation/flaw-order.ts';
import type { MutatedCode } from '../mutation/mutated-code.ts';
import type { RedRequest } from '../red-team.ts';
import type { Arrangement } from './arrangement.ts';
import { arrangementsFor } from './arrangements.ts';
import { assetsIn, type FoundAsset } from './assets.ts';
import { Draft, type Drawn } from './draft.ts';
import { homeFiles, withDrafts } from './write-drafts.ts';

/** A flaw that was planted, as the relation shows it. */
export interface PlantedRelation {
  flaw: RelationalFlaw;
  weakness: Weakness;
  arrangement: Arrangement;
  /** The address of the asset that it is about. */
  asset: string | null;
}

/** Code with arrangements, some of them weak, and its twin, in which all are safe. */
export interface RelatedCode {
  project: CodeProject;
  scope: Scope;
  twin: CodeProject;
  planted: readonly PlantedRelation[];
  /** The resources of safe arrangements that their weak form would be a flaw of. */
  traps: MutatedCode['traps'];
}

interface Placed {
  arrangement: Arrangement;
  weakness: Weakness;
  drawn: Drawn;
  isWeak: boolean;
}

/** So many arrangements of a game are weak; the others are as harmless as they look. */
const WEAK_SHARE = 0.4;
/** After so many tries, fewer flaws are planted. */
const TRIES = 12;

type Request = Pick<RedRequest, 'language' | 'strategy' | 'category'> & { houseStyle: boolean };

/**
 * Adds arrangements to secure code: `count` weak ones, or as many as fit, and more that are safe. Each flaw is proven by
 * its relation in the evaluated code, and the twin has no such relation.
 */
export async function plantRelations(
  base: CodeProject,
  request: Request,
  count: number,
  choice: SeededChoice,
): Promise<RelatedCode> {
  const { language } = request;
  const before = keysOf(relationalFlaws(createScope(base)));
  let placed = place(base, request, count, choice);
  for (let tries = 0; ; tries += 1) {
    const twin = await withDrafts(base, language, draftsOf(placed, language, false));
    const project = await withDrafts(base, language, draftsOf(placed, language, true));
    const guilty = relationalFlaws(createScope(twin)).filter((flaw) => !before.has(keyOf(flaw)));
    const scope = createScope(project);
    const found = relationalFlaws(scope).filter((flaw) => !before.has(keyOf(flaw)));
    const proven = placed.flatMap((one) => provenBy(one, found) ?? []);
    const isBroken = ({ arrangement, drawn, isWeak }: Placed) =>
      [...guilty, ...found].some(
        (flaw) => isOf(flaw, drawn) && (guilty.includes(flaw) || !isWeak || flaw.weakness !== arrangement.weakness),
      ) ||
      (isWeak && !proven.some((one) => one.arrangement === arrangement));
    const kept = placed.filter((one) => !isBroken(one));
    if (kept.length === placed.length || tries === TRIES) {
      return { project, scope, twin, planted: proven, traps: await trapsOf(base, placed, language) };
    }
    placed = kept;
  }
}

async function trapsOf(base: CodeProject, placed: readonly Placed[], language: CodeLanguage) {
  const safe = placed.filter(({ isWeak }) => !isWeak).map((one) => ({ ...one, isWeak: true }));
  const project = await withDrafts(base, language, draftsOf(safe, language, true));
  const found = relationalFlaws(createScope(project));
  return safe.flatMap((one) => {
    const proven = provenBy(one, found);
    return (proven?.flaw.resources ?? []).map((resource) => ({ resource, weakness: one.arrangement.weakness }));
  });
}

function keyOf({ weakness, resources }: RelationalFlaw): string {
  return `${weakness} ${[...resources].sort().join(' ')}`;
}

function keysOf(flaws: readonly RelationalFlaw[]): Set<string> {
  return new Set(flaws.map(keyOf));
}

/** Whether a flaw is in the resources of an arrangement, whose names all begin with one word. */
function isOf({ resources }: RelationalFlaw, { app }: Drawn): boolean {
  return resources.some((address) =>
    address
      .slice(address.lastIndexOf('.') + 1)
      .toLowerCase()
      .startsWith(app),
  );
}

function provenBy({ arrangement, weakness, drawn, isWeak }: Placed, found: readonly RelationalFlaw[]) {
  if (!isWeak) return null;
  const flaw = found.find((one) => one.weakness === arrangement.weakness && isOf(one, drawn));
  const { asset } = drawn;
  return flaw ? { flaw, weakness, arrangement, asset: asset && `${asset.type}.${asset.name}` } : null;
}

function draftsOf(placed: readonly Placed[], language: CodeLanguage, isCode: boolean): Draft[] {
  return placed.map(({ arrangement, drawn, isWeak }) => {
    const draft = new Draft(language, drawn, isCode && isWeak);
    arrangement.write(draft);
    return draft;
  });
}

function place(base: CodeProject, request: Request, count: number, choice: SeededChoice): Placed[] {
  const { language, strategy, category, houseStyle } = request;
  const homes = homeFiles(base, language);
  if (homes.length === 0) return [];
  const assets = assetsIn(homes, language);
  const usable = arrangementsFor(language).flatMap((arrangement) => {
    const weakness = weaknessById(arrangement.weakness);
    return weakness && isPossible(arrangement, assets) ? [{ arrangement, weakness }] : [];
  });
  const isWanted = ({ weakness }: { weakness: Weakness }) =>
    strategy !== 'targeted' || isInCategory(weakness.category, category);
  const isChained = strategy === 'chained';
  const wanted = usable.filter((one) => isWanted(one) && (!isChained || one.arrangement.needs === 'asset'));
  const weak = repeated(choice.shuffled(wanted), count).map((one) => ({ ...one, isWeak: true }));
  const others = houseStyle ? Math.round(weak.length / WEAK_SHARE) - weak.length : 0;
  const safe = repeated(choice.shuffled(usable), others).map((one) => ({ ...one, isWeak: false }));
  const apps = choice.shuffled(words().apps.filter((app) => isFree(base, app)));
  // Resources of the template take turns, so that as many of them as possible are part of an arrangement.
  const queue = assetQueue(assets, choice);
  const placed = [...weak, ...safe].flatMap((one, at) => {
    const app = apps[at];
    return app === undefined ? [] : [{ ...one, drawn: draw(app, queue, choice) }];
  });
  return choice.shuffled(isChained ? placed.map((one, at) => withAssetOf(one, placed[at - (at % 2)])) : placed);
}

/** The second of two flaws is another way to what the first one is about. */
function withAssetOf(one: Placed, first: Placed | undefined): Placed {
  return one.isWeak && first ? { ...one, drawn: { ...one.drawn, asset: first.drawn.asset } } : one;
}

function repeated<T>(items: readonly T[], count: number): T[] {
  return items.length === 0
    ? []
    : Array.from({ length: count }, (_, at) => items[at % items.length] ?? items[0]).flatMap((item) => item ?? []);
}

function isPossible({ needs }: Arrangement, assets: readonly FoundAsset[]): boolean {
  if (needs === 'backedUp') return assets.some(({ isBackedUp }) => isBackedUp);
  if (needs === 'logGroup') return assets.some(isLogGroup);
  return needs === undefined || assets.length > 0;
}

function isLogGroup({ type }: FoundAsset): boolean {
  return /log_group$|::LogGroup$/.test(type);
}

function assetQueue(assets: readonly FoundAsset[], choice: SeededChoice) {
  let waiting = choice.shuffled(assets);
  return (isFit: (asset: FoundAsset) => boolean): FoundAsset | null => {
    const found = waiting.find(isFit);
    if (!found) return null;
    waiting = [...waiting.filter((asset) => asset !== found), found];
    return found;
  };
}

function draw(app: string, next: ReturnType<typeof assetQueue>, choice: SeededChoice): Drawn {
  const own = createSeededChoice(choice.between(0, 2 ** 30), app);
  const digits = (length: number, alphabet: string) =>
    Array.from({ length }, () => alphabet[own.between(0, alphabet.length - 1)]).join('');
  return {
    app,
    words: own.shuffled(words().jobs),
    account: `${own.between(1, 9)}${digits(11, '0123456789')}`,
    code: digits(10, '0123456789abcdef'),
    network: own.between(16, 120),
    asset: next(() => true),
    logGroup: next(isLogGroup),
    backedUp: next(({ isBackedUp }) => isBackedUp),
  };
}

/** Whether nothing in the code has this word in its name. */
function isFree({ files }: CodeProject, word: string): boolean {
  return !files.some(({ text }) => text.toLowerCase().includes(word));
}

const wordsSchema = z.strictObject({ apps: z.array(z.string()), jobs: z.array(z.string()) });

const words = once(() => wordsSchema.parse(JSON.parse(dataFile(import.meta.url, './words.json'))));

import type { Weakness } from '../../packages/salvo-arena/src/match/weaknesses/weakness.ts';
import { wholesOf } from '../../packages/salvo-arena/src/match/weaknesses/weakness-relations.ts';
import { allWeaknesses } from '../../packages/salvo-arena/src/match/weaknesses/weaknesses.ts';
import type { PhrasedWeakness, Sentence } from './training-data.ts';

/** Scanners whose rules are named after what they check: `aws-s3-enable-bucket-encryption`. */
const NAMING = ['tfsec', 'aws_config', 'prowler', 'semgrep'] as const;
/** A name of several words. A number alone says nothing. */
const NAME = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+){2,}$/i;
const CLOUD = /^(?:aws|google|azure|digitalocean) /;
const MOST_NAMES = 2;
/** A weakness without sentences needs so many names to be learned from. */
const FEWEST_NAMES = 2;

/** The names of scanners' rules have many authors, none of whom wrote sentences. */
const CATALOGUE = 'catalogue';

/**
 * All sentences with what the catalogue of weaknesses adds: the title of a weakness, and the names that authors of
 * scanners gave to their rules for it.
 */
export function withCatalogueTexts(
  phrased: readonly PhrasedWeakness[],
  byOthers: (id: string) => readonly Sentence[] = () => [],
): PhrasedWeakness[] {
  const uses = Map.groupBy(allWeaknesses().flatMap(namesOf), ({ name }) => name);
  const rest = new Map(phrased.map((weakness) => [weakness.id, weakness]));
  const serviceOf = createServiceLookup(phrased);
  const ofCatalogue = allWeaknesses().flatMap((weakness): PhrasedWeakness[] => {
    // The name of a rule for several weaknesses says too little about each.
    const names = namesOf(weakness).filter(({ name }) => uses.get(name)?.length === 1);
    const known = rest.get(weakness.id);
    const others = byOthers(weakness.id);
    if (known === undefined && others.length === 0 && names.length < FEWEST_NAMES) return [];
    rest.delete(weakness.id);
    return [
      {
        id: weakness.id,
        service: known?.service ?? serviceOf(weakness.id),
        wholes: known?.wholes ?? [...wholesOf(weakness.id)],
        sentences: [
          ...(known?.sentences ?? []),
          { text: weakness.title, style: 'title', author: CATALOGUE },
          ...names.map(({ name, scanner }) => ({ text: textOf(name), style: scanner, author: CATALOGUE })),
          ...others,
        ],
      },
    ];
  });
  return [...ofCatalogue, ...rest.values()];
}

function namesOf({ rules }: Weakness): { scanner: string; name: string }[] {
  return NAMING.flatMap((scanner) =>
    (rules[scanner] ?? [])
      .filter((name) => NAME.test(name))
      .slice(0, MOST_NAMES)
      .map((name) => ({ scanner, name })),
  );
}

function textOf(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, ' ').replace(CLOUD, '');
}

const CLOUDS = new Set(['azure', 'gcp']);

/**
 * Ids begin with the cloud unless it is AWS, and then name the service or a thing of it (`sg-ingress-open`). So the
 * service is that of another weakness with this beginning.
 */
function createServiceLookup(phrased: readonly PhrasedWeakness[]): (id: string) => string {
  const known = new Map(phrased.map(({ id, service }) => [beginningOf(id), service]));
  return (id) => known.get(beginningOf(id)) ?? beginningOf(id);
}

function beginningOf(id: string): string {
  const [first = '', second = ''] = id.split('-');
  if (first === 'k8s') return 'kubernetes:pod';
  return CLOUDS.has(first) ? `${first}:${second}` : `aws:${first}`;
}

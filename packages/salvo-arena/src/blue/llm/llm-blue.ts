import { createBill, type ModelCaller } from 'salvo/kit/models';
import { agentCost } from 'salvo/kit/trace';
import type { Finding } from '../../match/claims/finding.ts';
import { locateFindings } from '../../match/source/locate-in-source.ts';
import { allOrAbort } from '../all-or-abort.ts';
import type { BlueTeam } from '../blue-team.ts';
import { BlueTeamError } from '../blue-team-error.ts';
import { mergeFindings } from '../merge-findings.ts';
import { type ShownCode, stripHints } from '../strip-hints.ts';
import type { Analyst } from './ask-model.ts';
import { type AssignmentOptions, reviewAssignments } from './assignments.ts';
import { createDroppedFindings, mergeLists } from './clean-findings.ts';
import { codeParts } from './code-parts.ts';
import { reviewTogether } from './ensemble.ts';
import { type FindQuote, quoteFinder } from './find-quote.ts';
import { proveFindings } from './prove-findings.ts';
import { type Review, reviewOnce } from './review.ts';
import type { Combination, Technique } from './technique.ts';

export interface LlmBlueOptions extends AssignmentOptions {
  models: ModelCaller;
  /** The adapter's name, as in a scenario. */
  adapter: string;
  model: string;
  /** How the findings of specialists are combined. */
  combine?: Combination | undefined;
  temperature?: number | undefined;
  /** The most tokens of one answer. */
  maxTokens?: number | undefined;
  /** The most characters of code in one question; longer code is split between resources. */
  maxCharacters?: number | undefined;
}

/** A Blue Team that is a model. It sees code and nothing else. Throws when the options make no sense. */
export function createLlmBlue(options: LlmBlueOptions): BlueTeam {
  const { models, adapter, model, technique = 'comprehensive', combine = 'union' } = options;
  const { temperature = 0, maxTokens = 8192, maxCharacters = 120_000 } = options;
  const assignments = reviewAssignments(options);
  const name = `llm:${model}`;
  return {
    name,
    async analyze({ files, seed = 0, signal }) {
      const shown = await stripHints(files);
      if (Object.keys(shown.files).length === 0) {
        throw new BlueTeamError('CODE_MISSING', `There is no code for ${model} to look at.`);
      }
      const dropped = createDroppedFindings();
      const analyst = { models, adapter, model, temperature, maxTokens, seed, bill: createBill(), signal };
      const find = quoteFinder(shown.files);
      const parts = await codeParts(shown.files, maxCharacters);
      const lists = await allOrAbort(
        signal,
        parts.map((part, index) => async (inner) => {
          const reviewer: Analyst = { ...analyst, signal: inner };
          const reviews = assignments.map((assignment): Review => {
            return { analyst: reviewer, assignment, part, number: index + 1, count: parts.length, dropped };
          });
          const review = (each: Review) => reviewByTechnique(each, technique, find);
          return reviewTogether({ reviews, combine, review, dropped });
        }),
      ).catch((error: unknown) => {
        if (!(error instanceof BlueTeamError)) throw error;
        const { code, message, cause } = error;
        throw new BlueTeamError(code, message, { cause, cost: agentCost(analyst.bill.usage()) });
      });
      const findings = mergeLists(lists, dropped).map(({ finding }) => withRealNames(finding, shown));
      return {
        findings: await locateFindings(findings, files),
        metadata: { blue: name, mode: 'llm_only', dropped: dropped.list(), ...analyst.bill.usage() },
      };
    },
  };
}

function withRealNames(finding: Finding, shown: ShownCode): Finding {
  const texts = Object.entries(finding).map(([field, value]) => {
    return [field, typeof value === 'string' ? shown.withRealNames(value) : value];
  });
  const file = typeof finding.file === 'string' ? shown.realName(finding.file) : undefined;
  return { ...Object.fromEntries(texts), ...(file !== undefined && { file }) };
}

const MOST_PASSES = 3;

/** Reviews one part of the code: once, again until nothing new is found, or with a proof for each finding. */
async function reviewByTechnique(review: Review, technique: Technique, find: FindQuote): Promise<Finding[]> {
  const first = await reviewOnce(review);
  if (technique === 'precise') return proveFindings(review, first, find);
  return technique === 'iterative' ? reviewRepeatedly(review, first) : first;
}

async function reviewRepeatedly(review: Review, first: readonly Finding[]): Promise<Finding[]> {
  let found = [...first];
  for (let pass = 2; pass <= MOST_PASSES; pass += 1) {
    const more = await reviewOnce(review, found);
    const groups = mergeFindings([found, more]);
    // The same model reporting a finding again does not make it more certain, so only new ones are kept.
    const fresh = groups.slice(found.length).map(({ finding }) => finding);
    review.dropped.add('it was reported in an earlier pass', more.length - fresh.length);
    if (fresh.length === 0) break;
    found = [...found, ...fresh];
  }
  return found;
}

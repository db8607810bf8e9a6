import type { Finding } from '../../../match/claims/finding.ts';
import { locateFindings } from '../../../match/locate-in-source.ts';
import { createBill } from '../../../models/bill.ts';
import type { ModelCaller } from '../../../models/model-caller.ts';
import { allOrAbort } from '../all-or-abort.ts';
import type { BlueTeam } from '../blue-team.ts';
import { BlueTeamError } from '../blue-team-error.ts';
import { mergeFindings } from '../merge-findings.ts';
import { type ShownCode, stripHints } from '../strip-hints.ts';
import type { Analyst } from './ask-model.ts';
import { type AssignmentOptions, reviewAssignments } from './assignments.ts';
import { codeParts } from './code-parts.ts';
import { createDroppedFindings } from './dropped-findings.ts';
import { reviewTogether, SAME_FLAW } from './ensemble.ts';
import { quoteFinder } from './find-quote.ts';
import type { Review } from './review.ts';
import { reviewByTechnique } from './review-by-technique.ts';
import type { Combination } from './technique.ts';

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
        throw new BlueTeamError('NO_CODE', `There is no code for ${model} to look at.`);
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
          return reviewTogether({ reviews, combine, review: (each) => reviewByTechnique(each, technique, find) });
        }),
      );
      const groups = mergeFindings(lists);
      dropped.add(
        SAME_FLAW,
        groups.reduce((sum, { count }) => sum + count - 1, 0),
      );
      const findings = groups.map(({ finding }) => withRealNames(finding, shown));
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

import { fillTemplate } from 'salvo/kit/models';
import { dataFile, once, suggestion } from 'salvo/kit/text';
import { parse } from 'yaml';
import { z } from 'zod';
import { BlueTeamError } from '../blue-team-error.ts';
import { COMBINATIONS, FRAMEWORKS, type Framework, TECHNIQUES, type Technique } from './technique.ts';

export interface AssignmentOptions {
  technique?: Technique | undefined;
  /** For `compliance`; `cis` when missing. */
  framework?: Framework | undefined;
  /** For `targeted`: a kind of flaw, such as `encryption`. */
  category?: string | undefined;
  /** The specialists of the ensemble, or `true` for all; one generalist when missing. */
  specialists?: readonly string[] | true | undefined;
  combine?: string | undefined;
}

/** What each reviewer is asked to do: one assignment, or one for each specialist. */
export function reviewAssignments(options: AssignmentOptions): string[] {
  const { technique = 'comprehensive', framework = 'cis', category, specialists, combine = 'union' } = options;
  check('technique', technique, TECHNIQUES);
  check('framework', framework, FRAMEWORKS);
  check('combine', combine, COMBINATIONS);
  if (technique === 'targeted' && !category?.trim()) {
    throw badOption('The technique "targeted" needs a category to look for, such as "encryption" or "iam".');
  }
  const known = loadAssignments();
  const requirements = known.frameworks[framework].map((requirement) => `- ${requirement}`).join('\n');
  const task = fillTemplate(known.techniques[technique], { category: category ?? '', requirements });
  if (specialists === undefined) {
    if (combine === 'union') return [task];
    throw badOption(`An ensemble is needed to ${combine === 'debate' ? 'debate' : 'vote'}: name the specialists.`);
  }
  const names = specialists === true ? Object.keys(known.specialists) : specialists;
  if (names.length === 0) throw badOption('The ensemble is empty: name its specialists, or leave them out.');
  return [...new Set(names)].map((name) => {
    check('specialist', name, Object.keys(known.specialists));
    return `${known.specialists[name]}\n\n${task}`;
  });
}

const assignmentsSchema = z.strictObject({
  techniques: z.record(z.enum(TECHNIQUES), z.string()),
  frameworks: z.record(z.enum(FRAMEWORKS), z.array(z.string())),
  specialists: z.record(z.string(), z.string()),
});

const loadAssignments = once(() =>
  assignmentsSchema.parse(parse(dataFile(import.meta.url, './prompts/assignments.yaml'))),
);

function check(option: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return;
  const hint = suggestion(value, known, `known are ${known.join(', ')}`);
  throw badOption(`There is no ${option} ${JSON.stringify(value)}: ${hint}`);
}

function badOption(message: string): BlueTeamError {
  return new BlueTeamError('OPTIONS_INVALID', message);
}

import { fillTemplate } from '../../../models/templates.ts';
import { suggestion } from '../../../text/did-you-mean.ts';
import { BlueTeamError } from '../blue-team-error.ts';
import { loadAssignments } from './prompts.ts';
import { COMBINATIONS, FRAMEWORKS, type Framework, TECHNIQUES, type Technique } from './technique.ts';

export interface AssignmentOptions {
  technique?: Technique | undefined;
  /** For `compliance`; `cis` when missing. */
  framework?: Framework | undefined;
  /** For `targeted`: a kind of flaw, such as `encryption`. */
  category?: string | undefined;
  /** Who sits in the ensemble, or `true` for all that there are; one generalist when missing. */
  specialists?: readonly string[] | true | undefined;
  combine?: string | undefined;
}

/** What each reviewer is asked to do: one, or as many as there are specialists. */
export function assignmentsOf(options: AssignmentOptions): string[] {
  const { technique = 'comprehensive', framework = 'cis', category, specialists, combine = 'union' } = options;
  check('technique', technique, TECHNIQUES);
  check('framework', framework, FRAMEWORKS);
  check('combine', combine, COMBINATIONS);
  if (technique === 'targeted' && !category?.trim()) {
    throw wrong('The technique "targeted" needs a category to look for, such as "encryption" or "iam".');
  }
  const known = loadAssignments();
  const requirements = known.frameworks[framework].map((requirement) => `- ${requirement}`).join('\n');
  const task = fillTemplate(known.techniques[technique], { category: category ?? '', requirements });
  if (specialists === undefined) {
    if (combine === 'union') return [task];
    throw wrong(`There is nobody to ${combine === 'debate' ? 'debate' : 'vote'} with: name the specialists.`);
  }
  const names = specialists === true ? Object.keys(known.specialists) : specialists;
  if (names.length === 0) throw wrong('The ensemble is empty: name its specialists, or leave them out.');
  return [...new Set(names)].map((name) => {
    check('specialist', name, Object.keys(known.specialists));
    return `${known.specialists[name]}\n\n${task}`;
  });
}

function check(option: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return;
  const hint = suggestion(value, known, `known are ${known.join(', ')}`);
  throw wrong(`There is no ${option} ${JSON.stringify(value)}: ${hint}`);
}

function wrong(message: string): BlueTeamError {
  return new BlueTeamError('BLUE_OPTIONS', message);
}

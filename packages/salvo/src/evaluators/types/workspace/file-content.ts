import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { plainPath } from '../../../text/glob.ts';
import { compilePattern } from '../../../text/pattern.ts';
import type { FileRecord, Trace } from '../../../trace/trace.ts';
import type { Evaluation, Evaluator } from '../../evaluator.ts';
import { shorten, showPlace, showValue } from '../../show-value.ts';

type ContainsAssertion = AssertionOf<'file_contains'> | AssertionOf<'file_not_contains'>;
type MatchesAssertion = AssertionOf<'file_matches'> | AssertionOf<'file_not_matches'>;

/** Passes if the file contains all texts. Unlike in an answer, every character counts: files are read by programs. */
export const evaluateFileContains: Evaluator<AssertionOf<'file_contains'>> = (assertion, trace) =>
  onFile(assertion.path, trace, (content) => {
    const wanted = [assertion.value].flat();
    const missing = wanted.filter((text) => placeOf(content, text, assertion) === -1);
    const { path } = assertion;
    if (missing.length === 0) return { score: 1, details: `${path} contains ${showValue(assertion.value)}` };
    const listed = missing.map((text) => showValue(text, 60)).join(', ');
    return {
      score: (wanted.length - missing.length) / wanted.length,
      passed: false,
      details: `${path} does not contain ${listed}: it is ${showValue(content)}`,
    };
  });

/** Passes if there is a file that contains none of the texts. */
export const evaluateFileNotContains: Evaluator<AssertionOf<'file_not_contains'>> = (assertion, trace) =>
  onFile(assertion.path, trace, (content) => {
    const { path } = assertion;
    const found = [assertion.value].flat().flatMap((text) => {
      const start = placeOf(content, text, assertion);
      return start === -1 ? [] : [`${showValue(text, 60)} ${showPlace(content, { start, end: start + text.length })}`];
    });
    if (found.length === 0) return { score: 1, details: `${path} does not contain ${showValue(assertion.value)}` };
    return { score: 0, details: `${path} contains ${found.join(', ')}` };
  });

export const evaluateFileMatches: Evaluator<AssertionOf<'file_matches'>> = (assertion, trace) =>
  onPattern(assertion, trace, true);

export const evaluateFileNotMatches: Evaluator<AssertionOf<'file_not_matches'>> = (assertion, trace) =>
  onPattern(assertion, trace, false);

function onPattern({ path, pattern: written }: MatchesAssertion, trace: Trace, wanted: boolean): Evaluation {
  return onFile(path, trace, (content) => {
    const pattern = compilePattern(written);
    const [match] = pattern.test(content) ? pattern.matches(content) : [];
    const place = match ? `matches /${shorten(written, 120)}/ ${showPlace(content, match)}` : '';
    if (match) return { score: wanted ? 1 : 0, details: `${path} ${place}` };
    const rest = wanted ? `: it is ${showValue(content)}` : '';
    return { score: wanted ? 0 : 1, details: `${path} does not match /${shorten(written, 120)}/${rest}` };
  });
}

const WITHOUT_CONTENT: Record<NonNullable<FileRecord['without_content']>, string> = {
  binary: 'it is no text',
  too_large: 'it has more than 256 KB',
  too_many: 'the trial changed more than 2 MB of files',
  unreadable: 'it could not be read',
};

/** The evaluation of a file's text after the trial. It is not scored if the trace does not have it. */
function onFile(path: string, { workspace }: Trace, evaluate: (content: string) => Evaluation): Evaluation {
  if (!workspace) return unscored('the trace has no workspace');
  const file = workspace.files.find((each) => each.path === plainPath(path));
  if (file?.content !== undefined) return evaluate(file.content);
  if (file?.change === 'deleted') return { score: 0, details: `the agent deleted ${path}` };
  if (file?.change === 'missing') return { score: 0, details: `there is no file ${path} after the trial` };
  if (file?.link !== undefined)
    return { score: 0, details: `${path} is a link to ${showValue(file.link)}, and no file` };
  if (file?.without_content)
    return unscored(`the trace does not have ${path}: ${WITHOUT_CONTENT[file.without_content]}`);
  if (workspace.problem !== undefined) return unscored(`the files after the trial are not known: ${workspace.problem}`);
  return unscored(`the trace does not have ${path}, which no assertion read when the trial ran. Run it again`);
}

function unscored(details: string): Evaluation {
  return { score: null, details };
}

function placeOf(content: string, text: string, { case_sensitive }: Pick<ContainsAssertion, 'case_sensitive'>): number {
  return case_sensitive ? content.indexOf(text) : content.toLowerCase().indexOf(text.toLowerCase());
}

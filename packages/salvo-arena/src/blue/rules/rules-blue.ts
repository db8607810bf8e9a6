import type { Reach } from '../../iac/evaluate/scope.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import { type BlueTeam, type NotCovered, notCoveredText, toolMetadata } from '../blue-team.ts';
import { BlueTeamError, NotCoveredError } from '../blue-team-error.ts';
import { ruleCoverage } from './rule-coverage.ts';
import { runRules } from './run-rules.ts';

/**
 * The embedded Blue Team: our own rules, without a model, a scanner or the network. With the full reach, they see what
 * Terraform and CloudFormation themselves would.
 */
export function createRulesBlue({ reach = 'plain' }: { reach?: Reach } = {}): BlueTeam {
  const name = reach === 'full' ? 'rules:full' : 'rules';
  return {
    name,
    async analyze({ files, language, signal }) {
      signal?.throwIfAborted();
      const project = await parseCode(files);
      const wanted = project.files.filter((file) => language === undefined || file.language === language);
      const { covered, notCovered } = ruleCoverage(files, wanted);
      if (wanted.length === 0 && notCovered.length === 0) {
        throw new NotCoveredError(`There is no ${language ?? 'Terraform or CloudFormation'} code to analyze.`);
      }
      const [broken] = wanted.flatMap(({ file, problems }) => problems.map((problem) => ({ file, ...problem })));
      // The rest of a broken file is still read. If nothing can be read, "no findings" would be wrong.
      if (broken && wanted.every(({ blocks, attributes }) => blocks.length + attributes.length === 0)) {
        const { file, line, column, message } = broken;
        throw new BlueTeamError(
          'CODE_UNREADABLE',
          `None of the code can be read: ${file}:${line}:${column}: ${message}.`,
        );
      }
      const findings = runRules({ files: wanted }, { reach });
      // Rules about secrets look at all code. What they find counts, but finding nothing would say nothing.
      if (covered === 0 && notCovered.length > 0 && findings.length === 0) throw uncovered(notCovered);
      return { findings, metadata: { ...toolMetadata(name), not_covered: notCovered } };
    },
  };
}

function uncovered(notCovered: readonly NotCovered[]): NotCoveredError {
  const what = `The rules look at Terraform and CloudFormation code for AWS, and this is ${notCoveredText(notCovered)}.`;
  return new NotCoveredError(`Not covered. ${what}`, notCovered);
}

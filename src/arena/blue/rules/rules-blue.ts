import { parseCode } from '../../../iac/syntax/parse-code.ts';
import type { BlueTeam } from '../blue-team.ts';
import { toolMetadata } from '../blue-team.ts';
import { BlueTeamError } from '../blue-team-error.ts';
import { runRules } from './run-rules.ts';

/** The embedded Blue Team: our own rules, without a model, a scanner or the network. */
export function createRulesBlue(): BlueTeam {
  return {
    name: 'rules',
    async analyze({ files, language, signal }) {
      signal?.throwIfAborted();
      const project = await parseCode(files);
      const wanted = project.files.filter((file) => language === undefined || file.language === language);
      if (wanted.length === 0) {
        throw new BlueTeamError('NO_CODE', `There is no ${language ?? 'Terraform or CloudFormation'} code to analyze.`);
      }
      const [broken] = wanted.flatMap(({ file, problems }) => problems.map((problem) => ({ file, ...problem })));
      // The rest of a broken file is still read. If nothing can be read, "no findings" would be wrong.
      if (broken && wanted.every(({ blocks, attributes }) => blocks.length + attributes.length === 0)) {
        const { file, line, column, message } = broken;
        throw new BlueTeamError(
          'UNREADABLE_CODE',
          `None of the code can be read: ${file}:${line}:${column}: ${message}.`,
        );
      }
      return {
        findings: runRules({ files: wanted }),
        metadata: toolMetadata('rules'),
      };
    },
  };
}

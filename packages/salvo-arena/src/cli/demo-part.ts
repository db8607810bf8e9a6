import type { DemoPart } from 'salvo/kit/commands';
import { exampleFolder } from 'salvo/kit/text';

/** What `salvo demo` shows of this package. */
export const DEMO_PART: DemoPart = {
  name: 'judge',
  example: exampleFolder('judge-agent', import.meta.url),
  steps: [
    {
      words:
        'Against the truth instead of a rubric: five flaws were planted in a Terraform file. Which of them do the reports of ' +
        'two scanners hold?',
      argv: ['score', '--red', 'manifest.json', '--blue', 'checkov.json', 'trivy.json'],
      lines: 20,
      summary: 'which planted flaws two scanners found',
    },
    {
      words:
        'Flaws need not be planted by hand. Red hides some in secure code, so that the truth is known, Blue (here: the ' +
        'built-in rules) looks for them, and the Judge decides:',
      argv: ['game', '--seed', '6', '--difficulty', 'hard'],
      lines: 14,
      summary: 'Red hides flaws, Blue looks for them',
    },
  ],
};

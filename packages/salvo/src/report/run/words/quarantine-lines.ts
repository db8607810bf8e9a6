import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import { formatPlural } from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';

const MOST_NAMED = 10;

/** What is in quarantine and how it did, what could leave it, and what counts again. */
export function quarantineLines(scenario: ScenarioSummary): string[] {
  const all = quarantinedParts(scenario);
  const active = all.filter(({ quarantine }) => quarantine.active);
  const ready = active.filter(({ scored, passed }) => scored > 0 && passed === scored);
  const ended = all.filter(({ quarantine }) => !quarantine.active);
  return [
    ...few(
      active,
      ({ name, quarantine: { until, reason }, passed, scored }) =>
        `in quarantine until ${until}: ${name} (${reason}), ${passed} of ${formatPlural(scored, 'trial')} passed`,
    ),
    ...few(
      ready,
      ({ name, scored }) =>
        `ready to leave quarantine: ${name}, ${scored === 1 ? 'its trial' : `all ${scored} trials`} passed`,
    ),
    ...few(ended, ({ name, quarantine: { until } }) => `the quarantine of ${name} ended on ${until}: it counts again`),
  ];
}

type Quarantined = ReturnType<typeof quarantinedParts>[number];

/** The cases of a scenario in quarantine, or the whole scenario. */
function quarantinedParts({ cases, name, quarantine, trials_scored, trials_passed }: ScenarioSummary) {
  if (cases.length === 0) {
    return quarantine ? [{ name, quarantine, scored: trials_scored, passed: trials_passed }] : [];
  }
  return cases.flatMap((each) =>
    each.quarantine && each.skipped === null
      ? [{ name: each.case, quarantine: each.quarantine, scored: each.trials_scored, passed: each.trials_passed }]
      : [],
  );
}

function few(parts: readonly Quarantined[], sentence: (part: Quarantined) => string): string[] {
  const lines = parts.slice(0, MOST_NAMED).map((part) => safeLine(sentence(part)));
  const rest = parts.length - lines.length;
  return rest > 0 ? [...lines, `and ${formatPlural(rest, 'more case')}`] : lines;
}

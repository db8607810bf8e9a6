/** What the figures of a game or a report mean. */
export function PrecisionNote({ isByTwin, className }: { isByTwin: boolean; className?: string | undefined }) {
  return (
    <p className={className}>
      {isByTwin
        ? 'By the twin: a finding that is also on the same code without the flaws is a false alarm. A consequence is a finding that a flaw caused, and that names another weakness. Consequences, duplicates and what was present before are no part of this precision.'
        : 'Precision is the share of all findings that match a flaw. Duplicates and consequences are findings that do not, so they lower it.'}
    </p>
  );
}

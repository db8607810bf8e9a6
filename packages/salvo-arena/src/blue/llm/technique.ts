/** How a model reviews code. */
export const TECHNIQUES = ['comprehensive', 'targeted', 'iterative', 'threat_model', 'compliance', 'precise'] as const;

export type Technique = (typeof TECHNIQUES)[number];

/** What the `compliance` technique checks against. */
export const FRAMEWORKS = ['hipaa', 'pci_dss', 'soc2', 'cis'] as const;

export type Framework = (typeof FRAMEWORKS)[number];

/** How the findings of an ensemble are combined. */
export const COMBINATIONS = ['union', 'vote', 'intersection', 'debate'] as const;

export type Combination = (typeof COMBINATIONS)[number];

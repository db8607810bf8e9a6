import fc from 'fast-check';

// Properties are tried with the same cases in every run. See docs/decisions/0071-properties-with-the-same-cases.md.
fc.configureGlobal({ seed: Number(process.env.SALVO_TEST_SEED ?? 1) });

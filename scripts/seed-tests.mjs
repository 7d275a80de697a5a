import fc from "fast-check";

// The same invented data in every run, so that what passes once passes again; another seed finds more.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) });

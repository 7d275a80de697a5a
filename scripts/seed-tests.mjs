import fc from "fast-check";

// Every run generates the same data, so that a passed test passes again; another seed finds more.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) });

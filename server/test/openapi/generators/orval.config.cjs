const [document, service] = [process.env.DOCUMENT, process.env.SERVICE];

module.exports = {
  reelscript: {
    input: document,
    output: { target: "orval.ts", client: "fetch", baseUrl: `${service}/api/v1` },
  },
};

const document = process.env.DOCUMENT;
const service = process.env.SERVICE;

module.exports = {
  reelscript: {
    input: document,
    output: { target: "orval.ts", client: "fetch", baseUrl: `${service}/api/v1` },
  },
};

interface CopyStep {
  readonly kind: "copy";
  readonly from: string | undefined;
  readonly owner: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
  readonly cwd: string;
}
interface RunStep {
  readonly kind: "run";
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}
type Step =
  | { readonly kind: "workdir"; readonly path: string }
  | { readonly kind: "packages"; readonly command: string }
  | CopyStep
  | RunStep;
export interface Stage {
  readonly image: string;
  readonly name: string | undefined;
  readonly steps: Step[];
  readonly env: Record<string, string>;
  workdir: string;
  user: string;
  entrypoint: readonly string[];
  command: readonly string[];
  healthcheck: readonly string[];
}
export type { CopyStep, RunStep };

/**
 * The steps of a Dockerfile by stage. Supports the instructions that ours uses and refuses all others, so that none is silently
 * skipped.
 */
export function readDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  const lines = text.replace(/\\\n/g, " ").split("\n");
  for (const line of lines.map((one) => one.trim()).filter((one) => one !== "" && !one.startsWith("#"))) {
    const [, word = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (word === "FROM") {
      const [, image, name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
      if (image === undefined) throw new Error(`cannot read: ${line}`);
      const commands = { entrypoint: [], command: [], healthcheck: [] };
      stages.push({ image, name, steps: [], env: {}, workdir: "/", user: "root", ...commands });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`before any FROM: ${line}`);
    switch (word) {
      case "WORKDIR":
        stage.workdir = rest;
        stage.steps.push({ kind: "workdir", path: rest });
        break;
      case "ENV":
        for (const pair of rest.split(/\s+/)) {
          const [, name, value] = /^(\w+)=([^"'\\$]*)$/.exec(pair) ?? [];
          if (name === undefined || value === undefined) throw new Error(`cannot read: ${line}`);
          stage.env[name] = value;
        }
        break;
      case "COPY": {
        const [, from, owner, paths] = /^(?:--from=(\S+)\s+)?(?:--chown=(\w+):\w+\s+)?([^-].*)$/.exec(rest) ?? [];
        if (paths === undefined) throw new Error(`cannot read: ${line}`);
        const all = paths.split(/\s+/);
        const sources = all.slice(0, -1);
        stage.steps.push({ kind: "copy", from, owner, sources, target: all.at(-1)!, cwd: stage.workdir });
        break;
      }
      case "RUN":
        // Packages of the system, which a machine without Docker may or may not have.
        if (rest.startsWith("apt-get update && apt-get install ")) {
          stage.steps.push({ kind: "packages", command: rest });
          break;
        }
        if (/(^|[\s=])\//.test(rest)) throw new Error(`names a path of the image, which exists only there: ${line}`);
        stage.steps.push({ kind: "run", command: rest, cwd: stage.workdir, env: { ...stage.env } });
        break;
      case "USER":
        stage.user = rest;
        break;
      case "ENTRYPOINT":
        stage.entrypoint = JSON.parse(rest) as string[];
        break;
      case "CMD":
        stage.command = JSON.parse(rest) as string[];
        break;
      case "HEALTHCHECK":
        stage.healthcheck = JSON.parse(rest.slice(rest.indexOf("["))) as string[];
        break;
      case "VOLUME":
      case "EXPOSE":
        break;
      default:
        throw new Error(`an instruction that is not known: ${line}`);
    }
  }
  return stages;
}

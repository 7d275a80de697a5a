import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { imageCommand, noModel, programsOfTests } from "../harness/start-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const directory = directoryOfTests();
const start = programsOfTests(directory);
// `npm start` finds one in its place, too.
beforeAll(() => placeMigratedDatabase(directory));

const statusOf = (url: string): Promise<number | string> =>
  fetch(url).then(
    ({ status }) => status,
    () => "closed",
  );

describe("a process that is asked to end", () => {
  test("by a supervisor first warns proxies; a second signal ends it immediately", async () => {
    const program = await start({ ...noModel, DRAIN_SECONDS: "600", METRICS_PORT: "0" });
    const { url, key } = program;
    const metrics = /metrics\s+(\S+)/.exec(program.printed())![1]!;
    expect(await statusOf(`${url}/readyz`)).toBe(200);
    const answer = await fetch(`${url}/healthz`);
    expect(answer.headers.get("connection")).toBe("keep-alive");
    // A call of which the service has the beginning when it ends, as the first answer shows.
    const late = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("utf8");
    let answered = "";
    late.on("data", (text: string) => (answered += text));
    late.write(`GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\nPATCH /api/v1/bio?dryRun=true HTTP/1.1\r\n`);
    await expect.poll(() => answered).toMatch(/^HTTP\/1.1 200 /);

    program.child.kill("SIGTERM");
    await expect.poll(() => statusOf(`${url}/readyz`)).toBe(503);
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ error: { code: "unavailable" } });
    expect(await statusOf(metrics.replace("/metrics", "/readyz"))).toBe(503);
    expect(await statusOf(`${url}/healthz`), "the process lives").toBe(200);
    expect((await rest(url, "/usage", { key })).status).toBe(200);
    expect((await fetch(`${url}/healthz`)).headers.get("connection"), "no connection is kept").toBe("close");
    expect(program.child.exitCode).toBeNull();

    program.child.kill("SIGTERM");
    await expect.poll(() => statusOf(`${url}/healthz`)).toBe("closed");
    answered = "";
    late.write(
      `host: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`,
    );
    await once(late, "close");
    expect(answered, "what is on its way is answered").toMatch(/^HTTP\/1.1 200 /);
    expect((await program.end("SIGTERM")).code).toBe(0);
  });

  test("npm start passes the signal on, and SIGINT waits for no proxy", async () => {
    const program = await start(noModel, ["npm", "start"]);
    const { url } = program;
    await program.end("SIGTERM");
    await expect.poll(() => statusOf(`${url}/healthz`)).toBe("closed");
    // The database is let go of, so that a start has it.
    let again = program;
    await expect
      .poll(async () => {
        again = await start({ ...noModel, DRAIN_SECONDS: "600" });
        return again.child.exitCode;
      })
      .toBeNull();
    expect((await again.end("SIGINT")).code).toBe(0);
  });
});

const canBeFirst = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status === 0;
if (!canBeFirst) console.warn("SKIPPED: unshare --pid is not possible here, so nothing is tested as process 1");

describe.skipIf(!canBeFirst)("process 1 of a container (runs where unshare --pid is possible)", () => {
  const inside = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"] as const;

  /** Lists the processes below `root`, which made the namespace. `inner` is the number of a process inside it. */
  async function processesBelow(
    root: number,
  ): Promise<{ pid: number; inner: number; name: string; state: string; command: string }[]> {
    const all = await Promise.all(
      (await readdir("/proc"))
        .filter((name) => /^\d+$/.test(name))
        .map(async (name) => {
          const text = await readFile(`/proc/${name}/status`, "utf8").catch(() => "");
          const field = (label: string): string => new RegExp(`^${label}:\\s+(.*)$`, "m").exec(text)?.[1] ?? "";
          const inner = Number(field("NSpid").split(/\s+/).at(-1));
          return {
            pid: Number(name),
            parent: Number(field("PPid")),
            inner,
            name: field("Name"),
            state: field("State"),
            command: await readFile(`/proc/${name}/cmdline`, "latin1").catch(() => ""),
          };
        }),
    );
    const below = new Set([root]);
    for (let grown = true; grown;) {
      grown = false;
      for (const { pid, parent } of all)
        if (below.has(parent) && !below.has(pid)) {
          below.add(pid);
          grown = true;
        }
    }
    return all.filter(({ pid }) => pid !== root && below.has(pid));
  }

  test.each([
    ["node itself", [process.execPath, "scripts/start.mjs"]],
    ["the command of the image", imageCommand],
  ] as const)("%s ends in order at SIGTERM, and leaves no dead child behind", async (_name, command) => {
    const data = await mkdtemp(path.join(directory, "first-"));
    await placeMigratedDatabase(data);
    const environment = { DATA_DIR: data, PLATFORMS: "instagram", SOURCES: "platform" };
    const program = await start(environment, [...inside, ...command]);
    const { url, key, standin: origin } = program;
    expect(program.printed(), "nothing is said of platforms that are off").not.toContain("need yt-dlp");
    const below = () => processesBelow(program.child.pid!);
    const first = (await below()).find(({ inner }) => inner === 1)!;
    expect(first.name).toMatch(_name === "node itself" ? /node/ : /sh/);

    // Its child for speech dies, is replaced and works. The service answers before it has started the child.
    const recognizers = async () =>
      (await below()).filter(({ command }) => command.includes("recognizer-child")).map(({ pid }) => pid);
    await expect.poll(recognizers).toHaveLength(1);
    const [recognizer] = await recognizers();
    process.kill(recognizer!, "SIGKILL");
    await expect.poll(recognizers).not.toContain(recognizer);
    expect(await transcribe(url, key, `${origin}/reel/CenOneSecon/`)).toMatchObject({ status: 200 });
    await expect.poll(async () => (await below()).filter(({ state }) => state.startsWith("Z"))).toEqual([]);

    process.kill(first.pid, "SIGTERM");
    await expect.poll(() => statusOf(`${url}/healthz`)).toBe("closed");
    await expect.poll(() => program.child.exitCode).toBe(0);
  });

  test("the entry program of the image reaps what others left behind", async () => {
    // Leaves a process behind, and says what becomes of it: nothing is left, or it is dead for a second and still there.
    const script = `
      left=$(sh -c 'sleep 0.2 >&- & echo $!') && dead=0
      while [ $dead -lt 10 ] && state=$(grep ^State: /proc/$left/status 2>&-)
      do case $state in *Z*) dead=$((dead + 1)) ;; esac; sleep 0.1; done
      [ $dead -lt 10 ] && echo gone || echo dead`;
    const fate = (...entry: string[]): string =>
      spawnSync(inside[0], [...inside.slice(1), ...entry, "sh", "-c", script], { encoding: "utf8" }).stdout.trim();
    const asNode = [
      process.execPath,
      "-e",
      'require("child_process").spawn(process.argv[1], process.argv.slice(2), { stdio: "inherit" })',
    ];
    expect(fate(...asNode), "without it a dead process stays").toBe("dead");
    expect(fate("sh", path.resolve("deploy/entry.sh"))).toBe("gone");
  });
});

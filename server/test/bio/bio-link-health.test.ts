import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProbeLink } from "../../src/adapters/guarded-fetch/probe-link.ts";
import { checkBioLinks } from "../../src/periodic/tasks.ts";
import type { LinkState } from "../../src/ports.ts";
import { listen } from "../harness/listen.ts";
import { nameServerOfTest } from "../harness/start-name-server.ts";
import { signIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const day = 86_400_000;

const service = serviceOfTests({ transcriber: null });
let site: Server;
let origin: string;
beforeAll(async () => {
  site = createServer(({ url = "" }, response) => {
    const status = Number(/^\/(\d{3})/.exec(url)?.[1] ?? 200);
    const to = new URL(url, "http://x").searchParams.get("to");
    response.writeHead(status, to === null ? {} : { location: to });
    // Nobody waits for the end of this.
    if (status === 200) response.write("x".repeat(100_000));
    else response.end();
  });
  ({ origin } = await listen(site));
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

test.each([
  ["/200", "fine"],
  ["/404", "gone"],
  ["/410", "gone"],
  ["/500", "unknown"],
  ["/403", "unknown"],
  ["/302?to=/404", "gone"],
  ["/301?to=/200", "fine"],
  ["/302?to=http://169.254.169.254/", "unknown"],
  ["/302?to=http://[", "unknown"],
] as const)("a link that answers %s is %s", async (path, state) => {
  const probe = createProbeLink({ origins: [origin], mayBePrivate: true });
  expect(await probe(origin + path, AbortSignal.timeout(120_000))).toBe(state);
});

test("loops and our own addresses prove nothing; private names count as missing", async () => {
  const probe = createProbeLink({ origins: [origin], mayBePrivate: true });
  expect(await probe(`${origin}/302?to=${encodeURIComponent("/302?to=/302")}`, AbortSignal.timeout(120_000))).toBe(
    "unknown",
  );
  const guarded = createProbeLink();
  for (const url of ["http://127.0.0.1/", "https://[::1]/", "http://10.1.2.3/"])
    expect(await guarded(url, AbortSignal.timeout(120_000)), url).toBe("unknown");
  const names = await nameServerOfTest({ "gone.example": null, "inner.example": "127.0.0.1" });
  const probeNamed = createProbeLink({ origins: ["https://*"], mayBePrivate: false, nameServers: [names.address] });
  const hosts = ["gone.example", "inner.example", "one.silent.example", "two.silent.example"];
  const states = hosts.map((host) => probeNamed(`https://${host}/`, AbortSignal.timeout(60_000)));
  expect(await Promise.all(states)).toEqual(["unresolved", "unresolved", "unknown", "unknown"]);
  expect(await guarded("http://localhost/", AbortSignal.timeout(120_000))).toBe("unresolved");
  expect(names.requestedNames, "and not the lookup that all others wait for").toEqual(new Set(hosts));
});

test("a link that fails for a day is marked until it answers", async () => {
  const person = await signIn(service, { email: "linked@example.com" });
  const links = ["fine", "gone", "unresolved", "unknown"].map((title) => ({ title, url: `https://${title}.example/` }));
  const { body } = await person.api("updateBioPage", {
    links: [...links, { title: "Mail", url: "mailto:a@example.com" }],
  });
  const ids: string[] = body.links.map(({ id }: { id: string }) => id);
  const requestedUrls: string[] = [];
  let answers: Record<string, LinkState> = { "gone.example": "gone", "unresolved.example": "unresolved" };
  const begin = service.clock.now().getTime();
  const look = async (hours: number) => {
    const now = new Date(begin + (hours / 24) * day);
    requestedUrls.length = 0;
    const probe = async (url: string): Promise<LinkState> => {
      requestedUrls.push(new URL(url).hostname.replace(".example", ""));
      return answers[new URL(url).hostname] ?? (url.includes("unknown") ? "unknown" : "fine");
    };
    const task = checkBioLinks(service.store.bioLinkHealth, probe, () => now);
    while (await task.run(now, AbortSignal.timeout(120_000)));
    service.clock.advance(now.getTime() - service.clock.now().getTime());
    return (await person.api("getBioLinkHealth")).body.failing;
  };
  await look(1);
  expect(requestedUrls, "nobody sees the page yet").toEqual([]);
  await person.api("claimBioHandle", { handle: "linked" });
  expect(await look(26)).toEqual([]);
  expect(requestedUrls.toSorted()).toEqual(["fine", "gone", "unknown", "unresolved"]);
  expect(await look(30)).toEqual([]);
  expect(requestedUrls, "once a day").toEqual([]);
  const failing = await look(51);
  expect(failing).toMatchObject([
    {
      id: ids[1],
      url: "https://gone.example/",
      problem: "gone",
      since: new Date(begin + (26 / 24) * day).toISOString(),
    },
    { id: ids[2], url: "https://unresolved.example/", problem: "unresolved" },
  ]);
  answers = { "unresolved.example": "unresolved" };
  expect(await look(76)).toMatchObject([{ id: ids[2] }]);
  await person.api("updateBioPage", { links: [{ id: ids[2], title: "New", url: "https://new.example/" }] });
  expect((await person.api("getBioLinkHealth")).body.failing).toEqual([]);
  await look(101);
  expect(requestedUrls).toEqual(["new"]);
});

test("a page of many links that never answer delays no other page's link", async () => {
  const greedy = await signIn(service, { email: "many@example.com" });
  const small = await signIn(service, { email: "few@example.com" });
  const links = Array.from({ length: 20 }, (_, index) => ({ title: "Slow", url: `https://slow${index}.example/` }));
  await greedy.api("updateBioPage", { links });
  await greedy.api("claimBioHandle", { handle: "manylinks" });
  await small.api("updateBioPage", { links: [{ title: "Shop", url: "https://shop.example/" }] });
  await small.api("claimBioHandle", { handle: "fewlinks" });
  const stopping = new AbortController();
  const probedHosts: string[] = [];
  const probe = async (url: string, signal: AbortSignal): Promise<LinkState> => {
    probedHosts.push(new URL(url).hostname);
    if (!url.includes("slow")) return "fine";
    return new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
    );
  };
  const now = (): Date => service.clock.now();
  const run = checkBioLinks(service.store.bioLinkHealth, probe, now).run(now(), stopping.signal);
  await expect.poll(() => probedHosts).toContain("shop.example");
  expect(probedHosts.filter((host) => host.startsWith("slow"))).toHaveLength(1);
  stopping.abort(new Error("the test is over"));
  await expect(run).rejects.toThrow("the test is over");
});

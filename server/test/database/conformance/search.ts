import { beforeAll, describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { after, anAccount, transcribe, type Said } from "./fixtures.ts";

type Search = Parameters<Store["scripts"]["search"]>[1];

/** Name, caption, transcript. */
const texts = {
  english: ["Morning routine", "Don’t skip the WARM-UP: it’s how motivated people start. Receive 3 tips, for 2024!"],
  spanish: ["Receta fácil", "El corazón de la mañana, ¡qué acción! Los niños comen piña."],
  portuguese: ["Não é ficção", "Coração, ação e emoção: você já viu?"],
  french: ["L’été à Paris", "Un œuf, s’il vous plaît; Noël arrive, cœur léger. Elle l'aime."],
  german: ["Straßenfest", "Die Füße im Fluß: größer, schöner, Übung macht den Meister."],
  italian: ["Perché no?", "La città è più bella; l'università dell'arte."],
  hindi: ["सुबह की दिनचर्या", "ज़िंदगी में मेहनत करो।फिर सफलता मिलेगी। हाँ, क्\u200dष १२३"],
  tamil: ["காலை வணக்கம்", "நண்பர்களே, இன்று நாம் உடற்பயிற்சி செய்வோம்."],
  telugu: ["శుభోదయం", "మిత్రులారా, ఈ రోజు మనం వ్యాయామం చేద్దాం."],
  arabic: ["صباح الخير", "الكِتَابُ مفيد جدًا والمُعَلِّم كتب ١٢٣ كلمة في المدرسة، مـــرحبا"],
  indonesian: ["Selamat pagi", "Semangat belajar setiap hari, teman-teman!"],
} as const;
type Name = keyof typeof texts;

export function search(store: Store): void {
  describe("searching words", () => {
    let accountId = "";
    const names = new Map<string, Name>();
    const namesFor = async (query: string, changes: Partial<Search> = {}) => {
      const { scripts, total } = await store.scripts.search(accountId, {
        query,
        sort: "date",
        limit: 50,
        ...changes,
      });
      expect(scripts).toHaveLength(total);
      return scripts.map(({ transcript }) => names.get(transcript.reel.mediaId) ?? "stranger").toSorted();
    };

    beforeAll(async () => {
      accountId = (await anAccount(store)).id;
      const stranger = (await anAccount(store)).id;
      for (const [name, [caption, text]] of Object.entries(texts)) {
        const { reel } = await transcribe(store, accountId, { caption, text, handle: `Maker.${name}` });
        names.set(reel.mediaId, name as Name);
        await transcribe(store, stranger, { caption, text });
      }
    });

    const cases: [string, Name[]][] = [
      // Case, accents and ligatures fold both ways.
      ["MORNING", ["english"]],
      ["dont", ["english"]],
      ["don't", ["english"]],
      ["don’t skip", ["english"]],
      ["corazon", ["spanish"]],
      ["CORAZÓN", ["spanish"]],
      ["corazo\u0301n", ["spanish"]],
      ["coracao", ["portuguese"]],
      ["acao", ["portuguese"]],
      ["ete", ["french"]],
      ["l'ete", ["french"]],
      ["oeuf", ["french"]],
      ["coeur", ["french"]],
      ["noel", ["french"]],
      ["fuße", ["german"]],
      ["FÜSSE", ["german"]],
      ["fluss", ["german"]],
      ["citta", ["italian"]],
      ["perche", ["italian"]],
      ["universita", ["italian"]],
      ["semangat", ["indonesian"]],
      // Scripts whose vowel signs are marks; danda between words; joiners and nukta do not matter.
      ["मेहनत", ["hindi"]],
      ["करो", ["hindi"]],
      ["फिर", ["hindi"]],
      ["क्ष", ["hindi"]],
      ["जिंदगी", ["hindi"]],
      ["ज\u093cिंदगी", ["hindi"]],
      ["हां", ["hindi"]],
      ["நண்பர்களே", ["tamil"]],
      ["உடற்பயிற்சி", ["tamil"]],
      ["నేను", []],
      ["వ్యాయామం", ["telugu"]],
      ["మిత్రులారా ఈ", ["telugu"]],
      // Arabic: vowel signs, tatweel, letter shapes, the article on either side.
      ["الكتاب", ["arabic"]],
      ["كتاب", ["arabic"]],
      ["والمعلم", ["arabic"]],
      ["معلم", ["arabic"]],
      ["مدرسه", ["arabic"]],
      ["المدرسة", ["arabic"]],
      ["مرحبا", ["arabic"]],
      // Digits of every script.
      ["123", ["arabic", "hindi"]],
      ["१२३", ["arabic", "hindi"]],
      // All words, in any order; the last one may be unfinished while nothing follows it.
      ["tips receive", ["english"]],
      ["tips coração", []],
      ["motiv", ["english"]],
      ["motivat ", []],
      ["motivat tips", []],
      // Other forms of a word; never of a phrase.
      ["motivating ", ["english"]],
      ["niño ", ["spanish"]],
      ["receives tip ", ["english"]],
      ['"receive 3 tip"', []],
      ["ti", ["english"]],
      ["t ", ["english"]],
      ["உடற்ப", ["tamil"]],
      ["వ్యా", ["telugu"]],
      ["सफल", ["hindi"]],
      ["الكت", ["arabic"]],
      ["الكتا", ["arabic"]],
      ["warm-up", ["english"]],
      // Phrases are in order, and do not run from the caption into the transcript.
      ['"skip the warm up"', ["english"]],
      ['"the skip"', []],
      ['"corazón de la manana"', ["spanish"]],
      ['"कर"', []],
      ['"मेहनत करो फिर"', ["hindi"]],
      ['"receive 3 tips" morn', ["english"]],
      ['"motiv"', []],
      ['"morning routine"', ["english"]],
      ['"routine don’t"', []],
      ['"الكتاب مفيد"', ["arabic"]],
      ['"receive 3', ["english"]],
      // Whatever marks a keyboard or a program quotes with.
      ["“skip the warm up”", ["english"]],
      ["”skip the warm up“", ["english"]],
      ["„skip the warm up“", ["english"]],
      ["«skip the warm up»", ["english"]],
      ["»skip the warm up«", ["english"]],
      ["＂skip the warm up＂", ["english"]],
      ["「skip the warm up」", ["english"]],
      ["‘don’t skip’", ["english"]],
      ["“the skip”", []],
      ["‘the skip’", []],
      ["«the skip»", []],
    ];
    test.each(cases)("%j", async (query, expected) => {
      expect(await namesFor(query)).toEqual([...expected].toSorted());
    });

    test.each(["", " ", "\n\t"])("the empty query %j lists everything", async (query) => {
      expect(await namesFor(query)).toHaveLength(Object.keys(texts).length);
    });

    test.each(["!!!", "' & | ! ( ) :* <->", "\0", "\u200b", "👍".repeat(500), '""', '" "', "\\", "'", "\ud800"])(
      "a query without words matches nothing: %j",
      async (query) => {
        expect(await namesFor(query)).toEqual([]);
      },
    );

    test("strange queries never fail", async () => {
      expect(await namesFor("receive\0tips")).toEqual(["english"]);
      expect(await namesFor("receive' | 'x")).toEqual([]);
      expect(await namesFor("receive & !tips")).toEqual(["english"]);
      expect(await namesFor(`#${accountId}`)).toEqual([]);
      expect(await namesFor("receive:*B \\ tips")).toEqual([]);
      expect(await namesFor("x".repeat(100_000))).toEqual([]);
      expect(await namesFor("tips ".repeat(5_000))).toEqual(["english"]);
      expect(await namesFor(Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(" "))).toEqual([]);
      expect(await namesFor(`"${"tips ".repeat(5_000)}"`)).toEqual([]);
      expect(await namesFor("\ud800 tips \udfff")).toEqual(["english"]);
    });

    test("a handle is compared without case and without a leading @", async () => {
      for (const handle of ["maker.french", "@Maker.French", " MAKER.FRENCH"]) {
        expect(await namesFor("", { handle })).toEqual(["french"]);
        expect(await namesFor("oeuf", { handle })).toEqual(["french"]);
        expect(await namesFor("tips", { handle })).toEqual([]);
      }
      for (const handle of ["maker", "@", "", "x' | '@maker.french", "\\", "\0"])
        expect(await namesFor("", { handle })).toEqual([]);
    });

    test("an unknown account has nothing", async () => {
      for (const query of ["", "tips"])
        expect(await store.scripts.search("acc_nobody", { query, sort: "views", limit: 5 })).toEqual({
          scripts: [],
          total: 0,
        });
    });
  });

  describe("signs and forms of words", () => {
    let accountId = "";
    const said: readonly [text: string, caption?: string][] = [
      ["We learn C++ and C# today."],
      ["Vitamin C is good, and the c of NET."],
      ["It costs $100, now 50% off.", "Big sale 🔥👍🏽"],
      ["A hundred, 100, and 50 of them. Salt and pepper."],
      ["The .NET course, salt & pepper.", "🇧🇷 👨‍👩‍👧 ❤️"],
      ["Your landlord called."],
      ["Two landlords met."],
      ["Landlords again."],
    ];
    const searchIndices = async (query: string, changes: Partial<Search> = {}) => {
      const page = await store.scripts.search(accountId, { query, sort: "date", limit: 50, ...changes });
      return {
        ...page,
        indices: page.scripts.map(({ transcript }) => said.findIndex(([text]) => text === transcript.text)),
      };
    };

    beforeAll(async () => {
      accountId = (await anAccount(store)).id;
      for (const [index, [text, caption = null]] of said.entries())
        await transcribe(store, accountId, { text, caption, views: index }, after(index));
    });

    test.each<[string, number[]]>([
      ["c++", [0]],
      ["C++ ", [0]],
      ["Ｃ＋＋", [0]],
      ["c#", [0]],
      ["c ", [1, 0]],
      [".net", [4]],
      ["$100", [2]],
      ["$10", [2]],
      ["$1 ", []],
      ["100", [3, 2]],
      ["50%", [2]],
      ["50٪", [3, 2]],
      ["🔥", [2]],
      ["👍", [2]],
      ["👍🏿", []],
      ["🇧🇷", [4]],
      ["🇫🇷", []],
      ["👨‍👩‍👧", [4]],
      ["❤", [4]],
      ["sale 🔥", [2]],
      ['"sale 🔥"', [2]],
      ["&", [4]],
      ["salt & pepper", [4, 3]],
      ['"c++ and c#"', [0]],
      ["#landlord ", [5, 7, 6]],
      ["landlord ", [5, 7, 6]],
      ["landlord", [7, 6, 5]],
      ["landlords", [7, 6, 5]],
      ["“landlords”", [7, 6]],
    ])("%j finds %j", async (query, indices) => {
      expect((await searchIndices(query)).indices).toEqual(indices);
      expect((await searchIndices(query)).total).toBe(indices.length);
    });

    test("the very words come first in every order, over pages of one", async () => {
      for (const [sort, indices] of [
        ["views", [7, 6, 5]],
        ["date", [7, 6, 5]],
      ] as const) {
        const seen: number[] = [];
        let next: Search["after"];
        do {
          const page = await searchIndices("landlords ", { sort, limit: 1, after: next });
          seen.push(...page.indices);
          expect(page.total).toBe(3);
          next = page.next;
        } while (next !== undefined);
        expect(seen).toEqual(indices);
      }
    });
  });

  describe("what people type", () => {
    let accountId = "";
    const said: readonly [text: string, changes?: Partial<Said>][] = [
      ["Today: node.js with wi-fi in the U.S.A., for 10,000 people."],
      ["Today nodejs with wifi in the USA, for 10000 people."],
      ["One touch tone phone."],
      ["One touchtone phone."],
      ["हिंदी का संबंध"],
      ["हिन्दी का सम्बन्ध"],
      ["Herr Müller übt."],
      ["Herr Mueller uebt."],
      ["Bread again.", { handle: "office.bloopers", displayName: "Funny Desk Ltd." }],
      ["It's 3.5 meters, an e-mail and a T-shirt."],
      ["Two weasels ran, and the weasels slept."],
    ];
    const findPlaces = async (query: string) => {
      const page = await store.scripts.search(accountId, { query, sort: "date", limit: 50 });
      return page.scripts.map(({ transcript }) => said.findIndex(([text]) => text === transcript.text));
    };

    beforeAll(async () => {
      accountId = (await anAccount(store)).id;
      for (const [place, [text, changes]] of said.entries())
        await transcribe(store, accountId, { text, caption: null, handle: "someone", ...changes }, after(place));
    });

    test.each<[string, number[]]>([
      ["nodejs ", [1, 0]],
      ["node.js ", [0, 1]],
      ["Node.j", [1, 0]],
      ["wifi ", [1, 0]],
      ["wi-fi ", [0, 1]],
      ["USA ", [1, 0]],
      ["U.S.A. ", [0, 1]],
      ["10000 ", [1, 0]],
      ["10,000 ", [0, 1]],
      ["10.000 ", [0, 1]],
      ["touch tone ", [2, 3]],
      ["touch ton", [2, 3]],
      ["one touch tone ", [2, 3]],
      ["email ", [9]],
      ["e-mail ", [9]],
      ["tshirt ", [9]],
      ["35 ", []],
      ["हिन्दी ", [5, 4]],
      ["हिंदी ", [5, 4]],
      ["सम्बन्ध ", [5, 4]],
      ["mueller ", [7, 6]],
      ["Müller ", [6, 7]],
      ["muller ", [6]],
      ["übt ", [6, 7]],
      ["@office.bloopers", [8]],
      ["bloopers", [8]],
      ["officebloopers ", [8]],
      ["funny desk ", [8]],
      ["bloopers bread", [8]],
    ])("%j finds %j", async (query, places) => {
      expect(await findPlaces(query)).toEqual(places);
    });

    test("a corrected script keeps the names of its account", async () => {
      const { id } = await anAccount(store);
      await transcribe(store, id, { text: "Bred again.", caption: null, handle: "night_baker", displayName: "Ana" });
      const [script] = (await store.scripts.search(id, { sort: "date", limit: 1 })).scripts;
      await store.corrections.change(id, script!.id, () => ["Bread again."], after(100));
      for (const query of ["night_baker", "nightbaker", "ana ", "bread"])
        expect((await store.scripts.search(id, { query, sort: "date", limit: 1 })).total, query).toBe(1);
    });

    test.each([
      ["weasles", "weasels"],
      ["weasel", "weasels"],
      ["wesels", "weasels"],
      ["xeasels", "weasels"],
      ["bloopres", "bloopers"],
      ["phone", "phone"],
    ])("a word like %j is %j", async (word, similar) => {
      expect(await store.scripts.similarWords(accountId, [word])).toContainEqual({ word, similar });
    });

    test("the parts of a word are found, and nobody else's words", async () => {
      const parts = await store.scripts.similarWords(accountId, ["breadagain"]);
      expect(parts.map(({ similar }) => similar)).toEqual(expect.arrayContaining(["again", "bread"]));
      expect(await store.scripts.similarWords((await anAccount(store)).id, ["weasles"])).toEqual([]);
      expect(await store.scripts.similarWords("acc_nobody", ["weasles"])).toEqual([]);
    });

    test("similar words come from the newest 4 MB of tokens", async () => {
      const { id } = await anAccount(store);
      const similar = () => store.scripts.similarWords(id, ["weasles"]);
      await transcribe(store, id, { text: "weasels" }, after(0));
      expect(await similar()).toEqual([{ word: "weasles", similar: "weasels" }]);
      for (let place = 1; place <= 5; place += 1) {
        const words = Array.from({ length: 15_000 }, (_, index) => `${place}${"y".repeat(44)}${10_000 + index}`);
        await transcribe(store, id, { text: words.join(" ") }, after(place));
      }
      expect(await similar()).toEqual([]);
    });
  });

  describe("sorting scripts", () => {
    let accountId = "";
    const reels: Record<string, Said> = {
      first: { views: 100, likes: 10, comments: 0 },
      second: { views: 1_000, likes: 5, comments: 5 },
      third: { views: 100, likes: null, comments: 3 },
      fourth: { views: null, likes: 7, comments: 7 },
      fifth: { views: 0, likes: 3, comments: 3 },
      sixth: { views: 100, likes: 5, comments: 5 },
    };
    const listNames = async (sort: Search["sort"], changes: Partial<Search> = {}) => {
      const { scripts, total } = await store.scripts.search(accountId, { sort, limit: 50, ...changes });
      return { names: scripts.map(({ transcript }) => transcript.text.split(" ")[1]), total };
    };

    beforeAll(async () => {
      accountId = (await anAccount(store)).id;
      let seconds = 0;
      // The last two come at one moment: the later one is the newer.
      for (const [name, said] of Object.entries(reels))
        await transcribe(
          store,
          accountId,
          { ...said, text: `common ${name}` },
          after((seconds = Math.min(seconds + 1, 5))),
        );
    });

    test.each([{}, { query: "common" }])(
      "unknown values come last, and ties are broken by age: %j",
      async (narrowed) => {
        expect(await listNames("date", narrowed)).toEqual({
          names: ["sixth", "fifth", "fourth", "third", "second", "first"],
          total: 6,
        });
        expect(await listNames("views", narrowed)).toEqual({
          names: ["second", "sixth", "third", "first", "fifth", "fourth"],
          total: 6,
        });
        expect(await listNames("engagement", narrowed)).toEqual({
          names: ["sixth", "first", "second", "fifth", "fourth", "third"],
          total: 6,
        });
      },
    );

    test.each([{}, { query: "common" }])("the total counts all matches: %j", async (narrowed) => {
      expect(await listNames("views", { ...narrowed, limit: 2 })).toEqual({ names: ["second", "sixth"], total: 6 });
      expect(await listNames("views", { query: "common th", limit: 2 })).toEqual({ names: ["third"], total: 1 });
    });
  });

  test("the longest texts can be stored and searched", async () => {
    const { id } = await anAccount(store);
    const many = Array.from({ length: 40_000 }, (_, index) => `${"ಅ".repeat(55)}${index}`).join(" ");
    await transcribe(store, id, { caption: "x".repeat(5_000), text: `${many} end`, handle: "h'\\ \0".repeat(100) });
    await transcribe(store, id, { text: `${"same ".repeat(20_000)}` });
    expect((await store.scripts.search(id, { query: `${"ಅ".repeat(55)}12`, sort: "date", limit: 5 })).total).toBe(1);
    expect((await store.scripts.search(id, { query: "same", sort: "date", limit: 5 })).total).toBe(1);
  });
}

import type { BioAnalytics } from "@reelscript/contract";
import { useState, type ReactNode } from "react";
import { BarList } from "../../charts/chart-figure.tsx";
import { counted, exactNumber, percent, countryName } from "../../format.ts";

const shownAtFirst = 8;
const devices: Readonly<Record<BioAnalytics["devices"][number]["device"], string>> = {
  mobile: "Phone",
  tablet: "Tablet",
  desktop: "Computer",
  unknown: "Not known",
};

const siteNames: Readonly<Record<string, string>> = {
  "instagram.com": "Instagram",
  "facebook.com": "Facebook",
  "messenger.com": "Messenger",
  "threads.net": "Threads",
  "tiktok.com": "TikTok",
  "youtube.com": "YouTube",
  "x.com": "X",
  "linkedin.com": "LinkedIn",
  "pinterest.com": "Pinterest",
  "snapchat.com": "Snapchat",
  "whatsapp.com": "WhatsApp",
  "telegram.org": "Telegram",
  "reddit.com": "Reddit",
  "google.com": "Google",
};

export function Sources({ analytics }: { readonly analytics: BioAnalytics }) {
  return (
    <div className="sources">
      <Source
        title="Came from"
        items={analytics.referrers.map(({ host, views }) => ({ name: host, views }))}
        shown={(host) => (host === null ? "Not known" : <bdi>{siteNames[host] ?? host}</bdi>)}
      />
      {analytics.countries && (
        <Source
          title="Countries"
          items={analytics.countries.map(({ country, views }) => ({ name: country, views }))}
          shown={(country) => (country === null ? "Not known" : countryName(country))}
        />
      )}
      <Source
        title="Devices"
        items={analytics.devices.filter(({ views }) => views > 0).map(({ device, views }) => ({ name: device, views }))}
        shown={(device) => devices[device]}
      />
    </div>
  );
}

interface SourceProps<Name extends string | null> {
  readonly title: string;
  readonly items: readonly { readonly name: Name; readonly views: number }[];
  readonly shown: (name: Name) => ReactNode;
}

function Source<Name extends string | null>({ title, items, shown }: SourceProps<Name>) {
  const [all, setAll] = useState(false);
  const total = items.reduce((sum, { views }) => sum + views, 0);
  const listed = all ? items : items.slice(0, shownAtFirst);
  return (
    <section className="card stack tight">
      <h2>{title}</h2>
      {items.length === 0 && <p className="meta">No view in this period.</p>}
      <BarList
        label={title}
        items={listed.map(({ name, views }) => ({
          key: String(name),
          name: shown(name),
          value: views,
          shown: (
            <>
              <span title={counted(views, "view", "views")}>{exactNumber(views)}</span>{" "}
              <small>{percent(total === 0 ? 0 : (views / total) * 100, 0)}</small>
            </>
          ),
        }))}
      />
      {items.length > shownAtFirst && (
        <button type="button" className="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${items.length}`}
        </button>
      )}
    </section>
  );
}

// Written by `npm run surface` from openapi.json: change scripts/n8n-fields.ts.
import type { INodeProperties } from "n8n-workflow";

export const apiFields = {
  "languageHint": {
    "displayName": "Language Hint",
    "name": "languageHint",
    "type": "options",
    "options": [
      {
        "name": "Arabic",
        "value": "ar"
      },
      {
        "name": "English",
        "value": "en"
      },
      {
        "name": "French",
        "value": "fr"
      },
      {
        "name": "German",
        "value": "de"
      },
      {
        "name": "Hindi",
        "value": "hi"
      },
      {
        "name": "Indonesian",
        "value": "id"
      },
      {
        "name": "Italian",
        "value": "it"
      },
      {
        "name": "Portuguese",
        "value": "pt"
      },
      {
        "name": "Spanish",
        "value": "es"
      },
      {
        "name": "Tamil",
        "value": "ta"
      },
      {
        "name": "Telugu",
        "value": "te"
      }
    ],
    "default": "en"
  },
  "language": {
    "displayName": "Language",
    "name": "language",
    "type": "options",
    "options": [
      {
        "name": "Arabic",
        "value": "ar"
      },
      {
        "name": "English",
        "value": "en"
      },
      {
        "name": "French",
        "value": "fr"
      },
      {
        "name": "German",
        "value": "de"
      },
      {
        "name": "Hindi",
        "value": "hi"
      },
      {
        "name": "Indonesian",
        "value": "id"
      },
      {
        "name": "Italian",
        "value": "it"
      },
      {
        "name": "No Speech",
        "value": "und"
      },
      {
        "name": "Portuguese",
        "value": "pt"
      },
      {
        "name": "Spanish",
        "value": "es"
      },
      {
        "name": "Tamil",
        "value": "ta"
      },
      {
        "name": "Telugu",
        "value": "te"
      }
    ],
    "default": "en"
  },
  "length": {
    "displayName": "Length",
    "name": "length",
    "type": "options",
    "options": [
      {
        "name": "Under 30 Seconds",
        "value": "under30s"
      },
      {
        "name": "30 to 60 Seconds",
        "value": "30to60s"
      },
      {
        "name": "1 to 3 Minutes",
        "value": "1to3min"
      },
      {
        "name": "Over 3 Minutes",
        "value": "over3min"
      }
    ],
    "default": "under30s"
  },
  "platform": {
    "displayName": "Platform",
    "name": "platform",
    "type": "options",
    "options": [
      {
        "name": "Instagram",
        "value": "instagram"
      },
      {
        "name": "TikTok",
        "value": "tiktok"
      },
      {
        "name": "YouTube",
        "value": "youtube"
      },
      {
        "name": "File",
        "value": "file"
      }
    ],
    "default": "instagram"
  },
  "sort": {
    "displayName": "Sort By",
    "name": "sort",
    "type": "options",
    "options": [
      {
        "name": "Engagement Rate",
        "value": "engagement"
      },
      {
        "name": "Last Posted",
        "value": "posted"
      },
      {
        "name": "Likes",
        "value": "likes"
      },
      {
        "name": "Newest",
        "value": "date"
      },
      {
        "name": "Views",
        "value": "views"
      }
    ],
    "default": "date"
  },
  "format": {
    "displayName": "Format",
    "name": "format",
    "type": "options",
    "options": [
      {
        "name": "SubRip (SRT)",
        "value": "srt"
      },
      {
        "name": "WebVTT",
        "value": "vtt"
      },
      {
        "name": "WebVTT with Word Times",
        "value": "vtt-words"
      },
      {
        "name": "Advanced SubStation Alpha (ASS)",
        "value": "ass"
      }
    ],
    "default": "srt"
  }
} satisfies Record<string, INodeProperties>;

/** Names of what identifies a visitor or lets somebody pass for one. */
const secrets = String.raw`(?:csrf_?token|lsd|fb_dtsg|jazoest|datr|mid|ig_did|ig_nrcb|sessionid|ds_user_id|rur|ps_[ln]|wd|machine_id|device_id|nonce|\w*claim|\w*token)`;
/** Query parameters that sign an address of media, and say to whom it was given. */
const signatures = String.raw`(?:oh|oe|_nc_\w+|ccb|edm|ig_cache_key|signature|hmac)`;
/** A quote, and an equals sign, in every depth of escaping. */
const quote = String.raw`(?:\\{0,8}"|&quot;|\\{0,8}u0022)`;
const equals = String.raw`(?:=|%3D|\\{0,8}u003d)`;

const rules: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`(${quote}${secrets}${quote}\s*:\s*${quote})(?:(?!${quote}).)+`, "gi"), "$1…"],
  [new RegExp(String.raw`(${quote}${secrets}${quote}\s*:\s*)-?\d+`, "gi"), "$1…"],
  // The script "__eqmc" has the token under one letter.
  [new RegExp(String.raw`(${quote}l${quote}\s*:\s*${quote})[\w:-]{8,}`, "g"), "$1…"],
  [
    new RegExp(
      String.raw`(${quote}(?:_js_)?${secrets}${quote}\s*:\s*\{\s*${quote}value${quote}\s*:\s*${quote})(?:(?!${quote}).)+`,
      "gi",
    ),
    "$1…",
  ],
  [new RegExp(String.raw`(name=["'\\]*${secrets}["'\\]*\s+value=["'\\]*)[^"'\\\s>]+`, "gi"), "$1…"],
  [/^((?:set-)?cookie:)[^\n\r]+/gim, "$1 …"],
  [new RegExp(String.raw`((?:^|[^\w])${secrets}${equals})[^&"'<>;,\\\s]+`, "gim"), "$1…"],
  [
    new RegExp(
      String.raw`((?:[?&;]|u0026|%26|%3F)${signatures}${equals})[^&"'<>;\\\s%]+(?:%[0-9a-f]{2}[^&"'<>;\\\s%]*)*`,
      "gi",
    ),
    "$1…",
  ],
];

/** An answer without cookies, tokens and the signatures of addresses. */
export const strikeOut = (text: string): string =>
  rules.reduce((left, [pattern, kept]) => left.replace(pattern, kept), text);

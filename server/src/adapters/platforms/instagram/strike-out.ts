/** Names of values that identify a visitor or grant a visitor's access. */
const secrets = String.raw`(?:csrf_?token|lsd|fb_dtsg|jazoest|datr|mid|ig_did|ig_nrcb|sessionid|ds_user_id|rur|ps_[ln]|wd|machine_id|device_id|nonce|\w*claim|\w*token)`;
/** Query parameters that sign a media address and name its recipient. */
const signatures = String.raw`(?:oh|oe|_nc_\w+|ccb|edm|ig_cache_key|signature|hmac)`;
/** A quote, or an equals sign, at any depth of escaping. */
const quote = String.raw`(?:\\{0,8}"|&quot;|\\{0,8}u0022)`;
const equals = String.raw`(?:=|%3D|\\{0,8}u003d)`;

/** Each captures the text before a secret, which stays. */
const patterns: readonly RegExp[] = [
  String.raw`(${quote}${secrets}${quote}\s*:\s*${quote})(?:(?!${quote}).)+`,
  String.raw`(${quote}${secrets}${quote}\s*:\s*)-?\d+`,
  String.raw`(${quote}(?:_js_)?${secrets}${quote}\s*:\s*\{\s*${quote}value${quote}\s*:\s*${quote})(?:(?!${quote}).)+`,
  String.raw`(name=["'\\]*${secrets}["'\\]*\s+value=["'\\]*)[^"'\\\s>]+`,
  String.raw`(^(?:set-)?cookie: ?)[^\n\r]+`,
  String.raw`((?:^|[^\w])${secrets}${equals})[^&"'<>;,\\\s]+`,
  String.raw`((?:[?&;]|u0026|%26|%3F)${signatures}${equals})[^&"'<>;\\\s%]+(?:%[0-9a-f]{2}[^&"'<>;\\\s%]*)*`,
].map((source) => new RegExp(source, "gim"));
/** The script "__eqmc" has the token under one letter. */
const oneLetter = new RegExp(String.raw`(${quote}l${quote}\s*:\s*${quote})[\w:-]{8,}`, "g");

/** A response without cookies, tokens and the signatures of addresses. */
export const strikeOut = (text: string): string =>
  [oneLetter, ...patterns].reduce((left, pattern) => left.replace(pattern, "$1…"), text);

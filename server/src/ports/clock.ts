/** All time comes from here, so that tests can move it. */
export interface Clock {
  now(): Date;
}

/** Makes a public id such as `acc_7Hq2…`: the prefix, an underscore, 16 random base62 characters. */
export type NewId = (
  prefix: "acc" | "key" | "scr" | "ses" | "shr" | "trn" | "rep" | "bio" | "lnk" | "idm" | "med" | "whk" | "msg",
) => string;

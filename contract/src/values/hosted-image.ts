const shape = /^(?:https?:\/\/[^/?#\\\s@]+)?(\/media\/images\/([\w-]{22})\.webp)$/;

/** The path of an image that a service stores, from its URL or the path itself; `undefined` for every other URL. */
export const hostedImagePath = (url: string): string | undefined => shape.exec(url)?.[1];

export const hostedImageId = (url: string): string | undefined => shape.exec(url)?.[2];

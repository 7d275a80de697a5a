/** True if only this machine can reach the address. */
export const isLoopback = (url: string): boolean => isLoopbackHost(new URL(url).hostname);

export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);

/** How the supervisor ends when its program cannot be started, as shells do. */
export const programIsMissing = 127;

// Locks a directory until it is told to end, and takes a while to end, as a service with work in hand does.
const [module, directory, milliseconds] = process.argv.slice(2);
const { lockDirectory, noPatience } = await import(module);
await lockDirectory(directory, noPatience);
process.on("SIGTERM", () => setTimeout(() => process.exit(), Number(milliseconds)));
process.stdout.write("locked");
setInterval(() => undefined, 1_000);

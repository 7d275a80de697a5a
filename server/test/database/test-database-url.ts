// oxlint-disable-next-line node/no-process-env -- tests take outside data by environment variables
export const testDatabaseUrl: string | undefined = process.env["TEST_DATABASE_URL"];

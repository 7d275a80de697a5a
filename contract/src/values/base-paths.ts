/** Where the REST operations live under the service's address; carries the major version. */
export const restBasePath = "/api/v1";

/** Where signed-in people reach all operations, with a session instead of a key. */
export const peopleBasePath = "/app/api";

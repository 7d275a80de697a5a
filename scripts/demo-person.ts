export interface Person {
  /** Sends a GET, or a POST with a body; returns the parsed response. */
  ask<Answer>(path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  /** The raw response to one request. */
  open(path: string, request: Request): Promise<Response>;
  /** Presses a button on somebody else's page. */
  press(address: string, button: string): Promise<unknown>;
}
type Request = Omit<RequestInit, "headers"> & {
  readonly form?: Record<string, string>;
  readonly headers?: Record<string, string>;
};
interface Visit {
  readonly response: Response;
  readonly address: string;
}

/** Simulates a person with a browser: keeps cookies, follows redirects, presses buttons. */
export async function signInAs(email: string, url: string): Promise<Person> {
  const cookies = new Map<string, string>();
  const visit = async (address: string, { form, headers, ...options }: Request = {}): Promise<Visit> => {
    const response = await fetch(address, {
      ...options,
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
      redirect: "manual",
      headers: {
        ...headers,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        origin: url,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get("location");
    return next === null ? { response, address } : visit(new URL(next, address).href);
  };

  const page = await visit(`${url}/auth/login`);
  await visit(page.address, { form: { email } });
  const ask = async <Answer>(path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> => {
    const { response } = await visit(`${url}/app/api${path}`, {
      ...(body && {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      }),
    });
    const answer = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    ask,
    open: async (path, request) => (await visit(`${url}/app/api${path}`, request)).response,
    press: (address, button) => visit(`${address}/${button}`, { form: {} }),
  };
}

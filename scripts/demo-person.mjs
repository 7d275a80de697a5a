/** Someone in a browser, without the browser: keeps cookies, follows redirects, presses buttons. */
export async function signInAs(email, url) {
  const cookies = new Map();
  const visit = async (address, { form, ...options } = {}) => {
    const response = await fetch(address, {
      ...options,
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
      redirect: "manual",
      headers: {
        ...options.headers,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        origin: url,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies.set(name, value);
    }
    const next = response.headers.get("location");
    return next === null ? { response, address } : visit(new URL(next, address).href);
  };

  const page = await visit(`${url}/auth/login`);
  await visit(page.address, { form: { email } });
  const ask = async (path, body) => {
    const { response } = await visit(`${url}/app/api${path}`, {
      ...(body && {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    ask,
    /** Presses a button of a page that is not ours to script. */
    press: (address, button) => visit(`${address}/${button}`, { form: {} }),
  };
}

/** A failed request. status 0: the network failed; code: that of the problem document. */
class Refusal extends Error {
  constructor(status, doc = {}, retryAfter = 0) {
    super(doc.title);
    Object.assign(this, { status, code: doc.code, turn: doc.turn, retryAfter });
  }
}

// Reports whether the same request may succeed later.
const passing = (err) => [0, 408, 425, 429, 500, 502, 503, 504].includes(err.status) || (err.status === 409 && err.code !== 'moved_on');

/** Sends requests as the user of the page, or as a visitor with a token of the service. */
function createVisit(options, storage) {
  let given; // the page's credential

  async function credential(old) {
    if (options.token) {
      if (!given || given === old) {
        try {
          given = await options.token();
        } catch {
          throw new Refusal(0);
        }
      }
      if (given) return given;
    }
    const { token } = storage.get(); // perhaps another tab has stored it
    if (token && token !== old) return token;
    const response = await request('visits', { method: 'POST' });
    const visit = await response.json().catch(() => { throw new Refusal(0); });
    storage.set({ token: visit.token, begun: false });
    return visit.token;
  }

  async function request(path, init) {
    let response;
    try {
      response = await fetch(new URL(`widget/${path}`, options.server), { ...init, credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' });
    } catch {
      throw new Refusal(0);
    }
    if (response.ok) return response;
    const doc = await response.json().catch(() => ({}));
    throw new Refusal(response.status, doc, Number(response.headers.get('Retry-After')) || 0);
  }

  return {
    /**
     * Sends a request. If the token has expired, it sends the request again with a new one; a visitor is then
     * another user.
     * @param {boolean} [stay] fail with the code "ended" before a visitor becomes another user
     */
    async ask(path, init = {}, stay = false) {
      for (let old; ;) {
        const token = await credential(old);
        const headers = { Authorization: `Bearer ${token}`, ...(options.user && { 'X-User-Id': options.user }), ...init.headers };
        try {
          return await request(path, { ...init, headers });
        } catch (err) {
          if (err.status !== 401 || old) throw err;
          old = token;
          if (token === given) continue;
          if (storage.get().token === token) storage.set({ token: undefined, begun: false });
          if (stay) throw Object.assign(err, { code: 'ended' });
        }
      }
    },
  };
}

/** The events of a stream. A comment yields an event without a name: it shows that the service is alive. */
async function* events(body) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  let name = '';
  let data = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      for (let end; (end = rest.indexOf('\n')) >= 0; rest = rest.slice(end + 1)) {
        const line = rest.slice(0, end);
        if (line.startsWith('event: ')) name = line.slice(7);
        else if (line.startsWith('data: ')) data.push(line.slice(6));
        else if (line === '' && name) {
          yield { name, data: data.join('\n') };
          [name, data] = ['', []];
        } else yield { name: '', data: '' };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

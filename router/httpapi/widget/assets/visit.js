/** Why there is no answer. status 0: the network; code: of the problem document. */
class Refusal extends Error {
  constructor(status, doc = {}, retryAfter = 0) {
    super(doc.title);
    Object.assign(this, { status, code: doc.code, turn: doc.turn, retryAfter });
  }
}

// After these the same request may fare better.
const passing = (err) => [0, 408, 425, 429, 500, 502, 503, 504].includes(err.status) || (err.status === 409 && err.code !== 'moved_on');

/** Requests as the user of the page, or as a visitor with a token that the service hands out. */
function createVisit(options, storage) {
  let given; // by the page

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
    const { token } = storage.get(); // of another tab, perhaps
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
     * Asks as the user, with a new token where the old one has ended. A visitor is then somebody else.
     * @param {boolean} [stay] fail instead, with the code "ended"
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

/** The events of a stream; a comment comes as one without a name and shows that the other side lives. */
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

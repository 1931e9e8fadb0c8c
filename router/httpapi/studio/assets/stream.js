// Server-sent events over fetch: an EventSource cannot send an Authorization header.

const longest = 1 << 20; // characters of a line; one without an end is not waited for

/**
 * The events of a stream. A comment comes as {event: "", data: ""}: it shows that the other
 * side lives.
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{event: string, data: string}>}
 */
export async function* events(body) {
  let event = '';
  let data = [];
  for await (const line of lines(body)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n') };
      event = '';
      data = [];
    } else if (line.startsWith(':')) {
      yield { event: '', data: '' };
    } else {
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') event = value;
      else if (field === 'data') data.push(value);
    }
  }
}

/** Lines that end in LF, CR LF or CR. What follows the last end is no line. */
async function* lines(body) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A CR at the end may be half of a CR LF: it waits for what comes next.
      for (let m; (m = /\r\n|\n|\r(?!$)/.exec(rest)); rest = rest.slice(m.index + m[0].length)) yield rest.slice(0, m.index);
      if (rest.length > longest) throw new Error('a line of the stream does not end');
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

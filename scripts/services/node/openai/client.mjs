// A conversation with an agent, held by OpenAI's own client.
//
//   node client.mjs FOLDER URL KEY WAY
//
// FOLDER has node_modules/openai, URL is the service's, KEY one of its keys. WAY is one of
// the names at the end of this file: how the client carries its session, or what goes wrong.
// The agent is the default one, on a database of its own: O-12345 is a wool blanket that has
// not shipped. It ends with status 0 if everything was as it should be.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, url, key, way] = process.argv.slice(2);
const require = createRequire(join(folder, 'package.json'));
const openai = require('openai');
const client = new openai.OpenAI({ apiKey: key, baseURL: url + '/v1', maxRetries: 0, timeout: 20_000 });
const model = 'shop';

// What is said, and what the answer must be like.
const lookup = [
  ['I want to check my order', /^What's your order number\?$/],
  ["It's O-12345", /O-12345, wool blanket, is pending/],
];
const cancel = [
  ['please cancel my order', /^Cancel order O-12345, wool blanket\?/],
  ['yes', /cancelled/i],
];
const afterwards = ['where is my order O-12345', /cancel/i];
const conversation = [...lookup, ...cancel, afterwards];

// completion asks for one and checks its shape, streamed or not.
async function completion(request, options, stream) {
  if (stream) return streamedCompletion(request, options);
  const { data, response } = await client.chat.completions.create({ model, ...request }, options).withResponse();
  assert.equal(data.object, 'chat.completion');
  assert.match(data.id, /^chatcmpl-/);
  assert.equal(data.model, model);
  assert.equal(data.choices.length, 1);
  assert.equal(data.choices[0].finish_reason, 'stop');
  assert.deepEqual(Object.keys(data.choices[0].message), ['role', 'content', 'refusal']);
  assert.equal(data.choices[0].message.role, 'assistant');
  assert.ok(data.usage.prompt_tokens > 0 && data.usage.total_tokens === data.usage.prompt_tokens + data.usage.completion_tokens);
  assert.equal(response.headers.get('x-conversation-id'), data.slotway.session_id);
  return { text: data.choices[0].message.content, turn: data.slotway };
}

async function streamedCompletion(request, options) {
  const stream = await client.chat.completions.create(
    { model, ...request, stream: true, stream_options: { include_usage: true } }, options);
  let text = '', turn, usage, ended, id;
  for await (const chunk of stream) {
    assert.equal(chunk.object, 'chat.completion.chunk');
    assert.equal(chunk.id, id ??= chunk.id);
    for (const choice of chunk.choices) {
      text += choice.delta.content ?? '';
      ended = choice.finish_reason ?? ended;
    }
    turn = chunk.slotway ?? turn;
    usage = chunk.usage ?? usage;
  }
  assert.equal(ended, 'stop');
  assert.ok(usage.total_tokens > 0);
  return { text, turn };
}

// response asks for one and checks its shape, streamed or not.
async function response(request, stream) {
  const got = stream ? await streamedResponse(request) : await client.responses.create({ model, ...request });
  assert.equal(got.object, 'response');
  assert.match(got.id, /^resp_/);
  assert.equal(got.status, 'completed');
  assert.equal(got.error, null);
  assert.equal(got.output.length, 1);
  assert.equal(got.output[0].content[0].text, got.output_text);
  assert.equal(got.usage.total_tokens, got.usage.input_tokens + got.usage.output_tokens);
  assert.equal(got.conversation.id, got.slotway.session_id);
  const again = await client.responses.retrieve(got.id);
  for (const item of got.output) for (const part of item.content) delete part.parsed; // the helper for streams adds it
  assert.deepEqual(again.output, got.output);
  assert.equal(again.created_at, got.created_at);
  return { text: got.output_text, turn: got.slotway, id: got.id, items: got.output };
}

// streamedResponse lets the client's own accumulator put the events together.
async function streamedResponse(request) {
  const stream = client.responses.stream({ model, ...request });
  let text = '', next = 0;
  for await (const event of stream) {
    assert.equal(event.sequence_number, next++);
    if (event.type === 'response.output_text.delta') text += event.delta;
  }
  const got = await stream.finalResponse();
  assert.equal(text, got.output_text);
  return got;
}

// hold says everything in turn and checks the answers, and that all are one session's.
async function hold(say) {
  let session;
  for (const [i, [text, want]] of conversation.entries()) {
    const got = await say(text);
    assert.match(got.text, want, `answer to ${text}`);
    assert.equal(got.turn.session_id, session ??= got.turn.session_id);
    assert.equal(got.turn.turn, i + 1);
    if (i === 0) assert.equal(got.turn.waiting_for_param, 'order_id');
    if (i === 2) assert.equal(got.turn.confirming, 'cancel_order');
  }
}

const user = (content) => ({ role: 'user', content });

// Each carries the session in one of the ways there are.
const ways = {
  header: (stream) => hold((text) =>
    completion({ messages: [user(text)] }, { headers: { 'X-Conversation-Id': 'by-header' } }, stream)),
  body: (stream) => hold((text) => completion({ messages: [user(text)], conversation_id: 'by-body' }, {}, stream)),
  metadata: (stream) => hold((text) =>
    completion({ messages: [user(text)], metadata: { conversation_id: 'by-metadata' } }, {}, stream)),
  history: async (stream) => {
    const messages = [{ role: 'system', content: 'You are a pirate.' }];
    await hold(async (text) => {
      messages.push(user(text));
      const got = await completion({ messages, temperature: 0.5, user: 'somebody' }, {}, stream);
      messages.push({ role: 'assistant', content: got.text });
      return got;
    });
  },
  conversation: async (stream) => {
    const made = await client.conversations.create({ metadata: { topic: 'orders' } });
    assert.match(made.id, /^conv_/);
    assert.deepEqual(await client.conversations.retrieve(made.id), made);
    await hold((text) => response({ input: text, conversation: stream ? { id: made.id } : made.id }, stream));
    assert.equal((await client.conversations.delete(made.id)).deleted, true);
    await assert.rejects(client.conversations.retrieve(made.id), openai.NotFoundError);
  },
  previous: async (stream) => {
    let previous;
    await hold(async (text) => {
      const got = await response({ input: text, previous_response_id: previous, instructions: 'Be a pirate.' }, stream);
      previous = got.id;
      return got;
    });
  },
  items: async (stream) => {
    const input = [];
    await hold(async (text) => {
      input.push(user(text));
      const got = await response({ input }, stream);
      input.push(...got.items);
      return got;
    });
  },
};

// fails checks the error that a call ends with.
async function fails(call, kind, want) {
  await assert.rejects(call, (err) => {
    assert.ok(err instanceof kind, `${err?.constructor?.name}: ${err?.message}`);
    for (const [name, value] of Object.entries(want)) assert.equal(err[name], value, name);
    assert.ok(err.error.message);
    return true;
  });
}

async function errors() {
  const messages = [user('hello')];
  const create = (request) => client.chat.completions.create({ model, messages, ...request });
  await fails(create({ model: 'gpt-4o' }), openai.NotFoundError, { status: 404, code: 'model_not_found', param: 'model' });
  await fails(create({ n: 2 }), openai.BadRequestError, { status: 400, code: 'unsupported_value', param: 'n' });
  await fails(create({ messages: [] }), openai.BadRequestError, { status: 400, param: 'messages' });
  await fails(create({ messages: [...messages, { role: 'assistant', content: 'hi' }] }), openai.BadRequestError, { status: 400, param: 'messages' });
  await fails(create({ messages: [user([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])] }),
    openai.BadRequestError, { status: 400, code: 'unsupported_content' });
  await fails(create({ stream: true, model: 'gpt-4o' }), openai.NotFoundError, { status: 404 });
  await fails(client.responses.create({ model, input: 'hello', store: false }), openai.BadRequestError, { status: 400, param: 'store' });
  await fails(client.responses.create({ model, input: 'hello', previous_response_id: 'resp_none' }), openai.NotFoundError, { code: 'previous_response_not_found' });
  await fails(client.responses.create({ model, input: 'hello', conversation: 'conv_none' }), openai.NotFoundError, { code: 'conversation_not_found' });
  await fails(client.responses.retrieve('resp_none'), openai.NotFoundError, { status: 404 });
  await fails(client.models.retrieve('gpt-4o'), openai.NotFoundError, { code: 'model_not_found' });
  const stranger = new openai.OpenAI({ apiKey: 'sk-wrong', baseURL: url + '/v1', maxRetries: 0 });
  await fails(stranger.models.list(), openai.AuthenticationError, { status: 401, code: 'invalid_api_key' });
  await fails(stranger.chat.completions.create({ model, messages }), openai.AuthenticationError, { status: 401 });

  const models = [];
  for await (const m of client.models.list()) models.push(m);
  assert.deepEqual(models.map((m) => m.id), [model]);
  assert.deepEqual(await client.models.retrieve(model), models[0]);
  const kept = await client.responses.create({ model, input: 'hello' });
  await fails(client.responses.delete(kept.id), openai.ConflictError, { status: 409, code: 'not_deletable' });
}

// abort hangs up in the middle of a stream, at each message, and goes on with what it heard.
async function abort() {
  const messages = [];
  let turn;
  for (const [text, want] of conversation) {
    messages.push(user(text));
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    let heard = '';
    for await (const chunk of stream) {
      heard += chunk.choices[0]?.delta.content ?? '';
      if (heard) break;
    }
    stream.controller.abort();
    assert.ok(heard);
    const whole = await completion({ messages }, {}, false); // the same message again: the same answer
    assert.match(whole.text, want);
    assert.ok(whole.text.startsWith(heard));
    turn = whole.turn;
    messages.push({ role: 'assistant', content: heard });
  }
  assert.equal(turn.turn, conversation.length);
}

// hangup goes away before there is any answer, and sends the message again.
async function hangup() {
  const messages = [];
  for (const [text, want] of conversation) {
    messages.push(user(text));
    const key = `hangup-${messages.length}`;
    const controller = new AbortController();
    const first = client.chat.completions.create({ model, messages }, { signal: controller.signal, headers: { 'Idempotency-Key': key } });
    setTimeout(() => controller.abort(), 2); // sooner or later than the answer: both must do
    await first.catch((err) => assert.ok(err instanceof openai.APIUserAbortError, String(err)));
    const got = await completion({ messages }, { headers: { 'Idempotency-Key': key } }, false);
    assert.match(got.text, want);
    messages.push({ role: 'assistant', content: got.text });
  }
}

const all = { errors, abort, hangup };
for (const [name, run] of Object.entries(ways)) {
  all[name] = () => run(false);
  all[name + '-stream'] = () => run(true);
}
assert.ok(all[way], `no such way: ${way}; there are ${Object.keys(all).join(', ')}`);
await all[way]();

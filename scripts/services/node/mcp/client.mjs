// A conversation with an agent, held by the official MCP client for Node.
//
//   node client.mjs FOLDER URL USER WAY
//
// FOLDER has node_modules/@modelcontextprotocol/sdk, URL is the service's /mcp, USER goes into
// the X-User header. WAY is `asked`, for a client that lets its user be asked in place, or
// `plain`, for one that does not. The agent is the default one, on a database of its own:
// O-12345 is a wool blanket that has not shipped. It ends with status 0 if everything was as
// it should be.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, url, user, way] = process.argv.slice(2);
const require = createRequire(join(folder, 'package.json'));
const sdk = (path) => require('@modelcontextprotocol/sdk/' + path);
const { Client } = sdk('client/index.js');
const { StreamableHTTPClientTransport } = sdk('client/streamableHttp.js');
const { ElicitRequestSchema } = sdk('types.js');

const asked = [];
const client = new Client(
  { name: 'test', version: '1' },
  { capabilities: way === 'asked' ? { elicitation: {} } : {} },
);
if (way === 'asked') {
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params.message);
    const { confirm, order_id } = params.requestedSchema.properties;
    if (confirm) return { action: 'accept', content: { confirm: true } };
    if (order_id) return { action: 'accept', content: { order_id: 'O-12345' } };
    return { action: 'cancel' };
  });
}
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { 'X-User': user } } }));

// The client compiles every output schema when it lists the tools, and holds results to them.
const { tools } = await client.listTools();
assert.ok(tools.find((t) => t.name === 'cancel_order').annotations.destructiveHint);
assert.ok(tools.find((t) => t.name === 'order_status').annotations.readOnlyHint);
const use = async (name, args) => {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, JSON.stringify(result.content));
  return result.structuredContent;
};

const talks = {
  async asked() {
    const status = await use('order_status', {});
    assert.match(status.reply, /O-12345, wool blanket, is pending/);
    const cancelled = await use('cancel_order', { order_id: 'O-12345' });
    assert.equal(cancelled.status, 'done');
    assert.match(cancelled.reply, /O-12345 is cancelled/);
    assert.equal(asked.length, 2);
  },
  async plain() {
    const first = await use('order_status', {});
    assert.equal(first.status, 'needs_input');
    assert.equal(first.needs.param, 'order_id');
    const status = await use('order_status', { order_id: 'O-12345', conversation_id: first.conversation_id });
    assert.match(status.reply, /O-12345, wool blanket, is pending/);
    const question = await use('cancel_order', { order_id: 'O-12345' });
    assert.equal(question.needs.confirmation, true);
    const done = await use('send_message', { text: 'yes', conversation_id: question.conversation_id });
    assert.match(done.reply, /O-12345 is cancelled/);
  },
};
await talks[way]();
const { sessions } = await use('list_sessions', {});
assert.equal(sessions.length, 2);
await assert.rejects(client.callTool({ name: 'order_status', arguments: { colour: 'red' } }), /no param/);
await client.close();

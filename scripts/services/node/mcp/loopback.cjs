// Preloaded into a server that takes a port and no host: it shall listen on loopback only.
const { Server } = require('node:net');
const original = Server.prototype.listen;
Server.prototype.listen = function listen(first, ...rest) {
	if (/^\d+$/.test(String(first))) {
		return original.call(this, { port: Number(first), host: '127.0.0.1' }, ...rest.filter((a) => typeof a === 'function'));
	}
	if (first && typeof first === 'object' && first.port !== undefined) {
		return original.call(this, { ...first, host: '127.0.0.1' }, ...rest);
	}
	return original.call(this, first, ...rest);
};

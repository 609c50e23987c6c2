/**
 * The public door of Hearthforge: one federated graph over the services, and a way through to the REST face.
 *
 * Read in this order: config, supergraph, door (HTTP), websocket, graphql (the runtime and what is plugged in),
 * streams and upstream, then identity, keys and tokens, limits and cost, proxy.
 *
 * Exit codes: 0 stopped by a signal, 2 bad configuration, 3 port taken, 70 stopped after an uncaught
 * exception.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createAdmin } from './admin.mjs';
import { createAdmission } from './admission.mjs';
import { ConfigError, readConfig } from './config.mjs';
import { catchUncaught } from './crash.mjs';
import { createDoor } from './door.mjs';
import { createGraph } from './graphql.mjs';
import { createIdentity } from './identity.mjs';
import { createKeys } from './keys.mjs';
import { createLimits } from './limits.mjs';
import { createLog } from './log.mjs';
import { watchLoop } from './loop_watch.mjs';
import { createMetrics } from './metrics.mjs';
import { createProxy } from './proxy.mjs';
import { createReaders } from './readers.mjs';
import { createReplicas } from './replicas.mjs';
import { createStreams } from './streams.mjs';
import { CompositionError, readSupergraph } from './supergraph.mjs';
import { createSigner } from './tokens.mjs';
import { createUpstream } from './upstream.mjs';
import { attachWebSockets } from './websocket.mjs';

const DRAIN_MS = 3000;
/** How long a broken process goes on while its successor starts; without one it stops itself after this time. */
const RELIEF_MS = 20_000;
const BROKEN_EXIT = 70;

async function main() {
  const config = readConfig(process.env);
  const log = createLog(config);
  const say = announcer(config.lifeFd);
  const admission = createAdmission();
  const metrics = createMetrics(admission);
  const supergraph = readSupergraph(config.schemaDir, firstAddresses(config.serviceUrls));
  const sign = createSigner(config.privateKey);
  const limits = createLimits(config.redisUrl, log);
  const identity = createIdentity({ replicas: createReplicas(config.accountUrls), sign, limits });
  const { identify, identifyTicket } = identity;
  const keys = createKeys({ redisUrl: config.redisUrl, identity, log });
  const subgraphs = createUpstream({ ...config, metrics, sign });
  const readers = createReaders({ seconds: config.unsentSeconds });
  const backend = createProxy({ ...config, admission, readers, log });
  const graph = createGraph({
    supergraph,
    introspection: config.introspection,
    sign,
    limits,
    admission,
    streams: createStreams(),
    metrics,
    fetch: subgraphs.fetch,
    log,
  });
  await graph.getSchema();

  const door = createDoor({ ...config, graph, identify, identifyTicket, keys, limits, backend, readers, metrics, log });
  const { server } = door;
  const sockets = attachWebSockets({ ...config, server, graph, identify, keys, limits, metrics, log });
  let stopping = false;
  let broken = false;
  const admin = createAdmin({
    metrics,
    readiness: async () => {
      const { ready, words } = await subgraphs.check();
      const door = stopping ? 'closing' : broken ? 'broken' : 'ok';
      const checks = { supergraph: 'ok', redis: limits.state(), door, ...words };
      return { ready: ready && door === 'ok' && server.listening, checks };
    },
  });

  const { port, host, listenFd, adminPort, adminHost } = config;
  await listen(admin, { port: adminPort, host: adminHost }, 'HEARTHFORGE_GATEWAY_ADMIN_PORT');
  await listen(server, listenFd === undefined ? { port, host } : { fd: listenFd }, 'HEARTHFORGE_PORT');
  watchLoop(log);
  log.info('listening', { host, port: server.address().port, admin_port: admin.address().port });
  say('ready');

  async function stop(signal) {
    if (stopping) return;
    stopping = true;
    log.info('stopping', { signal });
    const patience = setTimeout(() => {
      sockets.terminate();
      server.closeAllConnections();
    }, DRAIN_MS);
    sockets.close();
    await door.close();
    clearTimeout(patience);
    admin.close();
    admin.closeAllConnections();
    backend.close();
    subgraphs.close();
    limits.close();
    keys.close();
    await graph.dispose();
    process.exit(broken ? BROKEN_EXIT : 0);
  }
  function replace() {
    broken = true;
    // The successor needs this port before it accepts; ours it gets from whoever holds the socket.
    admin.close();
    admin.closeAllConnections();
    setTimeout(() => stop('no successor'), say('broken') ? RELIEF_MS : 0);
  }
  catchUncaught({ log, replace });
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** The graph names one address a service; which replica is asked is found out for each request. */
const firstAddresses = (urls) => Object.fromEntries(Object.entries(urls).map(([name, [first]]) => [name, first]));

async function listen(server, at, setting) {
  server.listen(at);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error.code === 'EADDRINUSE') {
      throw new PortTaken(
        `port ${at.port} on ${at.host} is taken: stop what uses it, or set ${setting} to another port`,
      );
    }
    throw new ConfigError(`cannot listen on ${at.host}:${at.port}: ${error.code ?? error.message}`);
  }
}

/** Tells whoever started us how we are; returns whether there is anybody to hear it. */
function announcer(lifeFd) {
  return (word) => {
    if (lifeFd === undefined) return false;
    try {
      writeSync(lifeFd, `${word}\n`);
      return true;
    } catch {
      return false;
    }
  };
}

class PortTaken extends Error {}

/** One line for whoever started us, and a code by which a supervisor knows not to try again. */
function explain(error) {
  if (error instanceof PortTaken) return [3, error.message];
  if (error instanceof ConfigError || error instanceof CompositionError) return [2, error.message];
  return [1, error.stack];
}

try {
  await main();
} catch (error) {
  const [code, line] = explain(error);
  process.stderr.write(`gateway: ${line}\n`);
  process.exit(code);
}
